// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

/**
 * What Hearth does in an HMaster, so that its processor time can be told apart: on threads of its own, which are known by their names, or
 * on threads of HBase's.
 */
public enum MasterWork {
    HEALING("healing", CpuBudget.MAX_STRETCH, "hearth-healer-"),
    LOCALITY("look-ups of blocks", CpuBudget.MAX_STRETCH, "hearth-locality-"),
    PAGE("page", CpuBudget.MAX_STRETCH, "hearth-page"),
    DOCTOR("doctor", CpuBudget.MAX_STRETCH, "hearth-doctor", "hearth-page-doctor", "hearth-http"),
    /** Lost where a master dies. */
    STATE("saved state", 4, "hearth-heat-keeper"),
    PROBES("probes of servers", 1, "hearth-suspects", "hearth-backup-masters"),
    /** Read before each run in any case. */
    REPORTS("reports of servers", 4),
    PLANS("plans", 1),
    PLACEMENT("placement", 1),
    REQUESTS("requests and hooks", 1),
    /** Time by the clock in which HBase waits for it as well. */
    WAITS_UNDER_LOCK("waits under the balancer's lock", 1),
    OTHER("other threads", 1, MasterWork.THREADS);

    /** What the name of each thread that Hearth starts in an HMaster begins with. */
    public static final String THREADS = "hearth-";

    private final String label;
    private final int mostStretched;
    private final String[] threads;

    MasterWork(String label, int mostStretched, String... threads) {
        this.label = label;
        this.mostStretched = mostStretched;
        this.threads = threads;
    }

    /** What it is called in a list. */
    public String label() {
        return label;
    }

    /** How many times less often than set it is done at most; 1 where it is never put off. */
    public int mostStretched() {
        return mostStretched;
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
