package io.hearth.balancer.search;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.plan.DimensionGoal;
import java.util.ArrayList;
import java.util.List;

/**
 * The servers above the trigger of a dimension before the search: what a plan for heat has to help. Where it cools none of
 * them by {@link io.hearth.balancer.plan.PlanLimits#minRelief} it is not worth its moves, for the next run would find the
 * same alarm and move again. Not thread-safe.
 */
final class Alarms {

    private static final LoadDimension[] DIMENSION = LoadDimension.values();

    private final Workbench bench;
    private final List<Alarm> alarms = new ArrayList<>();
    private boolean anyWithoutHope;

    private record Alarm(int server, int dimension, double share) {}

    Alarms(Workbench bench) {
        this.bench = bench;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            DimensionGoal goal = bench.index.goals.goalByDimension().get(DIMENSION[dimension]);
            if (goal != null && bench.index.counts(dimension)) {
                look(dimension, goal);
            }
        }
    }

    private void look(int dimension, DimensionGoal goal) {
        double leeway = goal.trigger() - goal.target();
        for (int server = 0; server < bench.index.servers; server++) {
            double share = bench.simulation.shares.share(server, dimension);
            if (share > bench.rankings.bar(server, dimension) + leeway) {
                alarms.add(new Alarm(server, dimension, share));
            } else if (share > goal.trigger()) {
                anyWithoutHope = true;
            }
        }
    }

    /** Whether there is a server above its trigger for which something can be done. */
    boolean callForAPlan() {
        return !alarms.isEmpty();
    }

    /** Whether there is a server above its trigger at all, be it by one region alone or by what is pinned there. */
    boolean callForAnExplanation() {
        return callForAPlan() || anyWithoutHope;
    }

    /** Whether one of the servers has come down far enough. */
    boolean areHelped() {
        double minRelief = bench.index.goals.limits().minRelief();
        for (Alarm alarm : alarms) {
            if (bench.simulation.shares.share(alarm.server, alarm.dimension) <= alarm.share - minRelief) {
                return true;
            }
        }
        return false;
    }
}
