// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.BalancerSettings;
import io.hearth.balancer.config.KeyRegistry;
import io.hearth.balancer.config.TableWeights;
import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.config.Setting;
import io.hearth.datanode.config.DeletionDelaySettings;
import io.hearth.healer.config.HealingSettings;
import io.hearth.healer.config.LoginSettings;
import io.hearth.ui.config.UiSettings;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every key that there is, from the key list itself, with values that can't be used. */
class EveryKeyTest {

    private static final String SITE = "the-site.xml";
    private static final List<String> BAD_FOR_ALL = List.of("?", "no such value!", "1 2", "{}", "12 parsecs");
    /** Keys without a safe default: whoever wrote something unreadable may have meant to hold Hearth back. */
    private static final Map<String, String> CAREFUL = Map.of(
            "hearth.balancer.enabled", "false",
            "hearth.balancer.mode", "advise",
            "hearth.heal.enabled", "false",
            "hearth.heal.paused", "true",
            "hearth.heal.mode", "advise",
            "hearth.heal.windows", "never",
            "hearth.ui.enabled", "false",
            "hearth.datanode.deletion.delay.enabled", "false");

    private static final Pattern RANGE = Pattern.compile(" from (-?[0-9.]+) to ([0-9.]+)");

    static Stream<Setting<?>> settings() {
        // A principal or the name of a file may be any text.
        return KeyRegistry.settings().stream().filter(setting -> !LoginSettings.ALL.contains(setting));
    }

    @Test
    void theListHasTheKeysOfEveryJar() {
        assertThat(KeyRegistry.settings())
                .containsAll(BalancerSettings.all())
                .containsAll(HealingSettings.ALL)
                .containsAll(LoginSettings.ALL)
                .containsAll(UiSettings.ALL)
                .containsAll(DeletionDelaySettings.ALL)
                .extracting(Setting::key)
                .doesNotHaveDuplicates();
    }

    @Test
    void noPartOfHearthReportsAKeyOfAnother() {
        Map<String, String> all = new java.util.TreeMap<>();
        KeyRegistry.settings().forEach(setting -> all.put(setting.key(), "" + setting.defaultValue()));
        LoginSettings.ALL.forEach(setting -> all.put(setting.key(), "x"));
        MapSettings site = new MapSettings(all);

        assertThat(problems(site)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("settings")
    void fiveValuesThatCannotBeUsedAndWhatIsOutOfRangeAreOneLineEach(Setting<?> setting) {
        for (String bad : badValues(setting)) {
            List<ConfigProblem> problems = problems(new MapSettings(Map.of(setting.key(), bad)));

            assertThat(problems).as("%s = %s", setting, bad).hasSize(1);
            assertThat(problems.get(0).message())
                    .isEqualTo(setting.key() + " = '" + bad + "' in " + SITE + " can't be used: it must be "
                            + setting.allowed() + ". "
                            + CAREFUL.getOrDefault(setting.key(), "" + setting.defaultValue()) + " is used instead.");
        }
    }

    private static List<String> badValues(Setting<?> setting) {
        List<String> bad = new ArrayList<>(BAD_FOR_ALL);
        Matcher range = RANGE.matcher(setting.allowed());
        if (range.find()) {
            bad.add(new BigDecimal(range.group(1)).subtract(BigDecimal.ONE).toPlainString());
            bad.add(new BigDecimal(range.group(2)).add(BigDecimal.ONE).toPlainString());
            bad.add("1e999");
            bad.add("NaN");
            bad.add("99999999999999999999999");
        }
        return bad;
    }

    /** What every part of Hearth says of this site, each line once. */
    private static List<ConfigProblem> problems(MapSettings site) {
        return Stream.of(
                        BalancerConfig.read(SITE, site, TableWeights::isSiteKey).problems(),
                        HealingSettings.read(SITE, site).problems(),
                        UiSettings.read(SITE, site).problems(),
                        DeletionDelaySettings.read(SITE, site).problems())
                .flatMap(List::stream)
                .toList();
    }
}
