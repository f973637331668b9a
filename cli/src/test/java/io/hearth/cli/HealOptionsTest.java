// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.healer.config.HealPolicySettings.HealingMode;
import io.hearth.healer.config.HealWindows;
import io.hearth.healer.config.HealingSettings;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class HealOptionsTest {

    private static final HealingConfig SITE = HealingSettings.read(
                    "test",
                    new MapSettings(Map.of(
                            "hearth.heal.enabled", "false",
                            "hearth.heal.paused", "true",
                            "hearth.heal.windows", "never",
                            "hearth.heal.mode", "advise",
                            "hearth.heal.cluster.bandwidth", "7",
                            "hearth.heal.cluster.moves", "3")))
            .config();

    @Test
    void aPersonsOrderGoesBeforeWhatHoldsDaemonsBack() {
        HealingConfig options = new HealOptions(Optional.empty(), 0.9, false, false, OptionalLong.empty()).apply(SITE);

        assertThat(options.enabled()).isTrue();
        assertThat(options.threshold()).isEqualTo(0.9);
        assertThat(options.regionStableMs()).isZero();
        assertThat(options.policy().paused()).isFalse();
        assertThat(options.policy().windows()).isEqualTo(HealWindows.ALWAYS);
        assertThat(options.policy().mode()).isEqualTo(HealingMode.ACT);
        assertThat(options.limits().clusterBytesPerSecond()).isEqualTo(7);
        assertThat(options.limits().clusterMoves()).isEqualTo(3);
    }

    @Test
    void bandwidthAndDryRun() {
        HealingConfig options = new HealOptions(Optional.of(0L), 1, true, false, OptionalLong.empty()).apply(SITE);

        assertThat(options.limits().clusterBytesPerSecond()).isZero();
        assertThat(options.policy().mode()).isEqualTo(HealingMode.ADVISE);
    }
}
