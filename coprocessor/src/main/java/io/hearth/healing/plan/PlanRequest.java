package io.hearth.healing.plan;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.DataNodes;
import io.hearth.healing.model.RegionFiles;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Everything that one plan is made from.
 *
 * @param host the host of the server that serves the region
 * @param nodes the DataNodes in their latest known state
 * @param sharersByFile for a store file's name, the hosts of servers whose regions read the same file through a reference
 *     or a link: their replicas are spared
 * @param underWay whether a move of this block was planned before and has not ended
 */
public record PlanRequest(
        RegionId region,
        String host,
        RegionFiles files,
        DataNodes nodes,
        SortedMap<String, SortedSet<String>> sharersByFile,
        Predicate<BlockId> underWay) {

    /** A request for files that nobody shares and that nobody moves. */
    public static PlanRequest of(RegionId region, String host, RegionFiles files, DataNodes nodes) {
        return new PlanRequest(region, host, files, nodes, new TreeMap<>(), block -> false);
    }
}
