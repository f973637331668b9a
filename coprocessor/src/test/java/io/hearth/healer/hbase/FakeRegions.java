// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.healer.hbase.HealerRuntime.KnownRegions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.util.Bytes;

/** A master's memory of regions, put together by a test. */
final class FakeRegions implements KnownRegions {

    private final List<RegionInfo> regions = new ArrayList<>();
    private final List<RegionInfo> split = new ArrayList<>();

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
    public List<RegionInfo> open() {
        return List.copyOf(regions);
    }

    @Override
    public List<RegionInfo> ofTable(TableName table) {
        return regions.stream()
                .filter(region -> region.getTable().equals(table))
                .toList();
    }
}
