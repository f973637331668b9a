// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.engine.BalanceEngine.PlanInput;
import io.hearth.balancer.plan.RegionReason;
import io.hearth.balancer.plan.RejectedStockMove;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Says of single regions what a run of the balancer would do with them now, and why. It has a dry run made, takes what that
 * planned from, and plans on it again outside of the balancer's lock; in several orders and with a time of its own, where a run over many
 * tables plans in one. Thread-safe.
 */
public final class RegionExplainer {

    private static final String CANARY = "it is a canary region, and one of these is kept on each server";

    private final BalanceEngine engine;
    private final DryRun dryRun;
    private final DirectedPlanner planner;

    /** A run of this engine that moves nothing. */
    @FunctionalInterface
    public interface DryRun {

        /** Whether there could be a run now. */
        boolean run() throws IOException;
    }

    /** There can be no run now. */
    public static final class NoRunException extends IOException {

        private static final long serialVersionUID = 1;
    }

    /**
     * A region to be explained, as whoever asks sees it.
     *
     * @param server on which it is open; empty where it is on none
     * @param isServerDraining whether HBase lets that server be emptied: it is draining or decommissioned
     */
    public record AskedRegion(
            EncodedRegionName region, TableId table, Optional<ServerId> server, boolean isServerDraining) {}

    public RegionExplainer(BalanceEngine engine, DryRun dryRun, DirectedPlanner planner) {
        this.engine = engine;
        this.dryRun = dryRun;
        this.planner = planner;
    }

    /**
     * What becomes of each of these regions; of one that no plan of the run is about, why there is none.
     *
     * @throws NoRunException if there can be no run now
     */
    public List<RegionReason> explain(Collection<AskedRegion> asked) throws IOException {
        Set<EncodedRegionName> regions =
                asked.stream().map(AskedRegion::region).collect(Collectors.toCollection(LinkedHashSet::new));
        RunRecorder listener = new RunRecorder(regions);
        engine.addPlanListener(listener);
        try {
            if (!dryRun.run()) {
                throw new NoRunException();
            }
        } finally {
            engine.removePlanListener(listener);
        }
        // A run of the master's own may have come between: of two plans for one region the last one counts.
        Map<String, RegionReason> reasons = new LinkedHashMap<>();
        listener.plans.forEach(
                plan -> planner.explain(plan.input().snapshot(), plan.input().goals(), regions)
                        .reasons(regions)
                        .forEach(reason -> reasons.put(
                                reason.region(),
                                plan.whyNotCarriedOut().map(reason::asAdvice).orElse(reason))));
        // Where the stock balancer would move it, what becomes of that tells more than that load asks for no move.
        listener.rejected.forEach((region, move) -> reasons.put(region.encodedName(), RegionReason.of(move)));
        asked.forEach(one -> stockMove(one, listener).ifPresent(move -> reasons.put(move.region(), move)));
        asked.forEach(one -> reasons.computeIfAbsent(one.region().encodedName(), name -> withoutPlan(one, listener)));
        return new ArrayList<>(reasons.values());
    }

    private static Optional<RegionReason> stockMove(AskedRegion one, RunRecorder run) {
        return one.server().flatMap(from -> Optional.ofNullable(run.accepted.get(one.region()))
                .map(to -> RegionReason.ofStockMove(one.region(), one.table(), from, to)));
    }

    private boolean isCanary(AskedRegion one) {
        return engine.canaries()
                .filter(canaries -> canaries.table().equals(one.table()))
                .isPresent();
    }

    private RegionReason withoutPlan(AskedRegion one, RunRecorder run) {
        UnmovedReason reason = UnmovedReason.NO_PLAN;
        if (one.server().isEmpty()) {
            reason = UnmovedReason.REGION_NOT_OPEN;
        } else if (one.isServerDraining()) {
            reason = UnmovedReason.SERVER_DRAINING;
        } else if (engine.tracker().isOff()) {
            reason = UnmovedReason.BALANCER_OFF;
        }
        Optional<String> why = reason == UnmovedReason.NO_PLAN
                ? Optional.of(isCanary(one) ? CANARY : run.whyNotPlanned(one))
                : Optional.empty();
        return RegionReason.withoutPlan(one.region(), one.table(), one.server(), reason, why);
    }

    /** What a run says of these regions. Thread-safe. */
    private static final class RunRecorder implements PlanListener {

        /** As HBase names all tables, where it does not balance each of them by itself. */
        private static final String ALL_TABLES = "hbase:ensemble";

        private static final String NOT_IN_RUN = "the run was not about it; ask again, it may have moved meanwhile";

        /** What one plan of a run would have been about, seen from one server. */
        private record NotPlanned(String scope, ServerId server) {}

        /** What a plan was made of, and why it is not carried out; empty where it is. */
        private record RecordedPlan(PlanInput input, Optional<String> whyNotCarriedOut) {}

        private final Set<EncodedRegionName> regions;
        private final List<RecordedPlan> plans = new CopyOnWriteArrayList<>();
        private final Map<EncodedRegionName, ServerId> accepted = new ConcurrentHashMap<>();
        private final Map<EncodedRegionName, RejectedStockMove> rejected = new ConcurrentHashMap<>();
        private final Map<NotPlanned, String> whyNotPlanned = new ConcurrentHashMap<>();

        RunRecorder(Set<EncodedRegionName> regions) {
            this.regions = regions;
        }

        @Override
        public void planned(PlanInput input, Decision decision) {
            Set<EncodedRegionName> planned = of(input.snapshot());
            if (!planned.isEmpty()) {
                plans.add(new RecordedPlan(input, decision.whyNotCarriedOut()));
                rejected.keySet().removeAll(planned);
                accepted.keySet().removeAll(planned);
            }
        }

        @Override
        public void notPlanned(String scope, Set<ServerId> servers, String why) {
            servers.forEach(server -> whyNotPlanned.put(new NotPlanned(scope, server), why));
        }

        /** Why the run had no plan for this region, as the end of a sentence. */
        String whyNotPlanned(AskedRegion region) {
            return Stream.of(region.table().name(), ALL_TABLES)
                    .flatMap(scope -> region.server().map(server -> new NotPlanned(scope, server)).stream())
                    .flatMap(notPlanned -> Stream.ofNullable(whyNotPlanned.get(notPlanned)))
                    .findFirst()
                    .orElse(NOT_IN_RUN);
        }

        @Override
        public void stockPlanReviewed(StockPlanReview review) {
            for (EncodedRegionName region : regions) {
                if (review.rejected().containsKey(region)) {
                    accepted.remove(region);
                    rejected.put(region, review.rejected().get(region));
                } else if (review.accepted().containsKey(region)) {
                    rejected.remove(region);
                    accepted.put(region, review.accepted().get(region));
                }
            }
        }

        /** Those of the regions that this snapshot has. */
        private Set<EncodedRegionName> of(ClusterState snapshot) {
            Set<EncodedRegionName> found = new HashSet<>();
            for (ServerState server : snapshot.servers()) {
                for (RegionState region : server.regions()) {
                    if (regions.contains(region.region())) {
                        found.add(region.region());
                    }
                }
            }
            return found;
        }
    }
}
