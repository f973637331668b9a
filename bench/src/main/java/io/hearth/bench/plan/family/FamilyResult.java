// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import io.hearth.bench.plan.family.EvennessCertificate.ServerAbove;
import io.hearth.common.model.LoadDimension;
import io.hearth.sim.oracle.PlanEvaluation;
import java.util.List;
import java.util.Map;

/**
 * What the plans for one cluster came to, one after the other with heat unchanged, until one moves nothing or there were ten.
 * Immutable.
 *
 * @param before the cluster before all of them
 * @param bound max/mean below which no plan can come, of each dimension that counts
 * @param plans the cluster after each plan; moves and bytes are of that plan alone. The first is there though it moves nothing
 * @param movedTwice regions that more than one of the plans moved
 * @param above servers above what is asked after the first plan
 * @param problems hard rules that do not hold after the first plan, or after a later one
 * @param cpuMillis processor time of the first plan, in milliseconds
 */
public record FamilyResult(
        FamilyInstance instance,
        PlanEvaluation before,
        Map<LoadDimension, Double> bound,
        List<PlanEvaluation> plans,
        int movedTwice,
        List<ServerAbove> above,
        List<String> problems,
        double cpuMillis) {

    /** The most plans for one cluster. */
    public static final int MOST_PLANS = 10;

    public FamilyResult {
        bound = Map.copyOf(bound);
        plans = List.copyOf(plans);
        above = List.copyOf(above);
        problems = List.copyOf(problems);
    }

    PlanEvaluation first() {
        return plans.get(0);
    }

    PlanEvaluation last() {
        return plans.get(plans.size() - 1);
    }

    /** How many servers are planned together. */
    int servers() {
        return instance.family().plannedServers(instance.size().servers());
    }

    double bound(LoadDimension dimension) {
        return bound.getOrDefault(dimension, 1.0);
    }

    int movesOfSecond() {
        return plans.size() > 1 ? plans.get(1).moves() : 0;
    }

    int movesOfAll() {
        return plans.stream().mapToInt(PlanEvaluation::moves).sum();
    }

    /** How many plans moved something. */
    int plansThatMove() {
        return (int) plans.stream().filter(plan -> plan.moves() > 0).count();
    }

    /** Whether a plan moved nothing in the end. */
    boolean stands() {
        return last().moves() == 0;
    }

    double gigabytesOfFirst() {
        return first().bytesToHeal() / 1e9;
    }

    double gigabytesOfAll() {
        return plans.stream().mapToLong(PlanEvaluation::bytesToHeal).sum() / 1e9;
    }
}
