// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.ExponentialBackoff;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.fakes.HealLimits;
import io.hearth.healer.fakes.HealPolicies;
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
}
