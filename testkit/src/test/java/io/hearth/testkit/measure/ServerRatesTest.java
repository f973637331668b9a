// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.testkit.measure.ClusterLoadReport.RegionLoadReport;
import io.hearth.testkit.measure.ClusterLoadReport.ServerLoadReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerRatesTest {

    @Test
    void a_rate_is_the_difference_of_counters_over_report_time() {
        ServerRates rates = between(
                report(10_000, Map.of("a", counters(100, 10), "b", counters(0, 0))),
                report(14_000, Map.of("a", counters(500, 18), "b", counters(40, 0))));

        assertThat(rates).isEqualTo(new ServerRates("host1", 110, 2, 4_000, 0));
    }

    @Test
    void a_counter_that_fell_began_at_zero_within_the_interval() {
        ServerRates rates = between(
                report(10_000, Map.of("a", counters(60_000, 5_000))), report(12_000, Map.of("a", counters(300, 20))));

        assertThat(rates).isEqualTo(new ServerRates("host1", 150, 10, 2_000, 1));
    }

    @Test
    void a_reset_shows_in_the_writes_where_the_reads_have_caught_up() {
        ServerRates rates = between(
                report(10_000, Map.of("a", counters(10, 5_000))), report(12_000, Map.of("a", counters(300, 20))));

        assertThat(rates).isEqualTo(new ServerRates("host1", 150, 10, 2_000, 1));
    }

    @Test
    void a_reset_shows_in_the_reads_where_the_writes_have_caught_up() {
        ServerRates rates = between(
                report(10_000, Map.of("a", counters(9_000, 3))), report(12_000, Map.of("a", counters(300, 20))));

        assertThat(rates).isEqualTo(new ServerRates("host1", 150, 10, 2_000, 1));
    }

    @Test
    void a_region_that_arrived_counts_from_its_opening_and_one_that_left_counts_no_more() {
        ServerRates rates = between(
                report(10_000, Map.of("gone", counters(9_000, 9_000))), report(11_000, Map.of("new", counters(70, 7))));

        assertThat(rates).isEqualTo(new ServerRates("host1", 70, 7, 1_000, 1));
    }

    @Test
    void the_same_report_twice_has_no_rate() {
        ServerLoadReport report = report(10_000, Map.of("a", counters(1, 1)));

        assertThat(ServerRates.between(ClusterLoadReport.of(List.of(report)), ClusterLoadReport.of(List.of(report))))
                .isEmpty();
    }

    @Test
    void a_server_that_died_or_has_just_come_has_no_rate() {
        ClusterLoadReport before = ClusterLoadReport.of(List.of(new ServerLoadReport("dead", 1_000, Map.of())));
        ClusterLoadReport after = ClusterLoadReport.of(List.of(new ServerLoadReport("fresh", 2_000, Map.of())));

        assertThat(ServerRates.between(before, after)).isEmpty();
    }

    @Test
    void of_two_reports_of_a_host_the_later_one_stays() {
        ClusterLoadReport report = ClusterLoadReport.of(
                List.of(report(2_000, Map.of("a", counters(2, 2))), report(1_000, Map.of("a", counters(1, 1)))));

        assertThat(report.serversByHost()).hasEntrySatisfying("host1", server -> assertThat(server.reportTimeMs())
                .isEqualTo(2_000));
    }

    private static ServerRates between(ServerLoadReport before, ServerLoadReport after) {
        return requireNonNull(
                ServerRates.between(ClusterLoadReport.of(List.of(before)), ClusterLoadReport.of(List.of(after)))
                        .get("host1"));
    }

    private static ServerLoadReport report(long timeMs, Map<String, RegionLoadReport> countersByRegion) {
        return new ServerLoadReport("host1", timeMs, countersByRegion);
    }

    private static RegionLoadReport counters(long reads, long writes) {
        return new RegionLoadReport(reads, writes, 1 << 20, 1);
    }
}
