// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.engine.BalanceEngine.PlanInput;
import io.hearth.balancer.engine.RegionExplainer.DryRun;
import io.hearth.balancer.engine.RegionExplainer.NoRunException;
import io.hearth.common.model.ServerId;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a run of the balancer would do now: the decisions of a dry run that say something, in the order of the run, however many tables it
 * plans one by one. Immutable.
 *
 * @param isAnyMade whether there is any plan, be it to move nothing
 * @param notPlanned what there is no plan for and why, as a sentence without its full stop; empty where there is a plan for everything
 */
public record DryRunPlans(List<Decision> decisions, boolean isAnyMade, Optional<String> notPlanned) {

    public DryRunPlans {
        decisions = List.copyOf(decisions);
    }

    /**
     * Has a dry run made.
     *
     * @throws NoRunException if there can be no run now
     */
    public static DryRunPlans of(BalanceEngine engine, DryRun dryRun) throws IOException {
        DecisionRecorder recorder = new DecisionRecorder();
        engine.addPlanListener(recorder);
        try {
            if (!dryRun.run()) {
                throw new NoRunException();
            }
        } finally {
            engine.removePlanListener(recorder);
        }
        return recorder.plans();
    }

    /**
     * A run of the master's own may come between: of two decisions about one scope and group the last one counts. Of the groups of a scope
     * one may have a plan, and another none. Thread-safe.
     */
    private static final class DecisionRecorder implements PlanListener {

        private record Planned(String scope, String group) {}

        private final Map<Planned, Decision> decisions = new LinkedHashMap<>();
        private final Map<String, String> whyByScope = new TreeMap<>();

        @Override
        public synchronized void planned(PlanInput input, Decision decision) {
            decisions.put(new Planned(decision.scope(), decision.group()), decision);
        }

        @Override
        public synchronized void notPlanned(String scope, Set<ServerId> servers, String why) {
            whyByScope.put(scope, why);
        }

        @Override
        public void stockPlanReviewed(StockPlanReview review) {}

        synchronized DryRunPlans plans() {
            return new DryRunPlans(
                    decisions.values().stream().filter(Decision::isNotable).toList(),
                    !decisions.isEmpty(),
                    whyByScope.entrySet().stream().findFirst().map(this::text));
        }

        private String text(Map.Entry<String, String> first) {
            int others = whyByScope.size() - 1;
            return "No plan is made for " + first.getKey() + (others > 0 ? " and " + others + " more" : "") + ": "
                    + first.getValue();
        }
    }
}
