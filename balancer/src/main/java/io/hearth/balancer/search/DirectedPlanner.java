package io.hearth.balancer.search;

import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.snapshot.ClusterSnapshot;

/**
 * Plans the moves that bring every server near its fair share of heat, by going straight for the server that is farthest
 * above it.
 *
 * <p><b>Goals.</b> Max/mean of every dimension that matters at or below its target, with few moves. Nothing is planned while
 * every dimension is at or below its trigger, so that small swings move nothing.
 *
 * <p><b>Constraints.</b> A pinned region stays. A server's number of regions does not leave the slop around the mean, and
 * one that is outside is brought in. A region is moved at most once in a plan. Each move for the sake of heat lowers the
 * weighted unevenness (see {@code ServerLoads}), so that the search ends and never trades one dimension for a worse state of
 * all.
 *
 * <p><b>Algorithm.</b> (1) While a server has more regions than slop allows and another may take one, or one has fewer and
 * another may give one, the region goes whose move is best (or least bad) for evenness. (2) While a dimension is above its
 * target: take the server with the largest weighted excess; move the region whose move gains most; where no move gains,
 * exchange one of its hot regions for a cool one; where that gains nothing either, note why and leave this server and
 * dimension. A move costs one look at each region of one server for each other server.
 *
 * <p><b>Example.</b> One dimension, servers A with regions 4, 3, 2, 1 and B with 1, 1: the mean is 6 and A has 10. A region
 * {@code r} gains {@code 2 r (10 - 2 - r)} (in squared units), which is largest at {@code r = 4}: that one goes, both have
 * 6, and one move was enough.
 *
 * <p>A pure function of the snapshot and the goals: the same input gives the same plan. Thread-safe.
 */
public final class DirectedPlanner {

    /** The plan for this snapshot; without moves where nothing is above its trigger. */
    public Plan plan(ClusterSnapshot snapshot, PlanGoals goals) {
        return new PlanSearch(snapshot, goals).run();
    }
}
