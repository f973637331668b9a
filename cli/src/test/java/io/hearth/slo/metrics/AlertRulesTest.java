// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.slo.objective.Objective;
import io.hearth.slo.objective.ObjectivesFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shipped rules, and what Prometheus makes of them. */
class AlertRulesTest {

    private static final Path CONF = Path.of("..", "conf").toAbsolutePath().normalize();
    private static final Path RULES = CONF.resolve("prometheus/hearth-slo-alerts.yml");

    @TempDir
    private Path folder;

    @Test
    void theShippedRulesAreMadeFromTheShippedObjectives() throws IOException {
        if (Boolean.getBoolean("hearth.docs.write")) {
            Files.writeString(RULES, AlertRules.yaml(objectives()));
        }

        assertThat(Files.readString(RULES))
                .as("conf/prometheus/hearth-slo-alerts.yml is out of date; make it again with: mvn -pl cli -am test"
                        + " -Dtest=AlertRulesTest -Dsurefire.failIfNoSpecifiedTests=false -Dhearth.docs.write=true")
                .isEqualTo(AlertRules.yaml(objectives()));
    }

    private static List<Objective> objectives() throws IOException {
        ObjectivesFile file =
                ObjectivesFile.parse(Files.readString(CONF.resolve("slo-objectives.txt")), "slo-objectives.txt");
        assertThat(file.problems()).isEmpty();
        return file.objectives();
    }

    @Test
    void promtoolAcceptsThem() throws Exception {
        for (String file : List.of("hearth-slo-alerts.yml", "hearth-alerts.yml")) {
            Promtool.Result result = Promtool.run(
                    "", "check", "rules", RULES.resolveSibling(file).toString());
            assertThat(result.exitCode()).as(result.output()).isZero();
            assertThat(result.output()).contains("SUCCESS");
        }
    }

    /** All probes of a minute fail, after a good hour: both pages within that minute, and no other objective's. */
    @Test
    void aFastBurnIsPaged() throws Exception {
        test(
                "1m",
                series("gets-50ms-30d", "0+60x70 4200+60x9", "0+60x60 3600+0x2 3660+60x17"),
                series("puts-100ms-30d", "0+60x80", "0+60x80"),
                alerts("HearthSloBurnsFast", "60m"),
                alerts("HearthSloBurnsFast", "62m", firing("gets-50ms-30d", "14.4", "1h", "5m", "critical", "page")),
                alerts("HearthSloBurnsMedium", "62m", firing("gets-50ms-30d", "6", "6h", "30m", "critical", "page")),
                // Five good minutes end it.
                alerts("HearthSloBurnsFast", "69m"));
    }

    /** Everything fails from a watch's first minute on: each alert waits until it has watched for longer than the short window. */
    @Test
    void aWatchThatHasJustBegunPagesNobody() throws Exception {
        test(
                "1m",
                series("gets-50ms-30d", "0+60x400", "0+0x400"),
                alerts("HearthSloBurnsFast", "5m"),
                alerts("HearthSloBurnsFast", "7m", firing("gets-50ms-30d", "14.4", "1h", "5m", "critical", "page")),
                alerts("HearthSloBurnsMedium", "30m"),
                alerts("HearthSloBurnsMedium", "32m", firing("gets-50ms-30d", "6", "6h", "30m", "critical", "page")),
                alerts("HearthSloBurnsSlow", "360m"),
                alerts("HearthSloBurnsSlow", "362m", firing("gets-50ms-30d", "1", "3d", "6h", "warning", "ticket")));
    }

    /** Its daemon was away for two minutes a short window ago, and Prometheus with it: what was known before counts. */
    @Test
    void aRestartedWatchPagesAtOnce() throws Exception {
        test(
                "1m",
                series("gets-50ms-30d", "0+60x20 _x3 0+60x20", "0+60x20 _x3 0+0x20"),
                alerts("HearthSloBurnsFast", "27m", firing("gets-50ms-30d", "14.4", "1h", "5m", "critical", "page")));
    }

    /** A good hour and two bad minutes, beside a cluster with a hundred times the probes, all good: together few are bad. */
    @Test
    void aBurnIsNotHiddenByAnotherCluster() throws Exception {
        test(
                "1m",
                series("a", "gets-50ms-30d", "0+60x70 4200+60x9", "0+60x60 3600+0x2 3660+60x17"),
                series("b", "gets-50ms-30d", "0+6000x80", "0+6000x80"),
                alerts("HearthSloBurnsFast", "60m"),
                alerts(
                        "HearthSloBurnsFast",
                        "62m",
                        inCluster("a", firing("gets-50ms-30d", "14.4", "1h", "5m", "critical", "page"))),
                alerts(
                        "HearthSloBurnsMedium",
                        "62m",
                        inCluster("a", firing("gets-50ms-30d", "6", "6h", "30m", "critical", "page"))),
                alerts("HearthSloBurnsFast", "69m"));
    }

    /** One probe in 1,000 fails, twice what is allowed, for three days: a ticket, and no page. */
    @Test
    void aSlowBurnIsATicket() throws Exception {
        test(
                "1h",
                series("gets-50ms-30d", "0+1000x4400", "0+999x4400"),
                series("puts-100ms-30d", "0+1000x4400", "0+1000x4400"),
                alerts("HearthSloBurnsFast", "4380m"),
                alerts("HearthSloBurnsMedium", "4380m"),
                alerts("HearthSloBurnsSlow", "4380m", firing("gets-50ms-30d", "1", "3d", "6h", "warning", "ticket")),
                alerts("HearthSloWatchSilent", "4380m"));
    }

