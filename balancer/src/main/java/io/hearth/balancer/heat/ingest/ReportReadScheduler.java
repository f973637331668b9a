// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Whose report is to be read now, so that reading costs no more however often HBase shows the cluster: once a minute, and after
 * each executed move.
 *
 * <ul>
 *   <li>A report that was read is not read again. One of a server that was never read is read at once.
 *   <li>All others are read in the first look an interval after those of the last time, and none in the looks between.
 *   <li>Before a run of the balancer {@link #rest} has all that is left.
 * </ul>
 *
 * Worked example: 1,000 servers, an interval of 54 s. A look a minute after the last reads 1,000 reports. Of looks that follow every
 * 10 s five read none, and the sixth 1,000. Not thread-safe.
 *
 * @param <K> a server
 */
public final class ReportReadScheduler<K> {

    private static final long NEVER = Long.MIN_VALUE;

    private final Map<K, Long> reportMsByServer = new HashMap<>();
    private long readMs = NEVER;

    /**
     * Whose report is to be read in this look, which counts as read.
     *
     * @param live the time of the last report of every live server, by that server's clock, in milliseconds
     * @param intervalMs after which all are read, in milliseconds; at 0 all are, with a new report or without
     * @param nowMs our own time, in milliseconds; where it goes back a clock was set, and all are read
     */
    public Set<K> due(Map<K, Long> live, long intervalMs, long nowMs) {
        reportMsByServer.keySet().retainAll(live.keySet());
        if (intervalMs <= 0) {
            reportMsByServer.putAll(live);
            return live.keySet();
        }
        if (readMs == NEVER || nowMs < readMs || nowMs - readMs >= intervalMs) {
            readMs = nowMs;
            return rest(live);
        }
        Set<K> due = new HashSet<>(live.keySet());
        due.removeAll(reportMsByServer.keySet());
        due.forEach(server -> reportMsByServer.put(server, live.get(server)));
        return due;
    }

    /** Everybody who has a report that was not read, all of which count as read. */
    public Set<K> rest(Map<K, Long> live) {
        Set<K> rest = new HashSet<>();
        live.forEach((server, reportMs) -> {
            if (!reportMs.equals(reportMsByServer.put(server, reportMs))) {
                rest.add(server);
            }
        });
        return rest;
    }
}
