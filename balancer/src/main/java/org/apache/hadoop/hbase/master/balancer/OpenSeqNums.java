// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.hbase.OpenSeqNumSource;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionState.State;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.apache.hadoop.hbase.master.assignment.RegionStates;
import org.jspecify.annotations.NullMarked;

/**
 * Tells one opening of a region from the next: the master's open sequence number, which grows each time the region is opened
 * anywhere. Every read is of the master's memory; thread-safe.
 */
@NullMarked
final class OpenSeqNums {

    /** One in so many of the master's regions, and asking about each by its name takes as long as reading all of them. */
    private static final int READ_ALL_FROM = 10;

    private OpenSeqNums() {}

    /** The numbers of openings as this master knows them when they are asked for. */
    static OpenSeqNumSource source(Supplier<Optional<MasterServices>> master) {
        return new OpenSeqNumSource() {

            @Override
            public long of(ServerName server, String encodedName) {
                return openSeqNum(master.get(), server, encodedName).orElse(RegionReport.UNKNOWN);
            }

            @Override
            public OpenSeqNumSource forMany(int regions) {
                Collection<RegionStateNode> nodes = nodes(master.get());
                return regions * READ_ALL_FROM < nodes.size() || nodes.isEmpty() ? this : byServer(nodes);
            }
        };
    }

    private static Collection<RegionStateNode> nodes(Optional<MasterServices> master) {
        return states(master).map(RegionStates::getRegionStateNodes).orElse(List.of());
    }

    /**
     * HBase's {@code RegionStates} is a skip list: a lookup compares some twenty names, and an iteration takes one step for each. By
     * server, since a server's names stay in the processor's cache while its report is read, and those of all do not.
     */
    private static OpenSeqNumSource byServer(Collection<RegionStateNode> nodes) {
        Map<ServerName, Map<String, RegionStateNode>> nodesByServer = new HashMap<>();
        for (RegionStateNode node : nodes) {
            ServerName server = node.getRegionLocation();
            if (server != null) {
                nodesByServer
                        .computeIfAbsent(server, first -> new HashMap<>())
                        .put(node.getRegionInfo().getEncodedName(), node);
            }
        }
        return (server, encodedName) -> openSeqNum(
                        Optional.ofNullable(
                                nodesByServer.getOrDefault(server, Map.of()).get(encodedName)),
                        server)
                .orElse(RegionReport.UNKNOWN);
    }

    private static Optional<RegionStates> states(Optional<MasterServices> master) {
        return master.map(MasterServices::getAssignmentManager).map(AssignmentManager::getRegionStates);
    }

    private static Optional<RegionStateNode> node(Optional<MasterServices> master, String encodedName) {
        return states(master).map(states -> states.getRegionStateNodeFromEncodedRegionName(encodedName));
    }

    /** The open sequence number under which this server serves the region now; empty where it does not or nobody knows. */
    static OptionalLong openSeqNum(Optional<MasterServices> master, ServerName server, String encodedName) {
        return openSeqNum(node(master, encodedName), server);
    }

    private static OptionalLong openSeqNum(Optional<RegionStateNode> region, ServerName server) {
        return region.filter(node -> isServed(node) && server.equals(node.getRegionLocation()))
                .map(RegionStateNode::getOpenSeqNum)
                .filter(sequence -> sequence != HConstants.NO_SEQNUM)
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    /** The number of the region's last opening anywhere; empty where it was never open or nobody knows. */
    static OptionalLong lastOpenSeqNum(Optional<MasterServices> master, String encodedName) {
        return node(master, encodedName)
                .map(RegionStateNode::getOpenSeqNum)
                .filter(sequence -> sequence != HConstants.NO_SEQNUM)
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    /** Whether some server serves the region now; false where nobody knows. */
    static boolean isServed(Optional<MasterServices> master, String encodedName) {
        return node(master, encodedName).filter(OpenSeqNums::isServed).isPresent();
    }

    /** While it opens the number is still that of the last opening. */
    private static boolean isServed(RegionStateNode node) {
        return node.isInState(State.OPEN, State.CLOSING, State.SPLITTING, State.MERGING);
    }
}
