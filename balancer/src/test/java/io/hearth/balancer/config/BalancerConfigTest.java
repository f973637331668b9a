// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.HeatConfig.ActivityConfig;
import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.model.LoadDimension;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BalancerConfigTest {

    private static BalancerConfig read(Map<String, String> values) {
        return BalancerConfig.read("hbase-site.xml", new MapSettings(values), key -> key.startsWith("hearth.table."));
    }

    private static List<String> messages(BalancerConfig config) {
        return config.problems().stream().map(ConfigProblem::message).toList();
    }

    @Test
    void nothingSetGivesTheDefaultsWithoutAProblem() {
        BalancerConfig config = read(Map.of());

        assertThat(config.problems()).isEmpty();
        assertThat(config.enabled()).isTrue();
        assertThat(config.goals().of(LoadDimension.READS).weight()).isEqualTo(200);
        assertThat(config.goals().of(LoadDimension.READS).trigger()).isEqualTo(1.1);
    }

    @Test
    void setValuesAreUsed() {
        BalancerConfig config = read(Map.of(
                "hearth.balancer.enabled", " FALSE ",
                "hbase.master.balancer.stochastic.writeHeatCost", "7.5",
                "hearth.balancer.heat.half.life.ms", "5000"));

        assertThat(config.problems()).isEmpty();
        assertThat(config.enabled()).isFalse();
        assertThat(config.goals().of(LoadDimension.WRITES).weight()).isEqualTo(7.5);
        assertThat(config.heat().halfLifeMs()).isEqualTo(5000);
    }

    @Test
    void aValueThatCannotBeUsedIsOneLineAndTheDefaultHolds() {
        BalancerConfig config = read(Map.of(
                "hbase.master.balancer.stochastic.readHeatCost", "-1",
                "hearth.balancer.heat.half.life.ms", "5 minutes",
                "hearth.balancer.enabled", "yes"));

        assertThat(config.goals().of(LoadDimension.READS).weight()).isEqualTo(200);
        assertThat(config.heat().halfLifeMs()).isEqualTo(300_000);
        assertThat(config.enabled()).isFalse();
        assertThat(messages(config))
                .containsExactlyInAnyOrder(
                        "hbase.master.balancer.stochastic.readHeatCost = '-1' in hbase-site.xml can't be used: it must be"
                                + " a number from 0 to 1000000. 200.0 is used instead.",
                        "hearth.balancer.heat.half.life.ms = '5 minutes' in hbase-site.xml can't be used: it must be a"
                                + " time from 1000 to 86400000 ms (a number, or one like 30s or 10m). 300000 is used instead.",
                        "hearth.balancer.enabled = 'yes' in hbase-site.xml can't be used: it must be true or false. false"
                                + " is used instead.");
    }

    static List<Setting<?>> settings() {
        return BalancerSettings.all();
    }

    /** What may have been meant to hold the balancer back does. */
    private static final Map<String, String> DO_NOT_ACT =
            Map.of("hearth.balancer.enabled", "false", "hearth.balancer.mode", "advise");

    @ParameterizedTest
    @MethodSource("settings")
    void everySettingReportsAMalformedValueAndAllowsItsDefault(Setting<?> setting) {
        assertThat(messages(read(Map.of(setting.key(), "!"))))
                .singleElement()
                .asString()
                .startsWith(setting.key() + " = '!' in hbase-site.xml can't be used: it must be ")
                .endsWith(DO_NOT_ACT.getOrDefault(setting.key(), "" + setting.defaultValue()) + " is used instead.");
        assertThat(setting.parse("" + setting.defaultValue()))
                .hasValueSatisfying(value -> assertThat(value).isEqualTo(setting.defaultValue()));
        assertThat(setting.doc()).isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "Infinity", "1e400", "", " ", "1,5", "0x"})
    void whatIsNoFiniteNumberIsRefused(String text) {
        assertThat(GoalSettings.cost(LoadDimension.READS).parse(text)).isEmpty();
    }

    @Test
    void aTargetThatIsNotBelowTheTriggerTurnsBothBackToTheirDefaults() {
        BalancerConfig config =
                read(Map.of("hearth.balancer.skew.target", "1.2", "hearth.balancer.skew.trigger", "1.15"));

        assertThat(config.goals().of(LoadDimension.READS).target()).isEqualTo(1.03);
        assertThat(config.goals().of(LoadDimension.READS).trigger()).isEqualTo(1.1);
        assertThat(messages(config))
                .containsExactly("hearth.balancer.skew.target = 1.2 in hbase-site.xml can't be used: it must be below"
                        + " hearth.balancer.skew.trigger = 1.15. 1.03 and 1.1 are used instead.");
    }

    @Test
    void aTargetAtItsTriggerIsNotBelowIt() {
        BalancerConfig config =
                read(Map.of("hearth.balancer.skew.target", "1.2", "hearth.balancer.skew.trigger", "1.2"));

        assertThat(config.goals().of(LoadDimension.READS).target()).isEqualTo(1.03);
        assertThat(config.problems()).hasSize(1);
    }

    @Test
    void whereHearthDoesNotBalanceItHasNoSayInWhereRegionsLand() {
        assertThat(read(Map.of()).placement().enabled()).isTrue();
        assertThat(read(Map.of("hearth.balancer.placement.enabled", "false"))
                        .placement()
                        .enabled())
                .isFalse();
        assertThat(read(Map.of("hearth.balancer.mode", "off")).placement().enabled())
                .isFalse();
        assertThat(read(Map.of("hearth.balancer.mode", "advise")).placement().enabled())
                .isTrue();
    }

    @Test
    void theRecentHalfLifeIsBelowTheLongOne() {
        assertThat(read(Map.of()).heat().recentHalfLifeMs()).isEqualTo(60_000);
        assertThat(read(Map.of("hearth.balancer.heat.half.life.ms", "5000"))
                        .heat()
                        .recentHalfLifeMs())
                .isEqualTo(1_000);
        BalancerConfig config = read(Map.of(
                "hearth.balancer.heat.half.life.ms", "50000", "hearth.balancer.heat.recent.half.life.ms", "50000"));

        assertThat(config.heat().recentHalfLifeMs()).isEqualTo(10_000);
        assertThat(messages(config))
                .containsExactly("hearth.balancer.heat.recent.half.life.ms = 50000 in hbase-site.xml can't be used: it"
                        + " must be below hearth.balancer.heat.half.life.ms = 50000. 10000 is used instead.");
    }

    @Test
    void everyRegionIsWorthAMoveUnlessABarIsSet() {
        assertThat(read(Map.of()).heat().activity().isOn()).isFalse();
        assertThat(read(Map.of("hearth.balancer.activity.min.requests", "600"))
                        .heat()
                        .activity())
                .isEqualTo(new ActivityConfig(600, 10, true));
    }

    @Test
    void theSameHoldsForStoreSizeAlone() {
        BalancerConfig config = read(Map.of("hearth.balancer.store.size.skew.target", "1.4"));

        assertThat(config.goals().of(LoadDimension.STORE_SIZE).target()).isEqualTo(1.2);
        assertThat(config.goals().of(LoadDimension.STORE_SIZE).trigger()).isEqualTo(1.3);
        assertThat(config.goals().of(LoadDimension.READS).target()).isEqualTo(1.03);
        assertThat(messages(config))
                .containsExactly(
                        "hearth.balancer.store.size.skew.target = 1.4 in hbase-site.xml can't be used: it must be"
                                + " below hearth.balancer.store.size.skew.trigger = 1.3. 1.2 and 1.3 are used instead.");
    }

    /** In this module's tests there is no other jar than the balancer's. */
    @Test
    void aKeyOfAJarThatIsNotInstalledIsToldFromOneThatNobodyKnows() {
        assertThat(messages(read(Map.of("hearth.ui.enabled", "true", "hearth.heal.cluster.bandwidth", "64m"))))
                .containsExactly(
                        "hearth.heal.cluster.bandwidth in hbase-site.xml is a key of hearth-coprocessor.jar, which is not installed here,"
                                + " and has no effect.",
                        "hearth.ui.enabled in hbase-site.xml is a key of hearth-coprocessor.jar, which is not installed here,"
                                + " and has no effect.");
    }

    @Test
    void unknownKeysAreReportedWithTheNearestKnownOne() {
        BalancerConfig config = read(Map.of(
                "hearth.balancer.skew.triger", "1.2",
                "hearth.heel.enabled", "true",
                "hearth.table.t.heal", "off",
                "hearth.datanode.anything", "and so does a DataNode",
                "hearth.table.t.read.weight", "2",
                "hearth.wholly-unlike-any-key-there-is-whatsoever-here", "1"));

        assertThat(messages(config))
                .containsExactly(
                        "hearth.balancer.skew.triger in hbase-site.xml is not a key of Hearth and has no effect. The"
                                + " nearest known key is hearth.balancer.skew.trigger.",
                        "hearth.heel.enabled in hbase-site.xml is not a key of Hearth and has no effect. The nearest"
                                + " known key is hearth.heal.enabled.",
                        "hearth.wholly-unlike-any-key-there-is-whatsoever-here in hbase-site.xml is not a key of Hearth"
                                + " and has no effect.");
    }
}
