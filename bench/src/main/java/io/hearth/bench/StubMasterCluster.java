// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A synthetic cluster as a master shows it to its balancer: every server reports every three seconds, every counter has risen since
 * by what its region does, and the master's own region states say who serves what. No block is anywhere. Not thread-safe.
 */
final class StubMasterCluster {

    private static final long REPORT_EVERY_MS = 3_000;
    private static final long OPEN_SEQ_NUM = 5;
    private static final long BEGIN_MS = 1_700_000_000_000L;

    private final List<ServerName> servers = new ArrayList<>();
    private final List<List<RegionInfo>> regionsByServer = new ArrayList<>();
    private final Map<ServerName, ServerMetrics> live = new TreeMap<>();
    private final StubMaster master = new StubMaster(new Configuration(false), Map.of(), BEGIN_MS);
    private long nowMs = BEGIN_MS;

    StubMasterCluster(int servers, int regions) {
        for (int server = 0; server < servers; server++) {
            this.servers.add(ServerName.valueOf("host-" + server + ".example.org", 16020, BEGIN_MS));
            regionsByServer.add(new ArrayList<>());
        }
        for (int region = 0; region < regions; region++) {
            RegionInfo info = RegionInfoBuilder.newBuilder(TableName.valueOf("table-" + region % 50))
                    .setStartKey(Bytes.toBytes(String.format("row-%012d", region)))
                    .setRegionId(BEGIN_MS - 86_400_000)
                    .build();
            regionsByServer.get(region % servers).add(info);
            master.opened(info, this.servers.get(region % servers), OPEN_SEQ_NUM);
        }
    }

    /** The master whose balancer is shown this cluster. */
    MasterServices master() {
        return master.services();
    }

    /** The time in it, in milliseconds since 1970. */
    long nowMs() {
        return nowMs;
    }

    /** The reports that there are so much later: those of the servers that have reported again are new. */
    ClusterMetrics later(long ms) {
        nowMs += ms;
        for (int server = 0; server < servers.size(); server++) {
            long sinceMs = Math.floorMod(nowMs - server * REPORT_EVERY_MS / servers.size(), REPORT_EVERY_MS);
            ServerMetrics last = live.get(servers.get(server));
            if (last == null || last.getReportTimestamp() < nowMs - sinceMs) {
                live.put(servers.get(server), report(server, nowMs - sinceMs));
            }
        }
        return ClusterMetricsBuilder.newBuilder()
                .setLiveServerMetrics(new TreeMap<>(live))
                .build();
    }

    private ServerMetrics report(int server, long reportMs) {
        List<RegionMetrics> regions = new ArrayList<>();
        long seconds = (reportMs - BEGIN_MS) / 1_000 + 60;
        for (RegionInfo region : regionsByServer.get(server)) {
            long requests = seconds * (1 + regions.size() % 97);
            regions.add(RegionMetricsBuilder.newBuilder(region.getRegionName())
                    .setReadRequestCount(requests)
                    .setWriteRequestCount(requests / 2)
                    .setStoreFileSize(new Size(1_000, Size.Unit.MEGABYTE))
                    .setMemStoreSize(new Size(20, Size.Unit.MEGABYTE))
                    .setDataLocality(1f)
                    .build());
        }
        return ServerMetricsBuilder.newBuilder(servers.get(server))
                .setRegionMetrics(regions)
                .setReportTimestamp(reportMs)
                .setLastReportTimestamp(reportMs - REPORT_EVERY_MS)
                .build();
    }
}
