package io.hearth.web.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.ConfigProblem;
import io.hearth.balancer.config.MapSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageSettingsTest {

    @Test
    void thePageIsOnAndItsActionsAreOff() {
        PageSettings.Reading reading = read(Map.of());

        assertThat(reading.config()).isEqualTo(new PageConfig(true, false, 60_000));
        assertThat(reading.problems()).isEmpty();
    }

    @Test
    void whatCanNotBeReadSwitchesNothingOn() {
        PageSettings.Reading reading = read(Map.of(
                "hearth.page.enabled", "ja",
                "hearth.page.actions", "1",
                "hearth.page.sample.ms", "0",
                "hearth.page.action", "true"));

        assertThat(reading.config()).isEqualTo(new PageConfig(false, false, 60_000));
        assertThat(reading.problems())
                .extracting(ConfigProblem::message)
                .containsExactlyInAnyOrder(
                        "hearth.page.enabled = 'ja' in hbase-site.xml can't be used: it must be true or false. false is used"
                                + " instead.",
                        "hearth.page.actions = '1' in hbase-site.xml can't be used: it must be true or false. false is used"
                                + " instead.",
                        "hearth.page.sample.ms = '0' in hbase-site.xml can't be used: it must be a time from 1000 to"
                                + " 3600000 ms (a number, or one like 30s or 10m). 60000 is used instead.",
                        "hearth.page.action in hbase-site.xml is not a key of Hearth and has no effect. The nearest known key"
                                + " is hearth.page.actions.");
    }

    private static PageSettings.Reading read(Map<String, String> values) {
        return PageSettings.read("hbase-site.xml", new MapSettings(values));
    }
}
