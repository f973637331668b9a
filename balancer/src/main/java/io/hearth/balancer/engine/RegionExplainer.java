// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.engine.BalanceEngine.PlanInput;
import io.hearth.balancer.plan.RegionReason;
import io.hearth.balancer.plan.RejectedStockMove;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Says of single regions what a run of the balancer would do with them now, and why. It has a dry run made, takes what that
 * planned from, and plans on it again outside of the balancer's lock; in several orders and with a time of its own, where a run over many
 * tables plans in one. Thread-safe.
 */
public final class RegionExplainer {

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

    public RegionExplainer(BalanceEngine engine, DryRun dryRun, DirectedPlanner planner) {
        this.engine = engine;
        this.dryRun = dryRun;
        this.planner = planner;
    }

    /**
     * What becomes of these regions; one that no plan of the run is about is missing.
     *
     * @throws NoRunException if there can be no run now
     */
    public List<RegionReason> explain(Set<EncodedRegionName> regions) throws IOException {
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
        listener.inputs.forEach(input -> planner.explain(input.snapshot(), input.goals(), regions)
                .reasons(regions)
                .forEach(reason -> reasons.put(reason.region(), reason)));
        // Where the stock balancer would move it, why that is not done tells more than that load asks for no move.
        listener.rejected.forEach((region, move) -> reasons.put(region.encodedName(), RegionReason.of(move)));
        return new ArrayList<>(reasons.values());
    }

    /** What a run says of these regions. Thread-safe. */
    private static final class RunRecorder implements PlanListener {

        private final Set<EncodedRegionName> regions;
        private final List<PlanInput> inputs = new CopyOnWriteArrayList<>();
        private final Map<EncodedRegionName, RejectedStockMove> rejected = new ConcurrentHashMap<>();

        RunRecorder(Set<EncodedRegionName> regions) {
            this.regions = regions;
        }

        @Override
        public void planned(PlanInput input) {
            Set<EncodedRegionName> planned = of(input.snapshot());
            if (!planned.isEmpty()) {
                inputs.add(input);
                rejected.keySet().removeAll(planned);
            }
        }

        @Override
        public void stockPlanReviewed(StockPlanReview review) {
            regions.forEach(region ->
                    Optional.ofNullable(review.rejected().get(region)).ifPresent(move -> rejected.put(region, move)));
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
