// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.healer.hbase.AssignmentSnapshotBuilder.RegionLocation;
import io.hearth.healer.hbase.HealerRuntime.KnownRegions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.apache.hadoop.hbase.master.assignment.RegionStates;

/** The regions in the master's memory. Thread-safe. */
public final class MasterRegions implements KnownRegions {

    private final RegionStates states;

    MasterRegions(RegionStates states) {
        this.states = states;
    }

    /** Where the regions of these states are open, in the same order. */
    public static List<RegionLocation> locations(Collection<RegionStateNode> nodes) {
        List<RegionLocation> locations = new ArrayList<>(nodes.size());
        for (RegionStateNode node : nodes) {
            locations.add(new RegionLocation(node.getRegionInfo(), openOn(node)));
        }
        return locations;
    }

    private static Optional<ServerName> openOn(RegionStateNode node) {
        boolean open = node.isInState(RegionState.State.OPEN) && !node.isInTransition();
        return open ? Optional.ofNullable(node.getRegionLocation()) : Optional.empty();
    }

    List<RegionLocation> locations() {
        return locations(states.getRegionStateNodes());
    }

    @Override
    public Optional<RegionInfo> region(String encodedName) {
        return Optional.ofNullable(states.getRegionStateNodeFromEncodedRegionName(encodedName))
                .map(RegionStateNode::getRegionInfo);
    }

    @Override
    public boolean isSplit(RegionInfo region) {
        RegionStateNode node = states.getRegionStateNode(region);
        return node != null && node.isInState(RegionState.State.SPLIT);
    }

    @Override
    public List<RegionInfo> ofTable(TableName table) {
        return states.getRegionsOfTable(table);
    }

    @Override
    public List<RegionLocation> open() {
        return locations().stream()
                .filter(location -> location.openOn().isPresent())
                .toList();
    }

    @Override
    public Optional<ServerName> openOn(RegionInfo region) {
        return Optional.ofNullable(states.getRegionStateNode(region)).flatMap(MasterRegions::openOn);
    }
}
