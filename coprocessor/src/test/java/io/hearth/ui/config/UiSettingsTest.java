// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.ui.config.UiSettings.UiConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UiSettingsTest {

    @Test
    void thePageIsOnAndItsActionsAreOff() {
        UiSettings.Reading reading = read(Map.of());

        assertThat(reading.config()).isEqualTo(new UiConfig(true, false, 60_000));
        assertThat(reading.problems()).isEmpty();
    }

    @Test
    void whatCanNotBeReadSwitchesNothingOn() {
        UiSettings.Reading reading = read(Map.of(
                "hearth.ui.enabled", "ja",
                "hearth.ui.actions", "1",
                "hearth.ui.sample.ms", "0",
                "hearth.ui.action", "true"));

        assertThat(reading.config()).isEqualTo(new UiConfig(false, false, 60_000));
        assertThat(reading.problems())
                .extracting(ConfigProblem::message)
                .containsExactlyInAnyOrder(
                        "hearth.ui.enabled = 'ja' in hbase-site.xml can't be used: it must be true or false. false is used"
                                + " instead.",
                        "hearth.ui.actions = '1' in hbase-site.xml can't be used: it must be true or false. false is used"
                                + " instead.",
                        "hearth.ui.sample.ms = '0' in hbase-site.xml can't be used: it must be a time from 1000 to"
                                + " 3600000 ms (a number, or one like 30s or 10m). 60000 is used instead.",
                        "hearth.ui.action in hbase-site.xml is not a key of Hearth and has no effect. The nearest known key"
                                + " is hearth.ui.actions.");
    }

    private static UiSettings.Reading read(Map<String, String> values) {
        return UiSettings.read("hbase-site.xml", new MapSettings(values));
    }
}
