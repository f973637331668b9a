package io.hearth.balancer.planner;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The regions of a cluster that have least load in a dimension, the coldest first: what a server takes in place of hotter ones
 * where it may not have fewer. Ordered when first asked for. Scratch of one search; not thread-safe.
 */
final class ColdestRegions {

    /** So many are known in each dimension: enough to fill forty servers of a hundred regions. */
    private static final int MOST = 4096;

    private final PlanSimulation simulation;
    private final int[][] coldest = new int[PlanIndex.DIMENSIONS][];

    ColdestRegions(PlanSimulation simulation) {
        this.simulation = simulation;
    }

    /** Fills {@code into} with the coldest regions that may move and are not on this server. Returns their number. */
    int list(int dimension, int notOn, int[] into) {
        if (coldest[dimension] == null) {
            coldest[dimension] = order(simulation.index, dimension);
        }
        int found = 0;
        for (int region : coldest[dimension]) {
            if (found == into.length) {
                break;
            }
            if (simulation.isMovableForHeat(region) && simulation.serverOf[region] != notOn) {
                into[found++] = region;
            }
        }
        return found;
    }

    /** Sorts no more regions than are kept: there may be a million. */
    private static int[] order(PlanIndex index, int dimension) {
        double[] loads = IntStream.range(0, index.regions)
                .mapToDouble(region -> index.load(region, dimension))
                .toArray();
        Arrays.sort(loads);
        double limit = loads.length == 0 ? 0 : loads[Math.min(MOST, loads.length) - 1];
        return IntStream.range(0, index.regions)
                .filter(region -> index.load(region, dimension) <= limit)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer region) -> index.load(region, dimension))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(MOST)
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
