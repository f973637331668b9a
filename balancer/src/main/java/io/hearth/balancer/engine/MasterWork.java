// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

/**
 * What Hearth does in an HMaster, so that its processor time can be told apart: on threads of its own, which are known by their names, or
 * on threads of HBase's.
 */
public enum MasterWork {
    HEALING("healing", "hearth-healer-"),
    LOCALITY("look-ups of blocks", "hearth-locality-"),
    PAGE("page", "hearth-page"),
    DOCTOR("doctor", "hearth-doctor", "hearth-page-doctor", "hearth-http"),
    STATE("saved state", "hearth-heat-keeper"),
    PROBES("probes of servers", "hearth-suspects", "hearth-backup-masters"),
    REPORTS("reports of servers"),
    PLANS("plans"),
    PLACEMENT("placement"),
    REQUESTS("requests and hooks"),
    OTHER("other threads", MasterWork.THREADS);

    /** What the name of each thread that Hearth starts in an HMaster begins with. */
    public static final String THREADS = "hearth-";

    private final String label;
    private final String[] threads;

    MasterWork(String label, String... threads) {
        this.label = label;
        this.threads = threads;
    }

    /** What it is called in a list. */
    public String label() {
        return label;
    }

    /** The work of a thread of Hearth's with this name: by the longest beginning that is known. */
    public static MasterWork ofThread(String name) {
        MasterWork best = OTHER;
        int longest = 0;
        for (MasterWork work : values()) {
            for (String thread : work.threads) {
                if (name.startsWith(thread) && thread.length() > longest) {
                    best = work;
                    longest = thread.length();
                }
            }
        }
        return best;
    }
}
