// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.TableBudgets.MovesPerHour;
import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.TableId;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableBudgetsTest {

    private static final TableId TABLE = new TableId("ns:t");
    private static final String SITE_KEY = "hearth.table.ns:t.max.moves.per.hour";

    private static TableBudgets read(Map<String, String> site, Map<String, String> descriptor) {
        return TableBudgets.read("hbase-site.xml", new MapSettings(site), Map.of(TABLE, new MapSettings(descriptor)));
    }

    @Test
    void theTableWinsOverTheSiteAndNobodyIsLimitedOtherwise() {
        assertThat(read(Map.of(), Map.of()).limitByTable()).isEmpty();
        assertThat(read(Map.of(SITE_KEY, "5"), Map.of()).limitByTable().get(TABLE))
                .isEqualTo(new MovesPerHour(5));
        assertThat(read(Map.of(SITE_KEY, "5"), Map.of("HEARTH_MAX_MOVES_PER_HOUR", "0"))
                        .limitByTable())
                .isEqualTo(Map.of(TABLE, new MovesPerHour(0)));
        assertThat(read(Map.of(SITE_KEY, "5"), Map.of("HEARTH_MAX_MOVES_PER_HOUR", "Unlimited"))
                        .limitByTable())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"-1", "1.5", "1000001", "9999999999", "many"})
    void whatIsNoBudgetIsOneLineAndTheSiteHolds(String value) {
        TableBudgets budgets = read(Map.of(SITE_KEY, "5"), Map.of("HEARTH_MAX_MOVES_PER_HOUR", value));

        assertThat(budgets.limitByTable().get(TABLE)).isEqualTo(new MovesPerHour(5));
        assertThat(budgets.problems())
                .extracting(ConfigProblem::message)
                .containsExactly("HEARTH_MAX_MOVES_PER_HOUR = '" + value + "' in table ns:t can't be used: it must be a"
                        + " whole number from 0 to 1000000, or unlimited. 5 is used instead.");
    }

    @Test
    void aBadValueOfTheSiteIsReportedWithItsKeyAndThereIsNoLimit() {
        TableBudgets budgets = read(Map.of(SITE_KEY, "few"), Map.of());

        assertThat(budgets.limitByTable()).doesNotContainKey(TABLE);
        assertThat(budgets.problems())
                .extracting(ConfigProblem::message)
                .containsExactly(
                        SITE_KEY + " = 'few' in hbase-site.xml can't be used: it must be a whole number from 0 to"
                                + " 1000000, or unlimited. unlimited is used instead.");
    }
}
