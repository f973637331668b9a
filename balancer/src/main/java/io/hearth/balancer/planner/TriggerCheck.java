package io.hearth.balancer.planner;

import io.hearth.balancer.plan.DimensionGoal;
import io.hearth.common.model.LoadDimension;
import java.util.ArrayList;
import java.util.List;

/**
 * The servers above the trigger of a dimension before the search: what a plan for heat has to help. Where it cools none of
 * them by {@link io.hearth.balancer.plan.PlanLimits#minHotspotReduction} it is not worth its moves, for the next run would find the
 * same alarm and move again. Not thread-safe.
 */
final class TriggerCheck {

    private static final LoadDimension[] DIMENSION = LoadDimension.values();

    private final SearchContext context;
    private final List<TriggeredServer> triggered = new ArrayList<>();
    private boolean anyUnsolvable;

    private record TriggeredServer(int server, int dimension, double share) {}

    TriggerCheck(SearchContext context) {
        this.context = context;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            DimensionGoal goal = context.index.goals.goalByDimension().get(DIMENSION[dimension]);
            if (goal != null && context.index.counts(dimension)) {
                look(dimension, goal);
            }
        }
    }

    private void look(int dimension, DimensionGoal goal) {
        double leeway = goal.trigger() - goal.target();
        for (int server = 0; server < context.index.servers; server++) {
            double share = context.simulation.shares.share(server, dimension);
            if (share > context.rankings.threshold(server, dimension) + leeway) {
                triggered.add(new TriggeredServer(server, dimension, share));
            } else if (share > goal.trigger()) {
                anyUnsolvable = true;
            }
        }
    }

    /** Whether there is a server above its trigger for which something can be done. */
    boolean needPlan() {
        return !triggered.isEmpty();
    }

    /** Whether there is a server above its trigger at all, be it by one region alone or by what is pinned there. */
    boolean needExplanation() {
        return needPlan() || anyUnsolvable;
    }

    /** Whether one of the servers has come down far enough. */
    boolean anyImproved() {
        double minHotspotReduction = context.index.goals.limits().minHotspotReduction();
        for (TriggeredServer triggeredServer : triggered) {
            if (context.simulation.shares.share(triggeredServer.server, triggeredServer.dimension)
                    <= triggeredServer.share - minHotspotReduction) {
                return true;
            }
        }
        return false;
    }
}
