// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.metrics;

import io.hearth.slo.objective.BurnAlert;
import io.hearth.slo.objective.BurnAlert.Urgency;
import io.hearth.slo.objective.Objective;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rules for Prometheus made from objectives: the share of bad probes over each window is recorded, and each objective has the alerts of
 * {@link BurnAlert}, once the share was known before the short window: the first minutes of a watch page nobody. They go by the counters of all daemons that Prometheus scrapes for a cluster, added: each sends probes of its own.
 * Clusters are told apart by the label {@code cluster}, which Prometheus gives; series without it are one cluster's. Stateless.
 */
public final class AlertRules {

    private static final String HEAD =
            """
            # Recording and alert rules for Prometheus, made by bin/hearth slo rules --objectives FILE: name this file under rule_files.
            # They go by the metrics of the SLO watch (bin/hearth slo run), whose address Prometheus has to scrape.
            # Where one Prometheus asks several clusters, each needs a label "cluster" of its own, as scrape.yml gives it.
            """;

    private AlertRules() {}

    /** The file. */
    public static String yaml(List<Objective> objectives) {
        return HEAD
                + objectives.stream()
                        .map(objective -> "# " + objective.name() + ": " + objective + "\n")
                        .collect(Collectors.joining())
                + "groups:\n  - name: hearth-slo\n    rules:\n"
                + windows().map(AlertRules::recording).collect(Collectors.joining())
                + silence()
                + objectives.stream()
                        .flatMap(objective -> Stream.of(BurnAlert.values()).map(alert -> alert(objective, alert)))
                        .collect(Collectors.joining());
    }

    private static Stream<String> windows() {
        return Stream.of(BurnAlert.values())
                .flatMap(alert -> Stream.of(alert.longWindow(), alert.shortWindow()))
                .distinct()
                .sorted()
                .map(AlertRules::text);
    }

    /** As Prometheus writes it. */
    private static String text(Duration window) {
        if (window.toMinutes() % 60 != 0) {
            return window.toMinutes() + "m";
        }
        return window.toHours() % 24 == 0 ? window.toDays() + "d" : window.toHours() + "h";
    }

    private static String ratio(String window) {
        return "objective:hearth_slo_bad:ratio_rate" + window;
    }

    private static String recording(String window) {
        return """
                      - record: %s
                        expr: >-
                          1 - sum by (cluster, objective) (rate(hearth_slo_objective_good_total[%s]))
                          / sum by (cluster, objective) (rate(hearth_slo_objective_due_total[%s]))
                """
                .formatted(ratio(window), window, window);
    }

    /** A watch that ends takes its series with it: its cluster is missed for an hour, and for longer if no other watch counts. */
    private static String silence() {
        return """
                      - alert: HearthSloWatchSilent
                        expr: >-
                          sum by (cluster) (rate(hearth_slo_objective_due_total[5m])) == 0
                          or (count by (cluster) (count_over_time(hearth_slo_objective_due_total[1h]))
                          unless on (cluster) count by (cluster) (hearth_slo_objective_due_total))
                          or on () absent(hearth_slo_objective_due_total)
                        for: 5m
                        labels:
                          severity: warning
                          notify: ticket
                        annotations:
                          summary: No SLO watch of the cluster has had a probe due for 5 minutes. None of its other alerts can fire.
                          action: Look at the log of bin/hearth slo run on its machine, and whether Prometheus reaches it.
                """;
    }

    private static String alert(Objective objective, BurnAlert alert) {
        String factor = alert.factor() + " * " + objective.badShare().toPlainString();
        String selector = "{objective=\"" + objective.name() + "\"}";
        String longWindow = text(alert.longWindow());
        String shortWindow = text(alert.shortWindow());
        return """
                      - alert: HearthSloBurns%s
                        expr: >-
                          %s%s > %s
                          and %s%s > %s
                          and count_over_time(%s%s[%s] offset %s) > 0
                        labels:
                          objective: %s
                          severity: %s
                          notify: %s
                        annotations:
                          summary: "%s (%s): its error budget is spent more than %s times as fast as allowed, over %s and %s."
                          action: bin/hearth slo report has the servers and minutes, and what happened then.
                """
                .formatted(
                        capitalized(alert.toString()),
                        ratio(longWindow),
                        selector,
                        factor,
                        ratio(shortWindow),
                        selector,
                        factor,
                        ratio(shortWindow),
                        selector,
                        longWindow,
                        shortWindow,
                        objective.name(),
                        alert.urgency() == Urgency.PAGE ? "critical" : "warning",
                        alert.urgency() == Urgency.PAGE ? "page" : "ticket",
                        objective.name(),
                        objective,
                        alert.factor(),
                        longWindow,
                        shortWindow);
    }

    private static String capitalized(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }
}
