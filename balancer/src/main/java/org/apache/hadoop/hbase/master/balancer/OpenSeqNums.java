// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionState.State;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.jspecify.annotations.NullMarked;

/**
 * Tells one opening of a region from the next: the master's open sequence number, which grows each time the region is opened
 * anywhere. Every read is of the master's memory; thread-safe.
 */
@NullMarked
final class OpenSeqNums {

    private OpenSeqNums() {}

    /** The open sequence number under which this server serves the region now; empty where it does not or nobody knows. */
    static OptionalLong openSeqNum(Optional<MasterServices> master, ServerName server, String encodedName) {
        return master.map(MasterServices::getAssignmentManager)
                .map(AssignmentManager::getRegionStates)
                .map(states -> states.getRegionStateNodeFromEncodedRegionName(encodedName))
                .filter(node -> isServed(node) && server.equals(node.getRegionLocation()))
                .map(RegionStateNode::getOpenSeqNum)
                .filter(sequence -> sequence != HConstants.NO_SEQNUM)
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    /** The number of the region's last opening anywhere; empty where it was never open or nobody knows. */
    static OptionalLong lastOpenSeqNum(Optional<MasterServices> master, String encodedName) {
        return master.map(MasterServices::getAssignmentManager)
                .map(AssignmentManager::getRegionStates)
                .map(states -> states.getRegionStateNodeFromEncodedRegionName(encodedName))
                .map(RegionStateNode::getOpenSeqNum)
                .filter(sequence -> sequence != HConstants.NO_SEQNUM)
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    /** Whether some server serves the region now; false where nobody knows. */
    static boolean isServed(Optional<MasterServices> master, String encodedName) {
        return master.map(MasterServices::getAssignmentManager)
                .map(AssignmentManager::getRegionStates)
                .map(states -> states.getRegionStateNodeFromEncodedRegionName(encodedName))
                .filter(OpenSeqNums::isServed)
                .isPresent();
    }

    /** While it opens the number is still that of the last opening. */
    private static boolean isServed(RegionStateNode node) {
        return node.isInState(State.OPEN, State.CLOSING, State.SPLITTING, State.MERGING);
    }
}
