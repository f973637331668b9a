// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.RegionFiles.FilePart;
import io.hearth.healer.model.StoreFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Everything that one plan is made from.
 *
 * @param host the host of the server that serves the region
 * @param nodes the DataNodes in their latest known state
 * @param othersByFile for a store file's name, the other regions that read it
 * @param previousHost the host of the server that served the region before this one, if it was seen
 * @param underWay whether a move of this block was planned before and has not ended
 * @param headroom what the DataNode on that host may be given, net of earlier plans
 * @param budgetBytes the bytes that the plan may move, {@code Long.MAX_VALUE} for any number
 * @param compactionPending whether a compaction that is queued is likely to replace this file
 */
public record PlanRequest(
        EncodedRegionName region,
        String host,
        RegionFiles files,
        DataNodes nodes,
        Map<String, List<SharedFileReader>> othersByFile,
        Optional<String> previousHost,
        Predicate<BlockId> underWay,
        TargetHeadroom headroom,
        long budgetBytes,
        Predicate<StoreFile> compactionPending) {

    /** As where nothing is under way and hearth.heal.target.max.used.ratio is not set. */
    private static final TargetHeadroom HEADROOM = TargetHeadroom.upTo(0.9);

    public PlanRequest {
        othersByFile = Map.copyOf(othersByFile);
    }

    /** A request for a region of which no compaction is queued, on a host for which nothing is planned. */
    public PlanRequest(
            EncodedRegionName region,
            String host,
            RegionFiles files,
            DataNodes nodes,
            Map<String, List<SharedFileReader>> othersByFile,
            Optional<String> previousHost,
            Predicate<BlockId> underWay,
            long budgetBytes) {
        this(region, host, files, nodes, othersByFile, previousHost, underWay, HEADROOM, budgetBytes, file -> false);
    }

    /** The block without the replicas that don't count by what is known of their DataNodes now. */
    BlockReplicas counted(BlockReplicas block) {
        return block.on(node -> nodes.latest(node).state() != ServiceState.NOT_IN_SERVICE);
    }

    /** A request for files that nobody else reads and that nobody moves. */
    public static PlanRequest of(EncodedRegionName region, String host, RegionFiles files, DataNodes nodes) {
        return new PlanRequest(region, host, files, nodes, Map.of(), Optional.empty(), block -> false, Long.MAX_VALUE);
    }

    /**
     * Another region that reads a file, as far as a plan has to know it: the host of its server, where the replicas of what it
     * reads are not to be taken. Immutable.
     */
    public record SharedFileReader(String host, FilePart part) {}
}
