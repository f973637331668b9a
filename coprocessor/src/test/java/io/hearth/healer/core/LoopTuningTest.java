// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.ExponentialBackoff;
import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.fakes.HealLimits;
import io.hearth.healer.fakes.HealPolicies;
import io.hearth.healer.move.MoveExecutor.DataNodeLimits;
import io.hearth.healer.move.MoveExecutor.MoveLimits;
import org.junit.jupiter.api.Test;

class LoopTuningTest {

    private static ExponentialBackoff retry(long pollMs) {
        HealingConfig config = new HealingConfig(
                true, 1.0, pollMs, 5_000, HealLimits.of(8, 4, 0), 30_000, 60_000, HealPolicies.usual());
        return LoopTuning.queue(config).backoff();
    }

    @Test
    void whatIsLeftIsLookedAtAgainAfterAPollAtFirst() {
        assertThat(retry(10_000)).isEqualTo(new ExponentialBackoff(10_000, 3_600_000));
        assertThat(retry(1_000)).isEqualTo(new ExponentialBackoff(1_000, 3_600_000));
    }

    @Test
    void aRarePollDoesNotMakeItRarer() {
        assertThat(retry(600_000)).isEqualTo(new ExponentialBackoff(10_000, 3_600_000));
    }

    /** After an alarm a quarter of the pace is a quarter of each limit that an operator has set, and of none where none is. */
    @Test
    void theLimitsOfClusterAndRacksFollowThePace() {
        HealLimitConfig limits = new HealLimitConfig(0, 4, 80, 200, 8, 0.02, 500);
        HealingConfig config = new HealingConfig(true, 1.0, 1_000, 5_000, limits, 30_000, 60_000, HealPolicies.usual());

        MoveLimits quarter = LoopTuning.moves(config, 0.25, 2, node -> new DataNodeLimits(4, 100));
        assertThat(quarter.clusterBytesPerSecond()).isEqualTo(50);
        assertThat(quarter.rackBytesPerSecond()).isEqualTo(20);
        HealingConfig unlimited = new HealingConfig(
                true, 1.0, 1_000, 5_000, HealLimits.of(8, 4, 0), 30_000, 60_000, HealPolicies.usual());
        assertThat(LoopTuning.moves(unlimited, 0.25, 2, node -> new DataNodeLimits(4, 100)))
                .extracting(MoveLimits::clusterBytesPerSecond, MoveLimits::rackBytesPerSecond)
                .containsExactly(0L, 0L);
    }
}