    /** One probe in 4,000 fails, half of what is allowed. */
    @Test
    void withinTheBudgetNothingFires() throws Exception {
        test(
                "1h",
                series("gets-50ms-30d", "0+4000x4400", "0+3999x4400"),
                series("puts-100ms-30d", "0+4000x4400", "0+3999x4400"),
                alerts("HearthSloBurnsFast", "4380m"),
                alerts("HearthSloBurnsMedium", "4380m"),
                alerts("HearthSloBurnsSlow", "4380m"));
    }

    /** Nobody counts any more: that itself is an alert. */
    @Test
    void aDeadWatchIsSaid() throws Exception {
        test(
                "1m",
                series("gets-50ms-30d", "0+60x10 600+0x30", "0+60x10 600+0x30"),
                alerts("HearthSloWatchSilent", "10m"),
                alerts("HearthSloWatchSilent", "30m", silent()));
    }

    /** Of the one cluster nothing is due any more, the other's watch has ended and its series with it. */
    @Test
    void aDeadWatchIsNotHiddenByAnotherCluster() throws Exception {
        test(
                "1m",
                series("a", "gets-50ms-30d", "0+60x10 600+0x30", "0+60x10 600+0x30"),
                series("b", "gets-50ms-30d", "0+60x10 stale", "0+60x10 stale"),
                series("c", "gets-50ms-30d", "0+60x40", "0+60x40"),
                alerts("HearthSloWatchSilent", "10m"),
                alerts("HearthSloWatchSilent", "30m", inCluster("a", silent()), inCluster("b", silent())));
    }

    /** Each cluster is named for an hour; then nobody knows any more which there were. */
    @Test
    void whereNoWatchIsLeftThatIsSaidFurther() throws Exception {
        test(
                "1m",
                series("a", "gets-50ms-30d", "0+60x10 stale", "0+60x10 stale"),
                series("b", "gets-50ms-30d", "0+60x10 stale", "0+60x10 stale"),
                alerts("HearthSloWatchSilent", "30m", inCluster("a", silent()), inCluster("b", silent())),
                alerts("HearthSloWatchSilent", "100m", silent()));
    }

    private static String series(String objective, String due, String good) {
        return """
                      - series: 'hearth_slo_objective_due_total{objective="%s",instance="a"}'
                        values: '%s'
                      - series: 'hearth_slo_objective_good_total{objective="%s",instance="a"}'
                        values: '%s'
                """
                .formatted(objective, due, objective, good);
    }

    private static String series(String cluster, String objective, String due, String good) {
        return series(objective, due, good).replace("{", "{cluster=\"" + cluster + "\",");
    }

    private static String alerts(String name, String at, String... firing) {
        return """
                      - eval_time: %s
                        alertname: %s
                        exp_alerts:%s
                """
                        .formatted(at, name, firing.length == 0 ? " []" : "")
                + String.join("", firing);
    }

    private static String firing(
            String objective, String factor, String longWindow, String shortWindow, String severity, String notify)
            throws IOException {
        Objective one = objectives().stream()
                .filter(each -> each.name().equals(objective))
                .findFirst()
                .orElseThrow();
        return """
                          - exp_labels:
                              objective: %s
                              severity: %s
                              notify: %s
                            exp_annotations:
                              summary: "%s (%s): its error budget is spent more than %s times as fast as allowed, over %s and %s."
                              action: bin/hearth slo report has the servers and minutes, and what happened then.
                """
                .formatted(objective, severity, notify, objective, one, factor, longWindow, shortWindow);
    }

    private static String silent() {
        return """
                          - exp_labels:
                              severity: warning
                              notify: ticket
                            exp_annotations:
                              summary: No SLO watch of the cluster has had a probe due for 5 minutes. None of its other alerts can fire.
                              action: Look at the log of bin/hearth slo run on its machine, and whether Prometheus reaches it.
                """;
    }

    /** The alert with that label too. */
    private static String inCluster(String cluster, String alert) {
        return alert.replace("exp_labels:\n", "exp_labels:\n              cluster: " + cluster + "\n");
    }

    /**
     * Runs {@code promtool test rules} with these series, a sample a minute, and expectations.
     *
     * @param evaluated how often rules are: three days of each minute would be a minute of work
     */
    private void test(String evaluated, String... parts) throws Exception {
        String series =
                Stream.of(parts).filter(part -> part.contains("- series:")).collect(Collectors.joining());
        String alerts =
                Stream.of(parts).filter(part -> part.contains("- eval_time:")).collect(Collectors.joining());
        Path file = folder.resolve("test.yml");
        Files.writeString(
                file,
                "rule_files: ['" + RULES + "']\nevaluation_interval: " + evaluated
                        + "\ntests:\n  - interval: 1m\n    input_series:\n" + series + "    alert_rule_test:\n"
                        + alerts);

        Promtool.Result result = Promtool.run("", "test", "rules", file.toString());

        assertThat(result.exitCode())
                .as(Files.readString(file) + result.output())
                .isZero();
    }
}
