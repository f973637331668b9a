// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.RackManager;
import org.jspecify.annotations.NullMarked;

/**
 * A snapshot in HBase's own types, as the stock balancer wants it: region infos, cluster reports, racks and block
 * distributions. Regions of one primary are replicas of each other here too. Not thread-safe.
 */
@NullMarked
final class StockCluster {

    /** Time between two reports of which the stock balancer takes samples, in seconds (ClusterStatusChore). */
    private static final int SECONDS_PER_SAMPLE = 60;

    private static final long BYTES_PER_MEGABYTE = 1 << 20;

    private final ClusterState snapshot;
    private final List<ServerName> servers = new ArrayList<>();
    private final List<List<RegionInfo>> infosByServer = new ArrayList<>();
    private final Map<RegionInfo, EncodedRegionName> idByInfo = new HashMap<>();
    private final Map<RegionInfo, HDFSBlocksDistribution> blocksByInfo = new HashMap<>();

    StockCluster(ClusterState snapshot) {
        this.snapshot = snapshot;
        Map<EncodedRegionName, Integer> replicasByPrimary = new HashMap<>();
        for (int server = 0; server < snapshot.servers().size(); server++) {
            ServerId id = snapshot.serverId(server);
            servers.add(ServerName.valueOf(id.host(), id.port(), id.startCode()));
            List<RegionInfo> infos = new ArrayList<>();
            for (RegionState region : snapshot.regionsOf(server)) {
                infos.add(add(region, replicasByPrimary));
            }
            infosByServer.add(infos);
        }
    }

    private RegionInfo add(RegionState region, Map<EncodedRegionName, Integer> replicasByPrimary) {
        boolean isPrimary = region.primary().equals(region.region());
        int replica = isPrimary ? 0 : replicasByPrimary.merge(region.primary(), 1, Integer::sum);
        byte[] key = region.primary().encodedName().getBytes(StandardCharsets.UTF_8);
        RegionInfo info = RegionInfoBuilder.newBuilder(
                        TableName.valueOf(region.table().name()))
                .setStartKey(key)
                .setRegionId(1)
                .setReplicaId(replica)
                .build();
        idByInfo.put(info, region.region());
        if (region.bytesByHost().isKnown()) {
            blocksByInfo.put(info, blocks(region.bytesByHost()));
        }
        return info;
    }

    /** Replicas are laid in layers, so that every host has its bytes and every byte is counted once. */
    private static HDFSBlocksDistribution blocks(LocalBytes local) {
        HDFSBlocksDistribution blocks = new HDFSBlocksDistribution();
        List<Map.Entry<String, Long>> hosts =
                new ArrayList<>(local.bytesByHost().entrySet());
        hosts.sort(Map.Entry.<String, Long>comparingByValue().reversed());
        long total = local.totalBytes().orElse(0);
        long most = hosts.isEmpty() ? 0 : hosts.get(0).getValue();
        blocks.addHostsAndBlockWeight(new String[] {"elsewhere"}, total - most);
        for (int layer = 0; layer < hosts.size(); layer++) {
            long below = layer + 1 < hosts.size() ? hosts.get(layer + 1).getValue() : 0;
            String[] inLayer =
                    hosts.subList(0, layer + 1).stream().map(Map.Entry::getKey).toArray(String[]::new);
            blocks.addHostsAndBlockWeight(inLayer, hosts.get(layer).getValue() - below);
        }
        return blocks;
    }

    /** Whether it is known of any region where its blocks are. */
    boolean knowsBlocks() {
        return !blocksByInfo.isEmpty();
    }

    EncodedRegionName encodedRegionName(RegionInfo info) {
        EncodedRegionName id = idByInfo.get(info);
        if (id == null) {
            throw new IllegalArgumentException("The stock balancer moves " + info + ", which it was not given.");
        }
        return id;
    }

    static ServerId serverId(ServerName server) {
        return new ServerId(server.getHostname(), server.getPort(), server.getStartCode());
    }

    /** The assignments, as the master passes them: by table, then by server; new lists on each call. */
    Map<TableName, Map<ServerName, List<RegionInfo>>> regionsByServerByTable() {
        Map<TableName, Map<ServerName, List<RegionInfo>>> all = new HashMap<>();
        for (int server = 0; server < servers.size(); server++) {
            for (RegionInfo info : infosByServer.get(server)) {
                all.computeIfAbsent(info.getTable(), table -> noRegions())
                        .getOrDefault(servers.get(server), new ArrayList<>())
                        .add(info);
            }
        }
        return all;
    }

    private Map<ServerName, List<RegionInfo>> noRegions() {
        Map<ServerName, List<RegionInfo>> byServer = new HashMap<>();
        servers.forEach(server -> byServer.put(server, new ArrayList<>()));
        return byServer;
    }

    /** The cluster's reports of this number, with counters that rise by each region's rate. */
    ClusterMetrics metrics(int sample) {
        Map<ServerName, ServerMetrics> live = new HashMap<>();
        for (int server = 0; server < servers.size(); server++) {
            List<RegionMetrics> regions = new ArrayList<>();
            for (int region = 0; region < infosByServer.get(server).size(); region++) {
                regions.add(metrics(
                        infosByServer.get(server).get(region),
                        snapshot.regionsOf(server).get(region),
                        sample));
            }
            live.put(
                    servers.get(server),
                    ServerMetricsBuilder.newBuilder(servers.get(server))
                            .setRegionMetrics(regions)
                            .build());
        }
        return ClusterMetricsBuilder.newBuilder().setLiveServerMetrics(live).build();
    }

    private static RegionMetrics metrics(RegionInfo info, RegionState region, int sample) {
        Size store = megabytes(region.plannedLoad().get(LoadDimension.STORE_SIZE));
        return RegionMetricsBuilder.newBuilder(info.getRegionName())
                .setReadRequestCount(count(region, LoadDimension.READS, sample))
                .setWriteRequestCount(count(region, LoadDimension.WRITES, sample))
                .setStoreFileSize(store)
                .setMemStoreSize(megabytes(region.plannedLoad().get(LoadDimension.MEMSTORE)))
                .build();
    }

    private static long count(RegionState region, LoadDimension dimension, int sample) {
        return Math.round(region.plannedLoad().get(dimension) * SECONDS_PER_SAMPLE * sample);
    }

    private static Size megabytes(double bytes) {
        return new Size(Math.round(bytes / BYTES_PER_MEGABYTE), Size.Unit.MEGABYTE);
    }

    RackManager racks() {
        Map<String, String> rackByHost = new HashMap<>();
        for (int server = 0; server < servers.size(); server++) {
            String rack = snapshot.server(server).rack();
            rackByHost.put(servers.get(server).getHostname(), rack.isEmpty() ? RackManager.UNKNOWN_RACK : rack);
        }
        return new RackManager() {
            @Override
            public String getRack(ServerName server) {
                return rackByHost.getOrDefault(server.getHostname(), UNKNOWN_RACK);
            }
        };
    }

    RegionLocationFinder finder() {
        return new RegionLocationFinder() {
            private final HDFSBlocksDistribution unknown = new HDFSBlocksDistribution();

            @Override
            public HDFSBlocksDistribution getBlockDistribution(RegionInfo info) {
                return blocksByInfo.getOrDefault(info, unknown);
            }
        };
    }
}
