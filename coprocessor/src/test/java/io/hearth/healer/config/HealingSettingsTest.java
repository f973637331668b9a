// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.model.TableId;
import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import io.hearth.healer.config.HealPolicySettings.Fallback;
import io.hearth.healer.config.HealPolicySettings.HealPolicyConfig;
import io.hearth.healer.config.HealPolicySettings.HealingMode;
import io.hearth.healer.config.HealWindows.HealWindowsParser;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class HealingSettingsTest {

    private static final HealPolicyConfig CONDUCT = new HealPolicyConfig(
            HealingMode.ACT, false, HealWindows.ALWAYS, 10_000, 50, 0.9, Fallback.NONE, 1, 10_737_418_240L);
    private static final HealingConfig DEFAULTS = new HealingConfig(
            true, 1.0, 10_000, 30_000, new HealLimitConfig(0, 0, 0, 0, 1_000, 0.02, 500), 120_000, 120_000, CONDUCT);

    /** Where a value that can't be read may have been meant to hold healing back. */
    private static final List<Setting<?>> CAREFUL = List.of(
            HealingSettings.ENABLED, HealPolicySettings.MODE, HealPolicySettings.PAUSED, HealPolicySettings.WINDOWS);

    static Stream<Setting<?>> settings() {
        return HealingSettings.ALL.stream();
    }

    @Test
    void defaults() {
        HealingSettings.Reading reading = read(Map.of());

        assertThat(reading.config()).isEqualTo(DEFAULTS);
        assertThat(reading.problems()).isEmpty();
    }

    @Test
    void everyKeyIsRead() {
        HealingSettings.Reading reading = read(Map.ofEntries(
                Map.entry("hearth.heal.enabled", "false"),
                Map.entry("hearth.heal.threshold", "0.9"),
                Map.entry("hearth.heal.poll.ms", "2000"),
                Map.entry("hearth.heal.region.stable.ms", "3000"),
                Map.entry("hearth.heal.cluster.moves", "5"),
                Map.entry("hearth.heal.datanode.moves", "2"),
                Map.entry("hearth.heal.datanode.bandwidth", "7"),
                Map.entry("hearth.heal.rack.bandwidth", "8"),
                Map.entry("hearth.heal.cluster.bandwidth", "9"),
                Map.entry("hearth.heal.namenode.share", "0.5"),
                Map.entry("hearth.heal.namenode.calls", "6"),
                Map.entry("hearth.heal.move.timeout.ms", "4000"),
                Map.entry("hearth.heal.verify.timeout.ms", "5000")));

        assertThat(reading.config())
                .isEqualTo(new HealingConfig(
                        false, 0.9, 2_000, 3_000, new HealLimitConfig(7, 2, 8, 9, 5, 0.5, 6), 4_000, 5_000, CONDUCT));
        assertThat(reading.problems()).isEmpty();
    }

    @Test
    void everyKeyOfConductIsRead() {
        HealingSettings.Reading reading = read(Map.of(
                "hearth.heal.mode", "advise",
                "hearth.heal.paused", "true",
                "hearth.heal.windows", "sat, sun",
                "hearth.heal.reader.locations.max.age.ms", "2000",
                "hearth.heal.max.reverted.moves.per.hour", "7",
                "hearth.heal.target.max.used.ratio", "0.8",
                "hearth.heal.fallback", "Major-Compact",
                "hearth.heal.fallback.concurrent", "3",
                "hearth.heal.fallback.bytes.per.hour", "1000"));

        assertThat(reading.problems()).isEmpty();
        assertThat(reading.config().policy())
                .isEqualTo(new HealPolicyConfig(
                        HealingMode.ADVISE,
                        true,
                        HealWindowsParser.parse("sat, sun").orElseThrow(),
                        2_000,
                        7,
                        0.8,
                        Fallback.MAJOR_COMPACT,
                        3,
                        1_000));
    }

    @Test
    void theReadersIntervalIsHdfssWhereItIsSet() {
        assertThat(read(Map.of("dfs.client.refresh.read-block-locations.ms", "5000"))
                        .config()
                        .policy()
                        .readerLocationsMaxAgeMs())
                .isEqualTo(5_000);
        assertThat(read(Map.of("dfs.client.refresh.read-block-locations.ms", "0"))
                        .config()
                        .policy()
                        .readerLocationsMaxAgeMs())
                .isEqualTo(10_000);
        assertThat(read(Map.of("dfs.client.refresh.read-block-locations.ms", "9223372036854775807"))
                        .config()
                        .policy()
                        .readerLocationsMaxAgeMs())
                .as("as much as the key of Hearth's own may say")
                .isEqualTo(3_600_000);
    }

    @ParameterizedTest
    @MethodSource("settings")
    void aMalformedValueIsReportedAndTheDefaultIsUsed(Setting<?> setting) {
        HealingSettings.Reading reading = read(Map.of(setting.key(), "much"));

        assertThat(reading.problems()).hasSize(1);
        assertThat(reading.problems().get(0).message())
                .startsWith(setting.key() + " = 'much' in hbase-site.xml can't be used: it must be " + setting.allowed()
                        + ". ");
        if (!CAREFUL.contains(setting)) {
            assertThat(reading.config()).isEqualTo(DEFAULTS);
        }
    }

    @Test
    void aMalformedSwitchIsOff() {
        HealingSettings.Reading reading = read(Map.of("hearth.heal.enabled", "off"));

        assertThat(reading.config().enabled()).isFalse();
        assertThat(reading.problems())
                .extracting(ConfigProblem::message)
                .containsExactly(
                        "hearth.heal.enabled = 'off' in hbase-site.xml can't be used: it must be true or false."
                                + " false is used instead.");
    }

    @Test
    void windowsThatCanNotBeReadAreClosed() {
        HealingSettings.Reading reading = read(Map.of("hearth.heal.windows", "nights"));

        assertThat(reading.config().policy().windows()).isEqualTo(HealWindows.NEVER);
        assertThat(reading.problems())
                .extracting(ConfigProblem::message)
                .containsExactly("hearth.heal.windows = 'nights' in hbase-site.xml can't be used: it must be always,"
                        + " never, or days and hours like \"mon-fri 22:00-06:00, sat, sun\", at the end \"in"
                        + " Europe/Berlin\" for a time zone other than the master's. never is used instead.");
    }

    @Test
    void whatMayHaveBeenMeantToHoldHealingBackDoes() {
        HealPolicyConfig policy = read(Map.of("hearth.heal.mode", "shadow", "hearth.heal.paused", "ja"))
                .config()
                .policy();

        assertThat(policy.mode()).isEqualTo(HealingMode.ADVISE);
        assertThat(policy.paused()).isTrue();
    }

    @Test
    void anUnknownKeyIsReportedWithTheNearest() {
        assertThat(read(Map.of("hearth.heal.treshold", "0.5")).problems())
                .extracting(ConfigProblem::message)
                .containsExactly("hearth.heal.treshold in hbase-site.xml is not a key of Hearth and has no effect."
                        + " The nearest known key is hearth.heal.threshold.");
    }

    @ParameterizedTest
    @CsvSource({"on, ON", "OFF, OFF", "' First ', FIRST"})
    void whatATableSays(String value, TableHealingMode mode) {
        assertThat(table(Optional.of(value), Map.of())).isEqualTo(new TableHealing(mode, Optional.empty()));
    }

    @Test
    void aTableThatSaysNothingIsHealed() {
        assertThat(table(Optional.empty(), Map.of()))
                .isEqualTo(new TableHealing(TableHealingMode.ON, Optional.empty()));
    }

    private static TableHealing table(Optional<String> descriptor, Map<String, String> site) {
        return TableHealing.read(new TableId("ns:t"), descriptor, "hbase-site.xml", new MapSettings(site));
    }

    @Test
    void theSiteSpeaksForATableThatSaysNothing() {
        Map<String, String> site = Map.of("hearth.table.ns:t.heal", "off", "hearth.table.ns:u.heal", "first");

        assertThat(table(Optional.empty(), site).mode()).isEqualTo(TableHealingMode.OFF);
        assertThat(table(Optional.of("on"), site).mode()).as("the table wins").isEqualTo(TableHealingMode.ON);
        assertThat(table(Optional.empty(), Map.of("hearth.table.ns:t.heal", "no"))
                        .problem()
                        .map(ConfigProblem::message))
                .contains("hearth.table.ns:t.heal = 'no' in hbase-site.xml can't be used: it must be on, off or first."
                        + " off is used instead.");
    }

    @Test
    void aMalformedTableValueIsReported() {
        TableHealing table = table(Optional.of("yes"), Map.of());

        assertThat(table.mode())
                .as("whoever wrote it may have meant to hold healing back")
                .isEqualTo(TableHealingMode.OFF);
        assertThat(table.problem().map(ConfigProblem::message))
                .contains("HEARTH_HEAL = 'yes' in table ns:t can't be used: it must be on, off or first."
                        + " off is used instead.");
    }

    private static HealingSettings.Reading read(Map<String, String> values) {
        return HealingSettings.read("hbase-site.xml", new MapSettings(values));
    }

    @Test
    void aBadValueLeavesWhatWasReadBefore() {
        HealingConfig before = HealingSettings.read(
                        "hbase-site.xml",
                        new MapSettings(Map.of(
                                "hearth.heal.cluster.bandwidth",
                                "5000",
                                "hearth.heal.region.stable.ms",
                                "7",
                                "hearth.heal.poll.ms",
                                "2000")))
                .config();

        HealingSettings.Reading again = HealingSettings.readAgain(
                "hbase-site.xml",
                new MapSettings(Map.of(
                        "hearth.heal.cluster.bandwidth",
                        "fast",
                        "hearth.heal.region.stable.ms",
                        "8",
                        "hearth.heal.mode",
                        "x")),
                before);

        assertThat(again.config().limits().clusterBytesPerSecond())
                .as("can't be read")
                .isEqualTo(5000);
        assertThat(again.config().regionStableMs()).isEqualTo(8);
        assertThat(again.config().pollMs()).as("not there any more").isEqualTo(10_000);
        assertThat(again.config().policy().mode())
                .as("may have been meant to hold back")
                .isEqualTo(HealingMode.ADVISE);
        assertThat(again.problems())
                .extracting(ConfigProblem::message)
                .contains(
                        "hearth.heal.cluster.bandwidth = 'fast' in hbase-site.xml can't be used: it must be a size from 0 to"
                                + " 1000000000000 bytes per second (a number, or one like 64m or 1.5GB). 5000 is used instead.");
    }
}
