// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Embedded clusters that nobody uses just now, for tests that run one after the other in one JVM: a start takes many times as long as
 * a new HMaster on one that runs. One of a kind at most. Thread-safe.
 */
public final class ClusterPool {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterPool.class);

    /** That of {@link EmbeddedCluster.Builder#shared}. */
    public static final ClusterPool JVM_WIDE = new ClusterPool();

    private final Map<String, EmbeddedCluster> idle = new HashMap<>();
    private final Map<EmbeddedCluster, String> kinds = new HashMap<>();

    private ClusterPool() {}

    /** One that was put back, with a new master, or one that is started. */
    synchronized EmbeddedCluster take(EmbeddedCluster.Builder builder) throws IOException {
        String kind = builder.kind();
        EmbeddedCluster cluster = idle.remove(kind);
        if (cluster == null) {
            cluster = builder.start().returnTo(this);
            kinds.put(cluster, kind);
            return cluster;
        }
        try {
            cluster.reset(builder.configuration(cluster.directory(), cluster.hosts()));
            return cluster;
        } catch (IOException | RuntimeException e) {
            kinds.remove(cluster);
            cluster.end();
            throw e;
        }
    }

    /** Tidies it and keeps it; false if it is not as it was, and has to be closed. */
    synchronized boolean putBack(EmbeddedCluster cluster) {
        String kind = kinds.get(cluster);
        if (kind == null) {
            return false;
        }
        if (idle.containsKey(kind)) {
            kinds.remove(cluster);
            return false;
        }
        try {
            cluster.tidy();
            idle.put(kind, cluster);
            return true;
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} is not as it was before: it is closed, and not used again", cluster.directory(), e);
            kinds.remove(cluster);
            return false;
        }
    }

    /** Closes all that are on it. */
    public synchronized void clear() {
        idle.values().forEach(EmbeddedCluster::end);
        idle.keySet().forEach(kind -> kinds.values().remove(kind));
        idle.clear();
    }
}
