// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus makes of the shipped alerts, by series of one and of two clusters with a sample a minute. */
class HearthAlertsTest {

    private static final Path RULES = Path.of("..", "conf", "prometheus", "hearth-alerts.yml")
            .toAbsolutePath()
            .normalize();

    @TempDir
    private Path folder;

    private final List<String> series = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();

    @Test
    void aHealerThatDoesNotPollIsNotHiddenByAnotherClusters() throws Exception {
        series("hearth_healing_polls{cluster='a'}", "7x60");
        series("hearth_healing_polls{cluster='b'}", "0+6x60");
        series("hearth_healing_enabled{cluster='a'}", "1x60");
        series("hearth_healing_enabled{cluster='b'}", "1x60");

        fires(30, "HearthHealingNotPolling", "cluster=\"a\"");
        test();
    }

    @Test
    void withoutTheLabelAHealerThatDoesNotPollIsStillNoticed() throws Exception {
        series("hearth_healing_polls", "7x60");
        series("hearth_healing_enabled", "1x60");

        fires(30, "HearthHealingNotPolling", "");
        isSilent(30, "HearthHealingStuck");
        test();
    }

    @Test
    void aHealerThatIsStuckIsNotHiddenByAnotherClusters() throws Exception {
        for (String cluster : List.of("a", "b")) {
            series("hearth_healing_blocks_waiting{cluster='" + cluster + "'}", "5x90");
            series("hearth_healing_blocks_in_flight{cluster='" + cluster + "'}", "0x90");
            series("hearth_healing_enabled{cluster='" + cluster + "'}", "1x90");
        }
        series("hearth_healing_blocks_verified{cluster='a'}", "9x90");
        series("hearth_healing_blocks_verified{cluster='b'}", "0+3x90");

        fires(80, "HearthHealingStuck", "cluster=\"a\"");
        test();
    }

    @Test
    void aBalancerThatPlansNothingIsNotHiddenByAnotherClusters() throws Exception {
        series("hearth_balancer_plans{cluster='a'}", "9x150");
        series("hearth_balancer_plans{cluster='b'}", "0+1x150");

        fires(140, "HearthNoPlans", "cluster=\"a\"");
        test();
    }

    /** Requests of the one and an uneven server of the other are no matter together. */
    @Test
    void heatIsUnevenWithinACluster() throws Exception {
        series("hearth_balancer_reads_max_over_mean{cluster='a'}", "3x120");
        series("hearth_balancer_reads_max_over_mean{cluster='b'}", "1x120");
        series("server_server_read_query_per_second_1min_rate{cluster='a',hostname='h1'}", "10x120");
        series("server_server_read_query_per_second_1min_rate{cluster='b',hostname='h1'}", "9000x120");
        series("hearth_balancer_writes_max_over_mean{cluster='c'}", "3x120");
        series("server_server_write_query_per_second_1min_rate{cluster='c',hostname='h1'}", "600x120");
        series("server_server_write_query_per_second_1min_rate{cluster='c',hostname='h2'}", "600x120");

        fires(90, "HearthHeatUneven", "cluster=\"c\"");
        test();
    }

    /** An HMaster that ends takes its series with it: of what is not there no other rule speaks. */
    @Test
    void afterAFailoverToAMasterWithoutHearthItIsMissed() throws Exception {
        for (String metric : List.of("hearth_balancer_plans", "hearth_healing_polls")) {
            series(metric + "{cluster='a',instance='m1'}", "0+1x30 stale");
            series(metric + "{cluster='b',instance='m1'}", "0+1x30 stale");
            series(metric + "{cluster='b',instance='m2'}", "_x32 0+1x1500");
        }
        series("hearth_healing_polls{cluster='c',instance='m1'}", "0+1x30 stale");
        series("hearth_balancer_plans{cluster='c',instance='m1'}", "0+1x1500");

        isSilent(30, "HearthGone");
        isSilent(40, "HearthGone");
        expect(45, "HearthGone", "[{labels: '{cluster=\"a\"}', value: 1}, {labels: '{cluster=\"c\"}', value: 1}]");
        isSilent(1480, "HearthGone");
        test();
    }

    @Test
    void withoutTheLabelItIsMissedToo() throws Exception {
        series("hearth_balancer_plans{instance='m1'}", "0+1x30 stale");

        fires(45, "HearthGone", "");
        test();
    }

    /** As for the first hours of a server that was added, or for one that is being drained. */
    @Test
    void aServerWithoutBytesHasNoneThatAreRemote() throws Exception {
        for (String host : List.of("h1", "h2")) {
            String labels = "{context='regionserver',hostname='" + host + "'}";
            series("server_percent_files_local" + labels, "0x180");
            series("server_store_file_size" + labels, host.equals("h1") ? "0x180" : "5000x180");
        }
        series("server_percent_files_local{context='regionserver',hostname='h3'}", "90x180");
        series("server_store_file_size{context='regionserver',hostname='h3'}", "5000x180");

        expected.add(
                """
                      - expr: count by (hostname) (ALERTS{alertname='RegionServerDataRemote', alertstate='firing'})
                        eval_time: 150m
                        exp_samples: [{labels: '{hostname="h2"}', value: 1}]
                """);
        test();
    }

    private void series(String name, String values) {
        series.add("      - series: \"" + name + "\"\n        values: '" + values + "'\n");
    }

    private void isSilent(int minute, String alert) {
        expect(minute, alert, "[]");
    }

    /** @param label of the one cluster for which it fires */
    private void fires(int minute, String alert, String label) {
        expect(minute, alert, "[{labels: '{" + label + "}', value: 1}]");
    }

    private void expect(int minute, String alert, String samples) {
        expected.add("      - expr: count by (cluster) (ALERTS{alertname='" + alert
                + "', alertstate='firing'})\n        eval_time: " + minute + "m\n        exp_samples: " + samples
                + "\n");
    }

    private void test() throws Exception {
        Path file = folder.resolve("test.yml");
        Files.writeString(
                file,
                "rule_files: ['" + RULES + "']\nevaluation_interval: 1m\ntests:\n  - interval: 1m\n    input_series:\n"
                        + String.join("", series) + "    promql_expr_test:\n" + String.join("", expected));

        Promtool.Result result = Promtool.run("", "test", "rules", file.toString());

        assertThat(result.exitCode())
                .as(Files.readString(file) + result.output())
                .isZero();
    }
}
