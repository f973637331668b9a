package io.hearth.balancer.engine;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.plan.DimensionGoal;
import io.hearth.balancer.plan.NotMoved;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.snapshot.Pin;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Notices groups of servers that stay uneven because the regions that could help have been moved today: a region rests for as
 * long as others can do its work, and not while a server is too hot for {@value #PATIENCE_MS} ms. Not thread-safe.
 */
final class StuckServers {

    /** So long is a skew that can't be helped otherwise looked at before it is believed. */
    private static final long PATIENCE_MS = 3_600_000;

    /** A skew above this many times what a server may look too hot by chance is no swing that happens to last. */
    private static final double SWINGS = 6;

    /** And so many times the excess over 1 that the trigger allows. */
    private static final double FAR_ABOVE = 1.25;

    private final Map<String, Long> stuckSinceMs = new HashMap<>();

    /**
     * The servers whose regions are to rest no longer, after this plan for this group of servers.
     *
     * @param doubt how much larger than it is the most loaded server may look by chance, as a share of a server's mean load
     */
    Set<ServerId> restEndsOn(String group, Plan plan, PlanGoals goals, Map<LoadDimension, Double> doubt, long nowMs) {
        List<NotMoved> resting = plan.notMoved().stream()
                .filter(left -> left.pin() == Pin.RESTING && staysTooHot(left.because(), plan, goals, doubt))
                .toList();
        if (resting.isEmpty()) {
            stuckSinceMs.remove(group);
            return Set.of();
        }
        long sinceMs = Math.min(nowMs, stuckSinceMs.computeIfAbsent(group, first -> nowMs));
        return nowMs - sinceMs >= PATIENCE_MS
                ? resting.stream().map(NotMoved::server).collect(Collectors.toSet())
                : Set.of();
    }

    private static boolean staysTooHot(
            LoadDimension dimension, Plan plan, PlanGoals goals, Map<LoadDimension, Double> doubt) {
        DimensionGoal goal = goals.goalByDimension().get(dimension);
        double swings = SWINGS * doubt.getOrDefault(dimension, 0.0);
        return goal != null
                && plan.outcome(dimension).maxOverMeanAfter() - 1 > FAR_ABOVE * (goal.trigger() - 1) + swings;
    }
}
