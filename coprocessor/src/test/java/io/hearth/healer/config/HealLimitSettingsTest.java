// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.config.Setting;
import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Limits that somebody has mistyped: one line each, and healing goes on with what held before. */
class HealLimitSettingsTest {

    private static final HealLimitConfig DEFAULTS = read(Map.of()).config().limits();

    static List<Setting<?>> settings() {
        return HealLimitSettings.ALL;
    }

    @ParameterizedTest
    @MethodSource("settings")
    void aNegativeLimitIsOneLineAndTheDefaultHolds(Setting<?> setting) {
        for (String value : List.of("-1", "-64MB", "-0.5")) {
            HealingSettings.Reading reading = read(Map.of(setting.key(), value));

            assertThat(reading.problems())
                    .extracting(ConfigProblem::message)
                    .containsExactly(setting.key() + " = '" + value + "' in hbase-site.xml can't be used: it must be "
                            + setting.allowed() + ". " + setting.defaultValue() + " is used instead.");
            assertThat(reading.config().limits()).isEqualTo(DEFAULTS);
        }
    }

    @ParameterizedTest
    @CsvSource({"hearth.heal.cluster.moves", "hearth.heal.namenode.share", "hearth.heal.namenode.calls"})
    void aLimitThatWouldStopEverythingIsOneLine(String key) {
        HealingSettings.Reading reading = read(Map.of(key, "0"));

        assertThat(reading.problems()).hasSize(1);
        assertThat(reading.problems().get(0).message()).startsWith(key + " = '0' in hbase-site.xml can't be used: ");
        assertThat(reading.config().limits()).isEqualTo(DEFAULTS);
    }

    @ParameterizedTest
    @CsvSource({
        "hearth.heal.datanode.bandwidth",
        "hearth.heal.datanode.moves",
        "hearth.heal.rack.bandwidth",
        "hearth.heal.cluster.bandwidth"
    })
    void zeroLeavesItToHdfsOrMeansNoLimit(String key) {
        assertThat(read(Map.of(key, "0")).problems()).isEmpty();
        assertThat(read(Map.of(key, "0")).config().limits()).isEqualTo(DEFAULTS);
    }

    /** Nobody tells the HMaster what a DataNode's network card can do. */
    @Test
    void moreThanAnyNetworkCardIsTakenAndMoreThanATerabyteIsOneLine() {
        HealingSettings.Reading taken = read(Map.of("hearth.heal.datanode.bandwidth", "900GB"));
        assertThat(taken.problems()).isEmpty();
        assertThat(taken.config().limits().dataNodeBytesPerSecond()).isEqualTo(900L << 30);

        assertThat(read(Map.of("hearth.heal.datanode.bandwidth", "1000GB")).problems())
                .extracting(ConfigProblem::message)
                .containsExactly(
                        "hearth.heal.datanode.bandwidth = '1000GB' in hbase-site.xml can't be used: it must be a size from 0"
                                + " to 1000000000000 bytes per second (a number, or one like 64m or 1.5GB). 0 is used"
                                + " instead.");
    }

    private static HealingSettings.Reading read(Map<String, String> values) {
        return HealingSettings.read("hbase-site.xml", new MapSettings(values));
    }
}
