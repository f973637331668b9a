package io.hearth.healing.plan;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.DataNodes;
import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.StoreFile;
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
 * @param room what the DataNode on that host may be given, net of earlier plans
 * @param budgetBytes the bytes that the plan may move, {@code Long.MAX_VALUE} for any number
 * @param aboutToBeRewritten whether a compaction that is queued is likely to replace this file
 */
public record PlanRequest(
        RegionId region,
        String host,
        RegionFiles files,
        DataNodes nodes,
        Map<String, List<OtherReader>> othersByFile,
        Optional<String> previousHost,
        Predicate<BlockId> underWay,
        TargetRoom room,
        long budgetBytes,
        Predicate<StoreFile> aboutToBeRewritten) {

    /** As where nothing is under way and hearth.heal.target.max.used.ratio is not set. */
    private static final TargetRoom ROOM = TargetRoom.upTo(0.9);

    public PlanRequest {
        othersByFile = Map.copyOf(othersByFile);
    }

    /** A request for a region of which no compaction is queued, on a host for which nothing is planned. */
    public PlanRequest(
            RegionId region,
            String host,
            RegionFiles files,
            DataNodes nodes,
            Map<String, List<OtherReader>> othersByFile,
            Optional<String> previousHost,
            Predicate<BlockId> underWay,
            long budgetBytes) {
        this(region, host, files, nodes, othersByFile, previousHost, underWay, ROOM, budgetBytes, file -> false);
    }

    /** A request for files that nobody else reads and that nobody moves. */
    public static PlanRequest of(RegionId region, String host, RegionFiles files, DataNodes nodes) {
        return new PlanRequest(region, host, files, nodes, Map.of(), Optional.empty(), block -> false, Long.MAX_VALUE);
    }
}
