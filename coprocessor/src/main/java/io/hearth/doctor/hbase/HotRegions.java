// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.common.log.PrintableName;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.HotRegion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;

/** The regions that have more requests than a server should have in all, told by two reports. Stateless. */
final class HotRegions {

    /** Below that nothing is hot. */
    private static final double MIN_PER_SECOND = 100;

    /** As near to a fair share as a plan would come. */
    private static final double MIN_SHARE = 1.1;

    private static final int SHOWN = 10;

    private HotRegions() {}

    /** The hottest first. A region that was moved or opened between the reports has lost its count, and is none. */
    static List<HotRegion> between(ClusterMetrics earlier, ClusterMetrics now, long overMs) {
        List<HotRegion> regions = new ArrayList<>();
        int servers = now.getLiveServerMetrics().size();
        double[] total = new double[1];
        now.getLiveServerMetrics().forEach((server, report) -> {
            ServerMetrics before = earlier.getLiveServerMetrics().get(server);
            if (before != null) {
                add(server, before, report, overMs, regions, total);
            }
        });
        double fair = total[0] / Math.max(1, servers);
        return servers < 2
                ? List.of()
                : regions.stream()
                        .filter(region -> region.requestsPerSecond() >= Math.max(MIN_PER_SECOND, fair * MIN_SHARE))
                        .sorted(Comparator.comparingDouble(HotRegion::requestsPerSecond)
                                .reversed())
                        .limit(SHOWN)
                        .map(region -> new HotRegion(
                                region.region(),
                                region.table(),
                                region.host(),
                                region.requestsPerSecond(),
                                region.requestsPerSecond() / fair))
                        .toList();
    }

    private static void add(
            ServerName server,
            ServerMetrics before,
            ServerMetrics now,
            long overMs,
            List<HotRegion> regions,
            double[] total) {
        long apartMs = now.getReportTimestamp() - before.getReportTimestamp();
        long ms = apartMs > 0 ? apartMs : overMs;
        Map<byte[], RegionMetrics> earlier = new TreeMap<>(java.util.Arrays::compare);
        before.getRegionMetrics().forEach(earlier::put);
        now.getRegionMetrics().forEach((name, region) -> {
            RegionMetrics first = earlier.get(name);
            double perSecond = first == null ? 0 : Math.max(0, requests(region) - requests(first)) * 1_000.0 / ms;
            total[0] += perSecond;
            boolean isSystem = RegionInfo.getTable(name).isSystemTable();
            if (perSecond > 0 && !isSystem) {
                regions.add(new HotRegion(
                        RegionInfo.encodeRegionName(name),
                        RegionInfo.getTable(name).getNameAsString(),
                        PrintableName.of(server.getHostname()),
                        perSecond,
                        0));
            }
        });
    }

    private static long requests(RegionMetrics region) {
        return region.getReadRequestCount() + region.getWriteRequestCount();
    }
}
