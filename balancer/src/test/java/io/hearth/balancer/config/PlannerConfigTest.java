// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.BalancerConfig.PlannerConfig;
import org.junit.jupiter.api.Test;

class PlannerConfigTest {

    @Test
    void soManyMovesAsTheMasterCanCarryOutButOneAtLeast() {
        PlannerConfig five = new PlannerConfig(10_000, 5);

        assertThat(five.movesWithin(300_000)).isEqualTo(1_500);
        assertThat(five.movesWithin(999)).isEqualTo(4);
        assertThat(five.movesWithin(100)).isEqualTo(1);
        assertThat(five.movesWithin(0)).isEqualTo(1);
        assertThat(five.movesWithin(-300_000)).isEqualTo(1);
        assertThat(five.movesWithin(1L << 50)).isEqualTo(Integer.MAX_VALUE);
    }
}
