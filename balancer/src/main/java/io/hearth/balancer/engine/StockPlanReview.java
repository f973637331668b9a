// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.planner.StockPlanValidator;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What of a plan that the stock balancer made (for region counts, locality or replicas) may be carried out: it knows nothing of
 * what is remembered between runs. Budgets of tables are for moves for heat, and bind no move of it. Immutable.
 *
 * @param left the regions that stay where they are in spite of it, with the reason as the end of a sentence
 * @param refusal why nothing is left of it for the sake of heat, as one sentence; empty where something is, or heat had no part in it
 */
public record StockPlanReview(SortedMap<EncodedRegionName, String> left, Optional<String> refusal) {

    private static final String MEETS =
            "it would come to a host or rack with another replica of its region, whose own move is not made";

    /**
     * The review of a plan.
     *
     * @param excluded the servers that are given no regions, for which it is no different who plans
     * @param serverByRegion where the plan takes each region that it moves
     */
    public static StockPlanReview of(
            ClusterState cluster,
            PlanGoals goals,
            ExcludedServers excluded,
            Map<EncodedRegionName, ServerId> serverByRegion) {
        ClusterState snapshot = cluster.withoutTargets(excluded.reasonByServer().keySet());
        SortedMap<EncodedRegionName, String> left = new TreeMap<>();
        Map<EncodedRegionName, ServerId> kept = new TreeMap<>();
        for (int server = 0; server < snapshot.servers().size(); server++) {
            for (RegionState region : snapshot.regionsOf(server)) {
                ServerId target = serverByRegion.get(region.region());
                if (target != null) {
                    String why = excluded.reasonByServer().get(target);
                    if (binds(region.pin())) {
                        left.put(region.region(), region.pin().reason());
                    } else if (why != null) {
                        left.put(region.region(), target + " is given no regions: " + why);
                    } else {
                        kept.put(region.region(), target);
                    }
                }
            }
        }
        Optional<String> refusal = Optional.empty();
        int known;
        do {
            known = left.size();
            SortedMap<EncodedRegionName, String> hot = StockPlanValidator.wouldHeat(snapshot, goals, kept);
            leave(hot, kept, left);
            refusal = !hot.isEmpty() && kept.isEmpty() ? hot.values().stream().findFirst() : refusal;
            if (!left.isEmpty()) {
                leaveWhatWouldMeet(snapshot, goals, kept, left);
            }
        } while (left.size() > known && !kept.isEmpty());
        return new StockPlanReview(left, refusal);
    }

    private static void leave(
            SortedMap<EncodedRegionName, String> stay,
            Map<EncodedRegionName, ServerId> kept,
            SortedMap<EncodedRegionName, String> left) {
        left.putAll(stay);
        kept.keySet().removeAll(stay.keySet());
    }

    /** A plan that is cut short may bring replicas together that the whole of it kept apart. */
    private static void leaveWhatWouldMeet(
            ClusterState snapshot,
            PlanGoals goals,
            Map<EncodedRegionName, ServerId> kept,
            SortedMap<EncodedRegionName, String> left) {
        Set<EncodedRegionName> meeting = StockPlanValidator.replicasThatWouldMeet(snapshot, goals, kept);
        while (!meeting.isEmpty()) {
            meeting.forEach(region -> left.put(region, MEETS));
            kept.keySet().removeAll(meeting);
            meeting = StockPlanValidator.replicasThatWouldMeet(snapshot, goals, kept);
        }
    }

    /** Whether a pin holds against a plan that is not about heat. */
    private static boolean binds(Pin pin) {
        return switch (pin) {
            case IN_FLIGHT, COOL_DOWN, MOVED_MANUALLY, OSCILLATING -> true;
            case FREE, HEAT_UNKNOWN, SYSTEM_TABLE, INACTIVE, OTHER_TABLE, RESTING, TABLE_BUDGET -> false;
        };
    }
}
