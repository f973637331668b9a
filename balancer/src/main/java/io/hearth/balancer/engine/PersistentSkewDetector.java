// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.plan.UnmovedRegion;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Notices groups of servers that stay uneven after a shift of load because the regions that could help were moved today: what was
 * moved then was moved by the rates of a minute, which the means of the next half hour correct.
 *
 * <p>Where the load of no region of the group has certainly shifted within the last {@value #AFTERMATH_MS} ms, what looks uneven is more
 * likely to be a swing, and regions rest for as long as they should. Not thread-safe.
 */
final class PersistentSkewDetector {

    /** So long is a skew that can't be helped otherwise looked at before it is believed. */
    private static final long CONFIRM_MS = 1_800_000;

    /** A skew is believed above so many times the excess over 1 that the trigger allows, and what a server may look too hot by chance. */
    private static final double EXCESS_FACTOR = 1.25;

    /** So long after a shift what was moved by it is corrected: as long as regions rest. */
    private static final long AFTERMATH_MS = 86_400_000;

    /** A group that was not planned for so long begins anew. */
    private static final long FORGOTTEN_MS = 86_400_000;

    /** Since when a group is stuck, and when it was seen to be last. */
    private record PersistentSkew(long sinceMs, long lastMs) {}

    private final Map<String, PersistentSkew> skewByGroup = new HashMap<>();

    /**
     * The servers whose regions are to rest no longer, after this plan for this group of servers.
     *
     * @param noiseMargin how much larger than it is the most loaded server may look by chance, as a share of a server's mean load
     * @param shiftedAtMs when the load of a region of this group last shifted, in milliseconds; asked only where regions rest
     */
    Set<ServerId> restEndsOn(
            String group,
            Plan plan,
            PlanGoals goals,
            Map<LoadDimension, Double> noiseMargin,
            LongSupplier shiftedAtMs,
            long nowMs) {
        skewByGroup.values().removeIf(known -> nowMs - known.lastMs() > FORGOTTEN_MS);
        List<UnmovedRegion> all = plan.unmovedRegions().stream()
                .filter(left -> left.reason() == UnmovedReason.RESTING)
                .toList();
        boolean isAfterAShift = !all.isEmpty() && shiftedAtMs.getAsLong() >= nowMs - AFTERMATH_MS;
        List<UnmovedRegion> resting = all.stream()
                .filter(left -> isAfterAShift && staysTooHot(left.because(), plan, goals, noiseMargin))
                .toList();
        if (resting.isEmpty()) {
            skewByGroup.remove(group);
            return Set.of();
        }
        PersistentSkew before = skewByGroup.get(group);
        long sinceMs = before == null ? nowMs : Math.min(nowMs, before.sinceMs());
        skewByGroup.put(group, new PersistentSkew(sinceMs, nowMs));
        return nowMs - sinceMs >= CONFIRM_MS
                ? resting.stream().map(UnmovedRegion::server).collect(Collectors.toSet())
                : Set.of();
    }

    private static boolean staysTooHot(
            LoadDimension dimension, Plan plan, PlanGoals goals, Map<LoadDimension, Double> noiseMargin) {
        DimensionGoal goal = goals.goalByDimension().get(dimension);
        return goal != null
                && plan.outcome(dimension).maxOverMeanAfter() - 1
                        > EXCESS_FACTOR * (goal.trigger() - 1) + noiseMargin.getOrDefault(dimension, 0.0);
    }
}
