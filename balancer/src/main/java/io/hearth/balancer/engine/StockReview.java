package io.hearth.balancer.engine;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.search.HeatGuard;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.Pin;
import io.hearth.balancer.snapshot.RegionState;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What of a plan that the stock balancer made (for region counts, locality or replicas) may be carried out: it knows nothing of
 * what is remembered between runs. Immutable.
 *
 * @param left the regions that stay where they are in spite of it, with the reason
 * @param refusal why nothing of the rest is carried out either, as one sentence; empty where it is
 */
public record StockReview(SortedMap<RegionId, Pin> left, Optional<String> refusal) {

    /**
     * The review of a plan.
     *
     * @param serverByRegion where the plan takes each region that it moves
     */
    public static StockReview of(ClusterSnapshot snapshot, PlanGoals goals, Map<RegionId, ServerId> serverByRegion) {
        SortedMap<RegionId, Pin> left = new TreeMap<>();
        Map<RegionId, ServerId> kept = new TreeMap<>();
        Map<TableId, Integer> movesLeft = new HashMap<>(goals.limits().movesLeftByTable());
        for (int server = 0; server < snapshot.servers().size(); server++) {
            for (RegionState region : snapshot.regionsOf(server)) {
                ServerId target = serverByRegion.get(region.region());
                if (target != null) {
                    reason(region, movesLeft)
                            .ifPresentOrElse(
                                    pin -> left.put(region.region(), pin), () -> kept.put(region.region(), target));
                }
            }
        }
        return new StockReview(left, kept.isEmpty() ? Optional.empty() : HeatGuard.refusal(snapshot, goals, kept));
    }

    /** Why this region stays; uses up a move of its table where it does not. */
    private static Optional<Pin> reason(RegionState region, Map<TableId, Integer> movesLeft) {
        if (binds(region.pin())) {
            return Optional.of(region.pin());
        }
        Integer ofTable = movesLeft.computeIfPresent(region.table(), (table, moves) -> moves - 1);
        return ofTable != null && ofTable < 0 ? Optional.of(Pin.TABLE_BUDGET) : Optional.empty();
    }

    /** Whether a pin holds against a plan that is not about heat. */
    private static boolean binds(Pin pin) {
        return switch (pin) {
            case IN_FLIGHT, COOLING, MOVED_BY_HAND, FROZEN, TABLE_BUDGET -> true;
            case FREE, HEAT_UNKNOWN, SYSTEM_TABLE, NOT_HOT_ENOUGH, OTHER_TABLE -> false;
        };
    }
}
