// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.planner.DirectedPlanner;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How even the planner's first plan is beside what an exact solver found for a hundred small clusters. */
class SmallClusterPlanTest {

    /** What a plan aims at: above what most of these clusters can be at best, so that it goes on until nothing helps. */
    private static final long TARGET = 10_600;

    /** Of a hundred; 95 is what the planner is to come to. */
    private static final int WITHIN = 80;

    @Test
    void theFirstPlanIsWithinThreeHundredthsOfTheOptimum() {
        List<SolvedInstance> within = SolvedInstance.all().stream()
                .filter(known -> {
                    SmallInstance instance = new SmallInstance(known.seed());
                    return instance.most(planned(instance, Math.min(TARGET, known.allowed()))) <= known.allowed();
                })
                .toList();

        assertThat(within).hasSizeGreaterThanOrEqualTo(WITHIN);
    }

    /** The server of each region after the first plan. */
    private static int[] planned(SmallInstance instance, long target) {
        int[] servers = instance.servers();
        for (PlannedMove move : new DirectedPlanner()
                .plan(instance.cluster(), SmallInstance.goals(target))
                .moves()) {
            servers[SmallInstance.number(move.region())] = SmallInstance.number(move.to());
        }
        return servers;
    }
}
