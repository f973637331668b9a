// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.plan.PlannedMove.MoveScore;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MoveScoreTest {

    private static final OptionalLong BYTES = OptionalLong.of(7);
    private static final Map<Objective, Double> GAINS =
            Map.of(Objective.UNAVAILABILITY, -0.5, Objective.READS, 3.0, Objective.COLD_CACHE, 0.0);

    private final MoveScore score = new MoveScore(GAINS, BYTES);

    @Test
    void gainsAreThoseThatWereGivenInTheOrderOfObjectives() {
        assertThat(score.gainByObjective())
                .containsExactly(
                        Map.entry(Objective.READS, 3.0),
                        Map.entry(Objective.COLD_CACHE, 0.0),
                        Map.entry(Objective.UNAVAILABILITY, -0.5));
        assertThat(score.gain(Objective.READS)).isEqualTo(3);
        assertThat(score.gain(Objective.WRITES)).as("nothing was said of it").isZero();
        assertThat(score.net()).isEqualTo(2.5);
        assertThat(score.cost()).isEqualTo(0.5);
        assertThat(score.bytesToHeal()).hasValue(7);
    }

    @Test
    void theSameGainsAreTheSameScore() {
        assertThat(score).isEqualTo(new MoveScore(GAINS, BYTES)).hasSameHashCodeAs(new MoveScore(GAINS, BYTES));
        assertThat(score).isNotEqualTo(new MoveScore(GAINS, OptionalLong.empty()));
        assertThat(score)
                .isNotEqualTo(new MoveScore(Map.of(Objective.READS, 3.0, Objective.UNAVAILABILITY, -0.5), BYTES));
        assertThat(score)
                .hasToString("{readsPerSecond=3.0, coldCache=0.0, unavailability=-0.5}, bytes to heal OptionalLong[7]");
    }
}
