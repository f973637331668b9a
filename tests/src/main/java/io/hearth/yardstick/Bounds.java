package io.hearth.yardstick;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.RegionState;
import java.util.Arrays;
import java.util.Map;

/**
 * What no plan can do better on a snapshot, whatever it is pinned or forbidden to do (so these are bounds, not promises).
 *
 * <p>Evenness: every load is somewhere, so the largest share is at least 1; and the hottest region is on some server, at best
 * on one of the largest capacity. Moves: a server that is above a limit must give regions until it is not, and fewest are
 * given by giving the hottest first; in several dimensions it gives at least as many as the worst of them asks for.
 */
public final class Bounds {

    private Bounds() {}

    /** The least max/mean that any plan can reach in this dimension, at least 1. */
    public static double evenness(ClusterSnapshot snapshot, LoadDimension dimension) {
        double fairShare = fairShare(snapshot, dimension);
        if (!(fairShare > 0)) {
            return 1;
        }
        double hottest = 0;
        double mostCapacity = 0;
        for (int server = 0; server < snapshot.servers().size(); server++) {
            mostCapacity = Math.max(mostCapacity, snapshot.serverState(server).capacity());
            for (RegionState region : snapshot.regionsOf(server)) {
                hottest = Math.max(hottest, region.load().get(dimension));
            }
        }
        return Math.max(1, hottest / (fairShare * mostCapacity));
    }

    /** The fewest moves that can bring max/mean of each of these dimensions to its limit or below. */
    public static int moves(ClusterSnapshot snapshot, Map<LoadDimension, Double> limitByDimension) {
        int[] most = new int[snapshot.servers().size()];
        limitByDimension.forEach((dimension, limit) -> {
            double fairShare = fairShare(snapshot, dimension);
            for (int server = 0; server < most.length; server++) {
                double allowed =
                        limit * fairShare * snapshot.serverState(server).capacity();
                most[server] = Math.max(most[server], given(snapshot, server, dimension, allowed));
            }
        });
        return Arrays.stream(most).sum();
    }

    /** How many regions this server must give to have no more than is allowed. */
    private static int given(ClusterSnapshot snapshot, int server, LoadDimension dimension, double allowed) {
        double[] loads = snapshot.regionsOf(server).stream()
                .mapToDouble(region -> region.load().get(dimension))
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
    static double fairShare(ClusterSnapshot snapshot, LoadDimension dimension) {
        double load = Arrays.stream(snapshot.loadByServer(dimension)).sum();
        double capacity = 0;
        for (int server = 0; server < snapshot.servers().size(); server++) {
            capacity += snapshot.serverState(server).capacity();
        }
        return capacity > 0 ? load / capacity : 0;
    }
}
