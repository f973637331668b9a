// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.bench.plan.Statistics;
import io.hearth.bench.plan.family.EvennessCertificate.ServerAbove;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.sim.oracle.PlanEvaluation;
import io.hearth.sim.oracle.RuleCheck;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Plans for one cluster of a family as a master does: carries out each plan, and plans again with heat and blocks unchanged until
 * nothing moves. Not thread-safe: times are those of a JVM that does nothing else.
 */
public final class FamilyBench {

    /** What is asked of the first plan, in multiples of the lower bound. */
    private static final double OVER_BOUND = 1.05;

    /** The same in multiples of a goal's target, where the goal asks for less: the last moves that gain next to nothing are dropped. */
    private static final double OVER_TARGET = 1.01;

    private static final int MEASUREMENTS = 3;

    /** A plan is measured again only within this time, in nanoseconds. */
    private static final long MEASURE_NANOS = 3_000_000_000L;

    private final DirectedPlanner planner = new DirectedPlanner();
    private final LongSupplier cpuNanoTime;

    /** @param cpuNanoTime the processor time of this thread, in nanoseconds */
    public FamilyBench(LongSupplier cpuNanoTime) {
        this.cpuNanoTime = cpuNanoTime;
    }

    /** Plans until the JIT has seen enough, for this processor time. */
    public void warmUp(long millis) {
        long end = cpuNanoTime.getAsLong() + millis * 1_000_000;
        for (long seed = 1_000; cpuNanoTime.getAsLong() < end; seed++) {
            for (ClusterFamily family : ClusterFamily.values()) {
                FamilyInstance instance = new FamilyInstance(family, new FamilyInstance.Size(20, 40), seed);
                planner.plan(instance.cluster(), instance.goals());
            }
        }
    }

    /** Processor time of a plan for random heat of the size of this cluster, in milliseconds. */
    public double millisOfRandomHeat(FamilyInstance instance) {
        FamilyInstance random = instance.withRandomHeat();
        return timed(random.cluster(), random.goals()).cpuMillis();
    }

    /** A plan, and the processor time that making it takes. */
    private record TimedPlan(Plan plan, double cpuMillis) {}

    private TimedPlan timed(ClusterState cluster, PlanGoals goals) {
        List<Double> millis = new ArrayList<>();
        long begin = cpuNanoTime.getAsLong();
        long start;
        Plan plan;
        do {
            start = cpuNanoTime.getAsLong();
            plan = planner.plan(cluster, goals);
            millis.add((cpuNanoTime.getAsLong() - start) / 1e6);
        } while (millis.size() < MEASUREMENTS && cpuNanoTime.getAsLong() - begin < MEASURE_NANOS);
        return new TimedPlan(plan, Statistics.median(millis, each -> each));
    }

    /** What the plans for this cluster come to. */
    public FamilyResult measure(FamilyInstance instance) {
        ClusterState before = instance.cluster();
        PlanGoals goals = instance.goals();
        Map<LoadDimension, Double> bound = EvennessBound.of(before, goals);
        TimedPlan first = timed(before, goals);
        List<PlanEvaluation> plans = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        List<ServerAbove> above = new ArrayList<>();
        Map<EncodedRegionName, Integer> timesMoved = new HashMap<>();
        ClusterState now = before;
        do {
            Map<EncodedRegionName, ServerId> targets =
                    targets(plans.isEmpty() ? first.plan() : planner.plan(now, goals));
            targets.keySet().forEach(region -> timesMoved.merge(region, 1, Integer::sum));
            plans.add(PlanEvaluation.of(now, targets));
            ClusterState after = PlanEvaluation.applied(now, targets);
            for (String problem : RuleCheck.problems(now, after, goals)) {
                problems.add("after plan " + plans.size() + " " + problem);
            }
            if (plans.size() == 1) {
                above.addAll(new EvennessCertificate(after, goals, asked(before, goals, bound))
                        .all(1 + now.servers().size() / 20));
            }
            now = after;
        } while (plans.get(plans.size() - 1).moves() > 0 && plans.size() < FamilyResult.MOST_PLANS);
        int movedTwice =
                (int) timesMoved.values().stream().filter(times -> times > 1).count();
        return new FamilyResult(
                instance,
                PlanEvaluation.ofNoPlan(before),
                bound,
                plans,
                movedTwice,
                above,
                problems,
                first.cpuMillis());
    }

    /** Max/mean that is asked of the first plan; of a cluster in which nothing is above its trigger, that it stays so. */
    static Map<LoadDimension, Double> asked(ClusterState before, PlanGoals goals, Map<LoadDimension, Double> bound) {
        PlanEvaluation now = PlanEvaluation.ofNoPlan(before);
        Map<LoadDimension, Double> asked = new EnumMap<>(LoadDimension.class);
        Map<LoadDimension, Double> triggers = new EnumMap<>(LoadDimension.class);
        goals.goalByDimension().forEach((dimension, goal) -> {
            if (goal.weight() > 0) {
                double overBound = OVER_BOUND * bound.getOrDefault(dimension, 1.0);
                asked.put(dimension, Math.max(overBound, OVER_TARGET * goal.target()));
                triggers.put(dimension, goal.trigger());
            }
        });
        boolean needsNoPlan = triggers.entrySet().stream()
                .allMatch(trigger -> now.maxOverMean(trigger.getKey()) <= trigger.getValue());
        return needsNoPlan ? triggers : asked;
    }

    private static Map<EncodedRegionName, ServerId> targets(Plan plan) {
        return plan.moves().stream().collect(Collectors.toMap(PlannedMove::region, PlannedMove::to));
    }
}
