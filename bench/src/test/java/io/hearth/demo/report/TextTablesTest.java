// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.demo.console.DemoConsole.PlainConsole;
import io.hearth.demo.threshold.Threshold;
import io.hearth.demo.threshold.ThresholdResults;
import io.hearth.demo.threshold.ThresholdResults.Measurement;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TextTablesTest {

    @Test
    void servers_are_a_line_each_with_the_skew_below() {
        assertThat(TextTables.servers(SampleReports.servers()).lines().map(String::stripTrailing))
                .containsExactly(
                        "    server  regions  reads/s  writes/s    store  locality  as reported",
                        "    host1        11    1,234        56  37.0 MB     100 %       99.9 %",
                        "    host10        9      412        56  35.0 MB    41.4 %      unknown",
                        "   max/mean: reads 1.50, writes 1.00");
    }

    @Test
    void a_heal_says_what_was_away_and_what_was_moved() {
        assertThat(TextTables.heal(SampleReports.small().heals().get(0)).lines())
                .containsExactly(
                        "   11 regions with 24.0 MB in 37 blocks not local: locality 41 % -> 100 %",
                        "   moved 23.0 MB in 36 blocks in 14 s, 0.96 times of what was not local");
    }

    @Test
    void the_verdict_names_every_bar_and_the_broken_ones_again() {
        String text = TextTables.thresholdResults(
                SampleReports.small().thresholdResults(), new PlainConsole(System.out, () -> 0));

        assertThat(text)
                .contains("PASS  Reads max/mean after balancing ", "1.04  (<= 1.15)", "FAIL  Corrupt blocks")
                .contains("16 of 18 thresholds do not hold: Data loaded; Regions of the table; ");
    }

    @Test
    void the_headline_says_what_was_and_what_is() {
        assertThat(TextTables.headline(SampleReports.small().thresholdResults())
                        .lines()
                        .findFirst())
                .hasValue("   Load, max/mean over the servers     reads   3.31 -> 1.04, and - after the crash");
    }

    @Test
    void whatEvenLoadIsWorthIsTheQuotientOfMaxOverMean() {
        ThresholdResults results = ThresholdResults.of(Map.of(
                Threshold.READ_SKEW_BEFORE, Measurement.of(3),
                Threshold.READ_SKEW_BALANCED, Measurement.of(1.04),
                Threshold.WRITE_SKEW_BEFORE, Measurement.of(2),
                Threshold.WRITE_SKEW_BALANCED, Measurement.missing("no load")));

        assertThat(TextTables.headline(results))
                .contains("\n   The same servers could hold                 2.9 times the reads, - times the writes\n");
    }

    @Test
    void hosts_are_listed_by_their_numbers() {
        TreeSet<String> hosts = new TreeSet<>(ServerTable.HOST_ORDER);
        hosts.addAll(List.of("host10", "host2", "host1"));

        assertThat(hosts).containsExactly("host1", "host2", "host10");
    }
}
