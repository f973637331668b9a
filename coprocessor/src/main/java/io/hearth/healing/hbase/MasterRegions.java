package io.hearth.healing.hbase;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.apache.hadoop.hbase.master.assignment.RegionStates;

/** The regions in the master's memory, asked by name. Asks nobody outside of the process. */
interface MasterRegions {

    /** The region of this encoded name, parents of splits included until HBase has cleaned them up. */
    Optional<RegionInfo> region(String encodedName);

    /** Whether this region was split: nobody serves it, and its daughters read its files. */
    boolean isSplit(RegionInfo region);

    /** The regions and region replicas of a table, without parents of splits. */
    List<RegionInfo> ofTable(TableName table);

    static MasterRegions of(RegionStates states) {
        return new MasterRegions() {
            @Override
            public Optional<RegionInfo> region(String encodedName) {
                return Optional.ofNullable(states.getRegionStateNodeFromEncodedRegionName(encodedName))
                        .map(RegionStateNode::getRegionInfo);
            }

            @Override
            public boolean isSplit(RegionInfo region) {
                RegionStateNode node = states.getRegionStateNode(region);
                return region.isSplitParent() || (node != null && node.isInState(RegionState.State.SPLIT));
            }

            @Override
            public List<RegionInfo> ofTable(TableName table) {
                return states.getRegionsOfTable(table);
            }
        };
    }
}
