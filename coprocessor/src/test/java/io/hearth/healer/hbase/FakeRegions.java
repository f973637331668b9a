// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.healer.hbase.AssignmentSnapshotBuilder.RegionLocation;
import io.hearth.healer.hbase.HealerRuntime.KnownRegions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.util.Bytes;

/** A master's memory of regions, put together by a test. */
final class FakeRegions implements KnownRegions {

    private final List<RegionInfo> regions = new ArrayList<>();
    private final List<RegionInfo> split = new ArrayList<>();
    private final Map<RegionInfo, ServerName> serverByRegion = new HashMap<>();
    private final ServerName server = ServerName.valueOf("a1", 16020, 1);

    RegionInfo add(TableName table, String startKey, String endKey) {
        RegionInfo region = RegionInfoBuilder.newBuilder(table)
                .setStartKey(Bytes.toBytes(startKey))
                .setEndKey(Bytes.toBytes(endKey))
                .setRegionId(regions.size() + split.size())
                .build();
        regions.add(region);
        return region;
    }

    RegionInfo addReplica(RegionInfo primary, int number) {
        RegionInfo replica = RegionReplicaUtil.getRegionInfoForReplica(primary, number);
        regions.add(replica);
        return replica;
    }

    /** This region is open there, and not on the server of all others. */
    void move(RegionInfo region, String host) {
        serverByRegion.put(region, ServerName.valueOf(host, 16020, 1));
    }

    void remove(RegionInfo region) {
        regions.remove(region);
    }

    void split(RegionInfo parent) {
        regions.remove(parent);
        split.add(parent);
    }

    @Override
    public Optional<RegionInfo> region(String encodedName) {
        List<RegionInfo> all = new ArrayList<>(regions);
        all.addAll(split);
        return all.stream()
                .filter(region -> region.getEncodedName().equals(encodedName))
                .findFirst();
    }

    @Override
    public boolean isSplit(RegionInfo region) {
        return split.contains(region);
    }

    @Override
    public List<RegionLocation> open() {
        return regions.stream()
                .map(region -> new RegionLocation(region, openOn(region)))
                .toList();
    }

    @Override
    public Optional<ServerName> openOn(RegionInfo region) {
        return regions.contains(region) ? Optional.of(serverByRegion.getOrDefault(region, server)) : Optional.empty();
    }

    @Override
    public List<RegionInfo> ofTable(TableName table) {
        return regions.stream()
                .filter(region -> region.getTable().equals(table))
                .toList();
    }
}
