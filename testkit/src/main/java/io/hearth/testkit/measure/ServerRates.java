// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import io.hearth.testkit.measure.ClusterLoadReport.RegionLoadReport;
import io.hearth.testkit.measure.ClusterLoadReport.ServerLoadReport;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Requests per second that one RegionServer served between two of its reports.
 *
 * <p>Time is report time: the difference of the server's own clock in the two reports. A counter that
 * fell, or a region that was not in the earlier report, began at 0 when the region was opened in
 * between, so all of it belongs to the interval. What a region served here after the earlier report
 * and before it left is lost; rates are therefore read from intervals without moves.
 *
 * @param host the server
 * @param readsPerSecond never negative
 * @param writesPerSecond never negative
 * @param intervalMs report time between the two reports, more than 0
 * @param arrivedRegions regions whose counters began at 0 within the interval
 */
public record ServerRates(
        String host, double readsPerSecond, double writesPerSecond, long intervalMs, int arrivedRegions) {

    /** The rates of every server that is in both snapshots and has reported anew in between. */
    public static SortedMap<String, ServerRates> between(ClusterLoadReport before, ClusterLoadReport after) {
        SortedMap<String, ServerRates> ratesByHost = new TreeMap<>();
        after.serversByHost().forEach((host, later) -> {
            ServerLoadReport earlier = before.serversByHost().get(host);
            if (earlier != null && later.reportTimeMs() > earlier.reportTimeMs()) {
                ratesByHost.put(host, between(earlier, later));
            }
        });
        return Collections.unmodifiableSortedMap(ratesByHost);
    }

    private static ServerRates between(ServerLoadReport before, ServerLoadReport after) {
        long reads = 0;
        long writes = 0;
        int arrivedRegions = 0;
        for (var region : after.countersByRegion().entrySet()) {
            RegionLoadReport now = region.getValue();
            RegionLoadReport then = before.countersByRegion().get(region.getKey());
            boolean arrived = then == null || now.reads() < then.reads() || now.writes() < then.writes();
            reads += arrived || then == null ? now.reads() : now.reads() - then.reads();
            writes += arrived || then == null ? now.writes() : now.writes() - then.writes();
            arrivedRegions += arrived ? 1 : 0;
        }
        long intervalMs = after.reportTimeMs() - before.reportTimeMs();
        return new ServerRates(
                after.host(), reads * 1000.0 / intervalMs, writes * 1000.0 / intervalMs, intervalMs, arrivedRegions);
    }
}
