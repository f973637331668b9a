// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clusters of one JVM that tests share: a test that ends leaves its cluster to the next one that asks for its kind, since a start
 * takes many times as long as a new HMaster. At most one cluster of each kind is idle. Thread-safe.
 *
 * @param <C> the class of the clusters, compared by identity
 */
public final class ClusterPool<C> {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterPool.class);

    /** The pool that {@link EmbeddedCluster.Builder#shared} takes from. */
    public static final ClusterPool<EmbeddedCluster> JVM_WIDE =
            new ClusterPool<>(EmbeddedCluster::tidy, EmbeddedCluster::end);

    private final Map<String, C> idle = new HashMap<>();
    private final Map<C, String> kinds = new HashMap<>();
    private final Step<C> tidy;
    private final Consumer<C> end;

    /** How a cluster is started. */
    @FunctionalInterface
    interface Start<C> {

        C start() throws IOException;
    }

    /** What is done with a cluster between two users. */
    @FunctionalInterface
    interface Step<C> {

        void perform(C cluster) throws IOException;
    }

    /**
     * A pool without clusters.
     *
     * @param tidy takes away what the last user has made
     * @param end stops a cluster for good
     */
    ClusterPool(Step<C> tidy, Consumer<C> end) {
        this.tidy = tidy;
        this.end = end;
    }

    /** An idle cluster of this kind after {@code reset}, or a new one if none is idle. */
    synchronized C take(String kind, Start<C> start, Step<C> reset) throws IOException {
        C cluster = idle.remove(kind);
        if (cluster == null) {
            C started = start.start();
            kinds.put(started, kind);
            return started;
        }
        try {
            reset.perform(cluster);
            return cluster;
        } catch (IOException | RuntimeException e) {
            kinds.remove(cluster);
            end.accept(cluster);
            throw e;
        }
    }

    /**
     * Tidies this cluster and keeps it for the next user; does nothing with one that is idle already.
     *
     * @return false if the caller has to end it: it is not of this pool, another one of its kind is idle, or it could not be tidied
     */
    synchronized boolean putBack(C cluster) {
        String kind = kinds.get(cluster);
        if (kind == null) {
            return false;
        }
        C other = idle.get(kind);
        if (other != null) {
            if (other.equals(cluster)) {
                return true;
            }
            kinds.remove(cluster);
            return false;
        }
        try {
            tidy.perform(cluster);
            idle.put(kind, cluster);
            return true;
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} could not be tidied: it is closed, and not used again", cluster, e);
            kinds.remove(cluster);
            return false;
        }
    }

    /** Ends the idle clusters. */
    public synchronized void clear() {
        idle.values().forEach(end);
        kinds.keySet().removeAll(idle.values());
        idle.clear();
    }
}
