// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.month;

import io.hearth.bench.StubMaster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
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
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A cluster as its master sees it, on simulated time: regions of uneven load, which changes from day to day; balancers move them, and
 * servers crash and return. Not thread-safe.
 */
final class MonthCluster {

    static final long DAY_MS = 86_400_000;

    private static final long BEGIN_MS = 1_700_000_000_000L;
    private static final int PORT = 16020;
    private static final int TABLES = 50;
    private static final long REPORT_EVERY_MS = 3_000;
    private static final double SIGMA = 1;
    private static final Size STORE = new Size(10, Size.Unit.GIGABYTE);
    private static final Size MEMSTORE = new Size(20, Size.Unit.MEGABYTE);

    private final List<ServerName> servers = new ArrayList<>();
    private final List<Map<RegionInfo, Region>> regionsByServer = new ArrayList<>();
    private final Map<RegionInfo, Region> regions = new LinkedHashMap<>();
    private final Map<ServerName, Integer> numberByServer = new HashMap<>();
    private final Map<ServerName, ServerMetrics> live = new TreeMap<>();
    private final StubMaster master;
    private final SplittableRandom random;
    private volatile long nowMs = BEGIN_MS;

    /** One region: who has it, what it serves a second, and its counter since it was opened there. */
    private static final class Region {

        private final RegionInfo info;
        private int server;
        private double perSecond;
        private double requests;
        private long countedMs;
        private long openings = 1;

        Region(RegionInfo info, int server, double perSecond, long nowMs) {
            this.info = info;
            this.server = server;
            this.perSecond = perSecond;
            this.countedMs = nowMs;
        }

        RegionMetrics report(long atMs) {
            requests += perSecond * Math.max(0, atMs - countedMs) / 1_000;
            countedMs = atMs;
            return RegionMetricsBuilder.newBuilder(info.getRegionName())
                    .setReadRequestCount((long) requests)
                    .setWriteRequestCount((long) (requests / 4))
                    .setStoreFileSize(STORE)
                    .setMemStoreSize(MEMSTORE)
                    .setDataLocality(1f)
                    .build();
        }
    }

    MonthCluster(int servers, int regions, Configuration site, long seed) {
        random = new SplittableRandom(seed);
        Map<TableName, TableDescriptor> tables = new HashMap<>();
        for (int table = 0; table < TABLES; table++) {
            TableName name = TableName.valueOf("table-" + table);
            tables.put(
                    name,
                    TableDescriptorBuilder.newBuilder(name)
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                            .build());
        }
        master = new StubMaster(site, tables, BEGIN_MS);
        for (int server = 0; server < servers; server++) {
            this.servers.add(ServerName.valueOf(BlocksFileSystem.host(server), PORT, BEGIN_MS));
            numberByServer.put(this.servers.get(server), server);
            regionsByServer.add(new LinkedHashMap<>());
        }
        for (int region = 0; region < regions; region++) {
            RegionInfo info = RegionInfoBuilder.newBuilder(TableName.valueOf("table-" + region % TABLES))
                    .setStartKey(Bytes.toBytes(String.format("row-%012d", region)))
                    .setRegionId(BEGIN_MS - DAY_MS)
                    .build();
            Region made = new Region(info, region % servers, rate(), nowMs);
            this.regions.put(info, made);
            regionsByServer.get(made.server).put(info, made);
            master.opened(info, this.servers.get(made.server), made.openings);
        }
    }

    private double rate() {
        // The sum of twelve is as good a normal number as is needed.
        double normal = -6;
        for (int draw = 0; draw < 12; draw++) {
            normal += random.nextDouble();
        }
        return 20 * Math.exp(SIGMA * normal);
    }

    MasterServices master() {
        return master.services();
    }

    long nowMs() {
        return nowMs;
    }

    /** Time passes, and no server reports. */
    void pass(long ms) {
        nowMs += ms;
    }

    /** The reports that there are so much later: of the servers whose three seconds have passed, new ones. */
    ClusterMetrics later(long ms) {
        nowMs += ms;
        for (int server = 0; server < servers.size(); server++) {
            long atMs = nowMs - Math.floorMod(nowMs - server * REPORT_EVERY_MS / servers.size(), REPORT_EVERY_MS);
            ServerMetrics last = live.get(servers.get(server));
            if (last == null || last.getReportTimestamp() < atMs) {
                live.put(servers.get(server), report(server, atMs));
            }
        }
        return ClusterMetricsBuilder.newBuilder()
                .setLiveServerMetrics(new TreeMap<>(live))
                .build();
    }

    private ServerMetrics report(int server, long atMs) {
        List<RegionMetrics> reported = new ArrayList<>();
        regionsByServer.get(server).values().forEach(region -> reported.add(region.report(atMs)));
        return ServerMetricsBuilder.newBuilder(servers.get(server))
                .setRegionMetrics(reported)
                .setReportTimestamp(atMs)
                .setLastReportTimestamp(atMs - REPORT_EVERY_MS)
                .build();
    }

    /** The assignments as HBase hands them to its balancer: each table with every server. */
    Map<TableName, Map<ServerName, List<RegionInfo>>> assignments() {
        Map<TableName, Map<ServerName, List<RegionInfo>>> byTable = new HashMap<>();
        regions.values().forEach(region -> byTable.computeIfAbsent(region.info.getTable(), table -> noRegions())
                .computeIfAbsent(servers.get(region.server), server -> new ArrayList<>())
                .add(region.info));
        return byTable;
    }

    private Map<ServerName, List<RegionInfo>> noRegions() {
        Map<ServerName, List<RegionInfo>> byServer = new HashMap<>();
        servers.forEach(server -> byServer.put(server, new ArrayList<>()));
        return byServer;
    }

    /** A plan of a balancer's is carried out. */
    void move(List<RegionPlan> plans) {
        plans.forEach(plan -> open(plan.getRegionInfo(), plan.getDestination()));
    }

    /** Regions land where a balancer said. */
    void open(Map<ServerName, List<RegionInfo>> assigned) {
        assigned.forEach((server, ofServer) -> ofServer.forEach(region -> open(region, server)));
    }

    private void open(RegionInfo info, ServerName server) {
        Region region = regions.get(info);
        Integer number = numberByServer.get(server);
        if (region == null || number == null) {
            throw new IllegalStateException("There is no " + info + " or no " + server + ".");
        }
        regionsByServer.get(region.server).remove(info);
        region.server = number;
        region.requests = 0;
        region.countedMs = nowMs;
        region.openings++;
        regionsByServer.get(number).put(info, region);
        master.opened(info, server, region.openings);
    }

    /** So large a part of the regions gets another load. */
    void drift(double share) {
        regions.values().forEach(region -> {
            if (random.nextDouble() < share) {
                region.perSecond = rate();
            }
        });
    }

    /** A server dies and starts again at once, without its regions: these, and who may be given them. */
    Crash crash() {
        int number = random.nextInt(servers.size());
        ServerName dead = servers.get(number);
        List<ServerName> others = new ArrayList<>(servers);
        others.remove(dead);
        ServerName restarted = ServerName.valueOf(dead.getHostname(), PORT, nowMs);
        servers.set(number, restarted);
        numberByServer.remove(dead);
        numberByServer.put(restarted, number);
        live.remove(dead);
        return new Crash(List.copyOf(regionsByServer.get(number).keySet()), others);
    }

    /** What the master has to place. Immutable. */
    record Crash(List<RegionInfo> regions, List<ServerName> servers) {}
}
