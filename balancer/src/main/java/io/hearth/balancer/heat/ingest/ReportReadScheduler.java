// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whose report is to be read now, so that reading costs no more however often HBase shows the cluster: once a minute, and after
 * each executed move.
 *
 * <ul>
 *   <li>A report that was read is not read again. One of a server that was never read is read at once.
 *   <li>Of the others so many are read that all servers have their turn once in the interval: after a tenth of it a tenth of
 *       them, after all of it all. Who was read longest ago comes first.
 *   <li>Before a run of the balancer {@link #rest} has all that is left.
 * </ul>
 *
 * Worked example: 1,000 servers, an interval of 30 s. A look a minute after the last reads 1,000 reports; looks that follow
 * every 3 s read 100 each; a look after a pause of 40 s reads 1,000. Not thread-safe.
 *
 * @param <K> a server
 */
public final class ReportReadScheduler<K> {

    private final Map<K, LastRead> lastByServer = new HashMap<>();
    private double allowed;
    private long lookedMs = Long.MIN_VALUE;

    /** The report that was read last, by the server's clock, and when, by ours. */
    private record LastRead(long reportMs, long readMs) {}

    /**
     * Whose report is to be read in this look, which counts as read.
     *
     * @param reportMsByServer the time of the last report of every live server, by that server's clock
     * @param intervalMs how often every server has its turn, in milliseconds; at 0 everybody has it, with a new report or without
     * @param nowMs our own time, in milliseconds
     */
    public Set<K> due(Map<K, Long> reportMsByServer, long intervalMs, long nowMs) {
        allow(reportMsByServer.size(), intervalMs, nowMs);
        lastByServer.keySet().retainAll(reportMsByServer.keySet());
        if (intervalMs <= 0) {
            return read(reportMsByServer.keySet(), reportMsByServer, nowMs);
        }
        Set<K> due = new HashSet<>();
        List<K> waiting = new ArrayList<>();
        reportMsByServer.forEach((server, reportMs) -> {
            LastRead last = lastByServer.get(server);
            if (last == null) {
                due.add(server);
            } else if (last.reportMs() != reportMs) {
                waiting.add(server);
            }
        });
        waiting.sort(Comparator.comparingLong(server -> lastReadMs(server)));
        allowed = Math.max(0, allowed - due.size());
        int most = (int) Math.min(waiting.size(), allowed);
        allowed -= most;
        due.addAll(waiting.subList(0, most));
        return read(due, reportMsByServer, nowMs);
    }

    /** Everybody who has a report that was not read, all of which count as read. */
    public Set<K> rest(Map<K, Long> reportMsByServer, long nowMs) {
        Set<K> rest = new HashSet<>();
        reportMsByServer.forEach((server, reportMs) -> {
            LastRead last = lastByServer.get(server);
            if (last == null || last.reportMs() != reportMs) {
                rest.add(server);
            }
        });
        allowed = 0;
        return read(rest, reportMsByServer, nowMs);
    }

    /** Time that goes back is a clock that was set: then everybody has a turn. */
    private void allow(int servers, long intervalMs, long nowMs) {
        boolean isFirst = lookedMs == Long.MIN_VALUE || nowMs < lookedMs || nowMs - lookedMs >= intervalMs;
        double share = isFirst ? 1 : (double) (nowMs - lookedMs) / intervalMs;
        allowed = Math.min(servers, allowed + servers * share);
        lookedMs = nowMs;
    }

    private long lastReadMs(K server) {
        LastRead last = lastByServer.get(server);
        return last == null ? Long.MIN_VALUE : last.readMs();
    }

    private Set<K> read(Set<K> servers, Map<K, Long> reportMsByServer, long nowMs) {
        reportMsByServer.forEach((server, reportMs) -> {
            if (servers.contains(server)) {
                lastByServer.put(server, new LastRead(reportMs, nowMs));
            }
        });
        return servers;
    }
}
