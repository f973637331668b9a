package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.load.RegionId;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionState.State;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;

/**
 * Tells one opening of a region from the next: the master's open sequence number, which grows each time the region is opened
 * anywhere. Every read is of the master's memory; thread-safe.
 */
final class RegionOpenings {

    private RegionOpenings() {}

    /** The open sequence number under which the region is served now; empty where it is not served or not known. */
    static OptionalLong openSequence(Optional<MasterServices> master, RegionId region) {
        return master.map(MasterServices::getAssignmentManager)
                .map(AssignmentManager::getRegionStates)
                .map(states -> states.getRegionStateNodeFromEncodedRegionName(region.encodedName()))
                .filter(RegionOpenings::isServed)
                .map(RegionStateNode::getOpenSeqNum)
                .filter(sequence -> sequence != HConstants.NO_SEQNUM)
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    /** While it opens the number is still that of the last opening. */
    private static boolean isServed(RegionStateNode node) {
        return node.isInState(State.OPEN, State.CLOSING, State.SPLITTING, State.MERGING);
    }
}
