// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import io.hearth.healer.hbase.AssignmentSnapshotBuilder.RegionLocation;
import io.hearth.healer.hbase.HealerRuntime.KnownRegions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The regions of a cluster as hbase:meta had them when it was read last, and those that were open by the reports of the last
 * poll. Thread-safe: a reader gets a whole version.
 */
final class MetaRegions implements KnownRegions {

    private static final int ROWS_AT_A_TIME = 1_000;
    private static final String REPLICA_PREFIX = HConstants.SERVER_QUALIFIER_STR + "_";
    private static final int HEX = 16;

    /**
     * One reading. Immutable.
     *
     * @param inOrder the regions that are not split, in the order of their names
     * @param serverByRegion where they were; without hbase:meta itself, and those that were nowhere
     */
    private record Reading(
            List<RegionInfo> inOrder,
            Map<String, RegionInfo> byName,
            Map<RegionInfo, ServerName> serverByRegion,
            Set<RegionInfo> split) {}

    private final Connection connection;
    private volatile Reading reading = new Reading(List.of(), Map.of(), Map.of(), Set.of());
    private volatile Map<RegionInfo, ServerName> serverByOpenRegion = Map.of();

    MetaRegions(Connection connection) {
        this.connection = connection;
    }

    /** Reads all of hbase:meta. */
    void read() throws IOException {
        List<RegionInfo> inOrder = new ArrayList<>();
        Map<RegionInfo, ServerName> servers = new HashMap<>();
        Set<RegionInfo> split = new HashSet<>();
        inOrder.add(RegionInfoBuilder.FIRST_META_REGIONINFO);
        Scan scan = new Scan().addFamily(HConstants.CATALOG_FAMILY).setCaching(ROWS_AT_A_TIME);
        try (Table meta = connection.getTable(TableName.META_TABLE_NAME);
                ResultScanner rows = meta.getScanner(scan)) {
            for (Result row : rows) {
                take(row, inOrder, servers, split);
            }
        }
        inOrder.sort(RegionInfo.COMPARATOR);
        Map<String, RegionInfo> byName = new HashMap<>(inOrder.size() * 4 / 3 + 1);
        inOrder.forEach(region -> byName.put(region.getEncodedName(), region));
        split.forEach(region -> byName.put(region.getEncodedName(), region));
        reading = new Reading(List.copyOf(inOrder), Map.copyOf(byName), Map.copyOf(servers), Set.copyOf(split));
    }

    /** A row has the region, and for each replica of it a server's column, the first without a number. */
    private static void take(
            Result row, List<RegionInfo> inOrder, Map<RegionInfo, ServerName> servers, Set<RegionInfo> split) {
        byte[] info = row.getValue(HConstants.CATALOG_FAMILY, HConstants.REGIONINFO_QUALIFIER);
        RegionInfo region = info == null ? null : RegionInfo.parseFromOrNull(info);
        if (region == null) {
            return;
        }
        if (region.isSplit()) {
            split.add(region);
            return;
        }
        for (byte[] column : row.getFamilyMap(HConstants.CATALOG_FAMILY).keySet()) {
            String name = Bytes.toString(column);
            if (name.equals(HConstants.SERVER_QUALIFIER_STR) || name.startsWith(REPLICA_PREFIX)) {
                String replica = name.substring(HConstants.SERVER_QUALIFIER_STR.length());
                RegionInfo served = replica.isEmpty()
                        ? region
                        : RegionReplicaUtil.getRegionInfoForReplica(
                                region, Integer.parseInt(replica.substring(1), HEX));
                inOrder.add(served);
                server(row, replica).ifPresent(server -> servers.put(served, server));
            }
        }
    }

    /** @param replica what the names of its columns end in */
    private static Optional<ServerName> server(Result row, String replica) {
        byte[] hostAndPort = column(row, HConstants.SERVER_QUALIFIER_STR + replica);
        byte[] startCode = column(row, HConstants.STARTCODE_QUALIFIER_STR + replica);
        return hostAndPort == null || hostAndPort.length == 0 || startCode == null || startCode.length == 0
                ? Optional.empty()
                : Optional.of(ServerName.valueOf(Bytes.toString(hostAndPort), Bytes.toLong(startCode)));
    }

    private static byte[] column(Result row, String name) {
        return row.getValue(HConstants.CATALOG_FAMILY, Bytes.toBytes(name));
    }

    /** Where hbase:meta had this region when it was read; empty where it had not. */
    Optional<ServerName> serverWhenRead(RegionInfo region) {
        return Optional.ofNullable(reading.serverByRegion().get(region));
    }

    /** The regions that are not split, in the order of their names. */
    List<RegionInfo> inOrder() {
        return reading.inOrder();
    }

    /** @param serverByRegion those that are open now */
    void opened(Map<RegionInfo, ServerName> serverByRegion) {
        serverByOpenRegion = Map.copyOf(serverByRegion);
    }

    @Override
    public Optional<RegionInfo> region(String encodedName) {
        return Optional.ofNullable(reading.byName().get(encodedName));
    }

    @Override
    public boolean isSplit(RegionInfo region) {
        return reading.split().contains(region);
    }

    @Override
    public List<RegionInfo> ofTable(TableName table) {
        return reading.inOrder().stream()
                .filter(region -> region.getTable().equals(table))
                .toList();
    }

    @Override
    public List<RegionLocation> open() {
        return serverByOpenRegion.entrySet().stream()
                .map(open -> new RegionLocation(open.getKey(), Optional.of(open.getValue())))
                .toList();
    }

    @Override
    public Optional<ServerName> openOn(RegionInfo region) {
        return Optional.ofNullable(serverByOpenRegion.get(region));
    }
}
