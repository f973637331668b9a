// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.engine.BalanceEngine.DecisionLog;
import io.hearth.balancer.plan.Objective;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.Plan.LocalityOutcome;
import io.hearth.balancer.plan.Plan.RegionCountOutcome;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.plan.PlannedMove.MoveScore;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DecisionLogTest {

    private static final PlannedMove MOVE = new PlannedMove(
            new EncodedRegionName("r"),
            new TableId("t"),
            LoadVector.ZERO,
            new ServerId("a", 16020, 1),
            new ServerId("b", 16020, 1),
            Objective.READS,
            new MoveScore(Map.of(), OptionalLong.empty()),
            Optional.empty(),
            Optional.empty());

    private final DecisionLog log = new DecisionLog();

    private void decide(long atMs, int moves) {
        Plan plan = new Plan(
                Collections.nCopies(moves, MOVE),
                Map.of(),
                new RegionCountOutcome(0, 0, 0, 0, 0, 0),
                new LocalityOutcome(0, 0, 0),
                List.of(),
                Map.of());
        log.add(new Decision(atMs, "t", "a:16020", plan, Optional.empty(), false));
    }

    private List<Long> kept() {
        return log.newestFirst().stream().map(Decision::atMs).toList();
    }

    @Test
    void keepsTheLastFifty() {
        for (int number = 0; number < 60; number++) {
            decide(number, 1);
        }

        assertThat(kept()).hasSize(50).startsWith(59L, 58L).endsWith(10L);
    }

    @Test
    void whatSaysNothingIsNotKept() {
        decide(0, 0);

        assertThat(kept()).isEmpty();
    }

    @Test
    void largePlansAreKeptInSmallerNumber() {
        for (int number = 0; number < 10; number++) {
            decide(number, 6_000);
        }
        assertThat(kept()).containsExactly(9L, 8L, 7L);

        decide(10, 100_000);
        assertThat(kept()).as("the newest is always kept").containsExactly(10L);
    }
}
