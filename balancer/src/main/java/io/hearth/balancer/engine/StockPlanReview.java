// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.RejectedStockMove;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.planner.StockPlanValidator;
import io.hearth.balancer.planner.StockPlanValidator.Objection;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What of a plan that the stock balancer made (for region counts, locality or replicas) may be carried out: it knows nothing of
 * what is remembered between runs. Budgets of tables are for moves for heat, and bind no move of it. Immutable.
 *
 * @param accepted where the moves that are made take their regions
 * @param rejected the moves that are not made, by their regions
 * @param refusal why nothing is left of it for the sake of heat, the first objection; empty where something is, or heat had no part in it
 */
public record StockPlanReview(
        SortedMap<EncodedRegionName, ServerId> accepted,
        SortedMap<EncodedRegionName, RejectedStockMove> rejected,
        Optional<String> refusal) {

    /**
     * The review of a plan.
     *
     * @param excluded the servers that are given no regions, for which it is no different who plans
     * @param serverByRegion where the plan takes each region that it moves
     * @param atMs the time of the review, in milliseconds since 1970
     */
    public static StockPlanReview of(
            ClusterState cluster,
            PlanGoals goals,
            ExcludedServers excluded,
            Map<EncodedRegionName, ServerId> serverByRegion,
            long atMs) {
        return new Reviewer(cluster, goals, excluded, serverByRegion, atMs).review();
    }

    /** Scratch of one review. */
    private static final class Reviewer {

        private static final String MEETS =
                "it would come to a host or rack with another replica of its region, whose own move is not made";

        private final ClusterState snapshot;
        private final PlanGoals goals;
        private final ExcludedServers excluded;
        private final long atMs;
        /** The moves that are left to be reviewed. */
        private final SortedMap<EncodedRegionName, ServerId> kept = new TreeMap<>();

        private final Map<EncodedRegionName, Source> sourceByRegion = new HashMap<>();
        private final SortedMap<EncodedRegionName, RejectedStockMove> rejected = new TreeMap<>();

        private record Source(ServerId server, RegionState region) {}

        Reviewer(
                ClusterState cluster,
                PlanGoals goals,
                ExcludedServers excluded,
                Map<EncodedRegionName, ServerId> serverByRegion,
                long atMs) {
            this.goals = goals;
            this.excluded = excluded;
            this.atMs = atMs;
            snapshot = cluster.withoutTargets(excluded.reasonByServer().keySet());
            for (int server = 0; server < snapshot.servers().size(); server++) {
                for (RegionState region : snapshot.regionsOf(server)) {
                    ServerId target = serverByRegion.get(region.region());
                    if (target != null) {
                        kept.put(region.region(), target);
                        sourceByRegion.put(region.region(), new Source(snapshot.serverId(server), region));
                    }
                }
            }
        }

        StockPlanReview review() {
            rejectPinnedAndExcluded();
            Optional<String> objectionOfHeat = Optional.empty();
            int known;
            do {
                known = rejected.size();
                SortedMap<EncodedRegionName, Objection> hot = StockPlanValidator.wouldHeat(snapshot, goals, kept);
                hot.forEach((region, objection) -> reject(region, objection.reason(), objection.why()));
                objectionOfHeat = objectionOfHeat.or(
                        () -> hot.values().stream().map(Objection::why).findFirst());
                if (!rejected.isEmpty()) {
                    rejectWhatWouldMeet();
                }
            } while (rejected.size() > known && !kept.isEmpty());
            return new StockPlanReview(kept, rejected, kept.isEmpty() ? objectionOfHeat : Optional.empty());
        }

        private void rejectPinnedAndExcluded() {
            Map.copyOf(kept).forEach((region, target) -> {
                Pin pin = source(region).region().pin();
                String why = excluded.reasonByServer().get(target);
                if (binds(pin)) {
                    reject(region, UnmovedReason.of(pin), pin.reason());
                } else if (why != null) {
                    reject(region, UnmovedReason.NOT_A_TARGET, target + " is given no regions: " + why);
                }
            });
        }

        /** A plan that is cut short may bring replicas together that the whole of it kept apart. */
        private void rejectWhatWouldMeet() {
            Map<EncodedRegionName, UnmovedReason> meeting =
                    StockPlanValidator.replicasThatWouldMeet(snapshot, goals, kept);
            while (!meeting.isEmpty()) {
                meeting.forEach((region, reason) -> reject(region, reason, MEETS));
                meeting = StockPlanValidator.replicasThatWouldMeet(snapshot, goals, kept);
            }
        }

        private void reject(EncodedRegionName region, UnmovedReason reason, String why) {
            ServerId target = Objects.requireNonNull(kept.remove(region));
            Source source = source(region);
            rejected.put(
                    region,
                    new RejectedStockMove(atMs, region, source.region().table(), source.server(), target, reason, why));
        }

        private Source source(EncodedRegionName region) {
            return Objects.requireNonNull(sourceByRegion.get(region));
        }
    }

    /** Whether a pin holds against a plan that is not about heat. */
    private static boolean binds(Pin pin) {
        return switch (pin) {
            case IN_FLIGHT, COOL_DOWN, MOVED_MANUALLY, OSCILLATING -> true;
            case FREE, HEAT_UNKNOWN, SYSTEM_TABLE, INACTIVE, OTHER_TABLE, RESTING -> false;
        };
    }
}
