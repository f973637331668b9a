// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.oracle;

import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.LoadDimension;
import java.util.Arrays;
import java.util.Set;

/**
 * What no plan can do better on a snapshot, whatever it is pinned or forbidden to do (so these are bounds, not promises).
 *
 * <p>Evenness: every load is somewhere, so the largest share is at least 1; and the hottest region is on some server, at best
 * on one of the largest capacity. Moves: a server that is above a limit must give regions until it is not, and fewest are
 * given by giving the hottest first; in several dimensions it gives at least as many as the worst of them asks for. A server
 * with a region that alone is above a fair share has a limit of its own, so that it does not excuse all others.
 */
public final class LowerBounds {

    private LowerBounds() {}

    /** The least max/mean that any plan can reach in this dimension, at least 1. */
    public static double evenness(ClusterState snapshot, LoadDimension dimension) {
        double fairShare = fairShare(snapshot, dimension);
        if (!(fairShare > 0)) {
            return 1;
        }
        double hottest = 0;
        double mostCapacity = 0;
        for (int server = 0; server < snapshot.servers().size(); server++) {
            mostCapacity = Math.max(mostCapacity, snapshot.server(server).capacity());
            for (RegionState region : snapshot.regionsOf(server)) {
                hottest = Math.max(hottest, region.plannedLoad().get(dimension));
            }
        }
        return Math.max(1, hottest / (fairShare * mostCapacity));
    }

    /** The fewest moves that any plan needs to be as even as this in each of these dimensions. */
    public static int moves(ClusterState snapshot, PlanEvaluation asEvenAs, Set<LoadDimension> dimensions) {
        int[] most = new int[snapshot.servers().size()];
        for (LoadDimension dimension : dimensions) {
            double fairShare = fairShare(snapshot, dimension);
            for (int server = 0; server < most.length; server++) {
                double share = fairShare * snapshot.server(server).capacity();
                boolean isSpecial = hottest(snapshot, server, dimension) > share;
                double limit = isSpecial ? asEvenAs.maxOverMean(dimension) : asEvenAs.maxOverMeanOfOthers(dimension);
                most[server] = Math.max(most[server], given(snapshot, server, dimension, limit * share));
            }
        }
        return Arrays.stream(most).sum();
    }

    private static double hottest(ClusterState snapshot, int server, LoadDimension dimension) {
        return snapshot.regionsOf(server).stream()
                .mapToDouble(region -> region.plannedLoad().get(dimension))
                .max()
                .orElse(0);
    }

    /** How many regions this server must give to have no more than is allowed. */
    private static int given(ClusterState snapshot, int server, LoadDimension dimension, double allowed) {
        double[] loads = snapshot.regionsOf(server).stream()
                .mapToDouble(region -> region.plannedLoad().get(dimension))
                .sorted()
                .toArray();
        // A hair of rounding must not ask for a move.
        double excess = Arrays.stream(loads).sum() - allowed * (1 + 1e-9);
        int given = 0;
        while (excess > 0 && given < loads.length) {
            given++;
            excess -= loads[loads.length - given];
        }
        return given;
    }

    /** The load that a server of capacity 1 has when all have their fair share. */
    static double fairShare(ClusterState snapshot, LoadDimension dimension) {
        double load = Arrays.stream(snapshot.loadByServer(dimension)).sum();
        double capacity = 0;
        for (int server = 0; server < snapshot.servers().size(); server++) {
            capacity += snapshot.server(server).capacity();
        }
        return capacity > 0 ? load / capacity : 0;
    }
}
