// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.SloSettings.CanaryMark;
import io.hearth.balancer.config.SloSettings.SloConfig;
import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.TableId;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SloSettingsTest {

    private static SloConfig read(Map<String, String> site) {
        return BalancerConfig.read("hbase-site.xml", new MapSettings(site), key -> false)
                .slo();
    }

    @Test
    void nobodyMayBrakeUnlessTheSiteSaysSo() {
        assertThat(read(Map.of())).isEqualTo(new SloConfig("hearth_canary", false));
        assertThat(read(Map.of("hearth.slo.brake", "True")).mayBrake()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"ns:watch,ns:watch", "default:watch,watch", "w_1.x-2,w_1.x-2"})
    void theCanaryTableHasTheNameThatHBaseWrites(String value, String name) {
        assertThat(read(Map.of("hearth.slo.canary.table", value)).canaryTable()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:b:c", "-a", ".a", "a b", ":a", "default:", "a/b"})
    void whatIsNoNameOfATableIsOneLine(String value) {
        BalancerConfig config = BalancerConfig.read(
                "hbase-site.xml", new MapSettings(Map.of("hearth.slo.canary.table", value)), key -> false);

        assertThat(config.slo().canaryTable()).isEqualTo("hearth_canary");
        assertThat(config.problems())
                .extracting(ConfigProblem::message)
                .containsExactly("hearth.slo.canary.table = '" + value + "' in hbase-site.xml can't be used: it must be"
                        + " the name of a table. hearth_canary is used instead.");
    }

    @Test
    void onlyATableThatSaysSoIsACanaryTable() {
        TableId table = new TableId("hearth_canary");

        assertThat(CanaryMark.read(table, new MapSettings(Map.of())).isCanary()).isFalse();
        assertThat(CanaryMark.read(table, new MapSettings(Map.of("HEARTH_CANARY", "true")))
                        .isCanary())
                .isTrue();
        CanaryMark unreadable = CanaryMark.read(table, new MapSettings(Map.of("HEARTH_CANARY", "yes")));
        assertThat(unreadable.isCanary()).isFalse();
        assertThat(unreadable.problems())
                .extracting(ConfigProblem::message)
                .containsExactly("HEARTH_CANARY = 'yes' in table hearth_canary can't be used: it must be true or false."
                        + " false is used instead.");
    }
}
