// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.engine.BalanceEngine.PlanInput;
import io.hearth.balancer.plan.RegionReason;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Says of single regions what a run of the balancer would do with them now, and why. It has a dry run made, takes what that
 * planned from, and plans on it again outside of the balancer's lock. Thread-safe.
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
        List<PlanInput> inputs = new CopyOnWriteArrayList<>();
        Consumer<PlanInput> listener = input -> {
            if (has(input, regions)) {
                inputs.add(input);
            }
        };
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
        inputs.forEach(input -> planner.explain(input.snapshot(), input.goals(), regions)
                .reasons(regions)
                .forEach(reason -> reasons.put(reason.region(), reason)));
        return new ArrayList<>(reasons.values());
    }

    private static boolean has(PlanInput input, Set<EncodedRegionName> regions) {
        for (ServerState server : input.snapshot().servers()) {
            for (RegionState region : server.regions()) {
                if (regions.contains(region.region())) {
                    return true;
                }
            }
        }
        return false;
    }
}
