// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.BalancerSettings;
import io.hearth.balancer.config.KeyRegistry;
import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.config.SloSettings;
import io.hearth.balancer.config.SloSettings.CanaryMark;
import io.hearth.balancer.config.TableBudgets;
import io.hearth.balancer.config.TableWeights;
import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.model.TableId;
import io.hearth.datanode.config.DataNodeSettings;
import io.hearth.healer.config.HealingSettings;
import io.hearth.healer.config.LoginSettings;
import io.hearth.healer.config.TableHealing;
import io.hearth.ui.config.UiSettings;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
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
            "hearth.datanode.deletion.delay.enabled", "false",
            "hearth.datanode.cache.mode", "off");

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
                .containsAll(DataNodeSettings.ALL)
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

    /** Those of a table, in its descriptor and in the site's file, and of a server. */
    static Stream<Arguments> keysWithANameInThem() {
        String weight = Setting.decimal("any", 1.0, 0, 1000, "", "any").allowed();
        String capacity = Setting.decimal("any", 1.0, 0.01, 100, "", "any").allowed();
        List<Arguments> keys = new ArrayList<>(List.of(
                Arguments.of(TableBudgets.TABLE_KEY, TableBudgets.ALLOWED, "unlimited"),
                Arguments.of("hearth.table.ns:t.max.moves.per.hour", TableBudgets.ALLOWED, "unlimited"),
                // Whoever wrote something unreadable may have meant to hold healing back.
                Arguments.of(TableHealing.KEY, "on, off or first", "off"),
                Arguments.of(SloSettings.TABLE_KEY, "true or false", "false"),
                Arguments.of("hearth.table.ns:t.heal", "on, off or first", "off"),
                Arguments.of("hearth.server.host1.capacity", capacity, "1.0")));
        for (String key : TableWeights.tableKeys()) {
            String name = key.replaceAll("^HEARTH_|_WEIGHT$", "").toLowerCase(Locale.ROOT);
            keys.add(Arguments.of(key, weight, "1.0"));
            keys.add(Arguments.of("hearth.table.ns:t." + name + ".weight", weight, "1.0"));
        }
        return keys.stream();
    }

    @ParameterizedTest
    @MethodSource("keysWithANameInThem")
    void theSameOfTheKeysOfATableAndOfAServer(String key, String allowed, String used) {
        boolean isOfDescriptor = key.startsWith("HEARTH_");
        for (String bad : badValues(allowed)) {
            MapSettings values = new MapSettings(Map.of(key, bad));
            MapSettings none = new MapSettings(Map.of());

            List<ConfigProblem> problems =
                    problemsOfATableAndAServer(isOfDescriptor ? none : values, isOfDescriptor ? values : none);

            assertThat(problems).as("%s = %s", key, bad).hasSize(1);
            assertThat(problems.get(0).message())
                    .isEqualTo(key + " = '" + bad + "' in " + (isOfDescriptor ? "table ns:t" : SITE)
                            + " can't be used: it must be " + allowed + ". " + used + " is used instead.");
        }
    }

    private static List<ConfigProblem> problemsOfATableAndAServer(MapSettings site, MapSettings descriptor) {
        TableId table = new TableId("ns:t");
        return Stream.of(
                        TableWeights.read(SITE, site, Map.of(table, descriptor)).problems(),
                        TableBudgets.read(SITE, site, Map.of(table, descriptor)).problems(),
                        TableHealing.read(table, descriptor.value(TableHealing.KEY), SITE, site).problem().stream()
                                .toList(),
                        CanaryMark.read(table, descriptor).problems(),
                        ServerCapacities.read(SITE, site).problems())
                .flatMap(List::stream)
                .toList();
    }

    private static List<String> badValues(Setting<?> setting) {
        return badValues(setting.allowed());
    }

    private static List<String> badValues(String allowed) {
        List<String> bad = new ArrayList<>(BAD_FOR_ALL);
        Matcher range = RANGE.matcher(allowed);
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
                        DataNodeSettings.read(SITE, site).problems())
                .flatMap(List::stream)
                .toList();
    }
}
