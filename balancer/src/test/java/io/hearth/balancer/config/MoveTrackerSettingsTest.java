// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.MoveTrackerConfig.ManualPinExemptions;
import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings.MapSettings;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MoveTrackerSettingsTest {

    @Test
    void aModeIsOneOfThreeWordsInAnyCase() {
        assertThat(MoveTrackerSettings.MODE.parse(" Advise ")).contains(BalancerMode.ADVISE);
        assertThat(MoveTrackerSettings.MODE.parse("oFF")).contains(BalancerMode.OFF);
        assertThat(MoveTrackerSettings.MODE.parse("ACT")).contains(BalancerMode.ACT);
        assertThat(BalancerConfig.read(
                                "hbase-site.xml",
                                new MapSettings(Map.of("hearth.balancer.mode", "shadow")),
                                key -> false)
                        .problems())
                .extracting(ConfigProblem::message)
                .containsExactly(
                        "hearth.balancer.mode = 'shadow' in hbase-site.xml can't be used: it must be act, advise or off."
                                + " advise is used instead.");
    }

    /** Broken (the default, which acts, takes its place): somebody who meant "advise" and wrote "advice" has regions moved. */
    @Test
    void aModeOrASwitchThatCannotBeReadDoesNotAct() {
        assertThat(read(Map.of("hearth.balancer.mode", "advice")).tracker().mode())
                .isEqualTo(BalancerMode.ADVISE);
        assertThat(read(Map.of("hearth.balancer.enabled", "no")).enabled()).isFalse();
        assertThat(read(Map.of()).tracker().mode()).isEqualTo(BalancerMode.ACT);
    }

    private static BalancerConfig read(Map<String, String> site) {
        return BalancerConfig.read("hbase-site.xml", new MapSettings(site), key -> false);
    }

    @Test
    void exemptPinsAreNoneAllOrNames() {
        assertThat(ManualPinExemptions.parse("None")).contains(ManualPinExemptions.NONE);
        assertThat(ManualPinExemptions.parse("ALL"))
                .hasValueSatisfying(all -> assertThat(all.contains("any")).isTrue());
        assertThat(ManualPinExemptions.parse("1588230740, 0AB "))
                .contains(new ManualPinExemptions(false, new TreeSet<>(Set.of("0ab", "1588230740"))))
                .hasValueSatisfying(names -> {
                    assertThat(names).hasToString("0ab,1588230740");
                    assertThat(names.contains("0ab")).isTrue();
                    assertThat(names.contains("0abc")).isFalse();
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "a,,b", "t,row,1.0ab.", "a b"})
    void whatIsNoEncodedNameIsRefused(String text) {
        assertThat(ManualPinExemptions.parse(text)).isEmpty();
    }

    @Test
    void theDefaultsAreWhatNothingSetGives() {
        assertThat(MoveTrackerConfig.DEFAULTS)
                .isEqualTo(BalancerConfig.read("test", new MapSettings(Map.of()), key -> false)
                        .tracker());
    }
}
