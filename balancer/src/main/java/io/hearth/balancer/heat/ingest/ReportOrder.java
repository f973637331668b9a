// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of the regions of each server's last report, in the order of that report. A report has its regions in the order of their
 * names, so that the next one hardly ever has another order: each region is found after the one before it, where a search among
 * the regions of the whole cluster misses the processor's cache several times.
 *
 * <p>Whoever forgets a region calls {@link #clear}. Not thread-safe.
 *
 * @param <S> a server
 * @param <N> a region's name
 * @param <V> what is kept of a region
 */
public final class ReportOrder<S, N, V> {

    private final Map<S, List<V>> lastByServer = new HashMap<>();
    private final BiPredicate<V, N> isOf;

    /** @param isOf whether that is what is kept of the region of this name */
    public ReportOrder(BiPredicate<V, N> isOf) {
        this.isOf = isOf;
    }

    /** Takes the regions of a server's report. */
    public void put(S server, List<V> inOrder) {
        lastByServer.put(server, inOrder);
    }

    /** Forgets every server that is not among these. */
    public void retainServers(Set<S> live) {
        lastByServer.keySet().retainAll(live);
    }

    /** Forgets every region. */
    public void clear() {
        lastByServer.clear();
    }

    /** The regions of this server's last report, from the first on. */
    public Cursor of(S server) {
        return new Cursor(lastByServer.getOrDefault(server, List.of()));
    }

    /** A place in a server's last report, which moves on with the regions that are found. */
    public final class Cursor {

        private final List<V> inOrder;
        private int next;

        private Cursor(List<V> inOrder) {
            this.inOrder = inOrder;
        }

        /** What is next, or after that where a region has gone from the report; null where neither is of this name. */
        public @Nullable V find(N name) {
            for (int at = next; at < inOrder.size() && at <= next + 1; at++) {
                V candidate = inOrder.get(at);
                if (isOf.test(candidate, name)) {
                    next = at + 1;
                    return candidate;
                }
            }
            return null;
        }
    }
}
