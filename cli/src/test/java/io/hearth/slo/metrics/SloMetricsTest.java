// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.slo.objective.Objective;
import io.hearth.slo.objective.ObjectiveTracker;
import io.hearth.slo.objective.ObjectivesFile;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.ProbeResult.Outcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SloMetricsTest {

    private static final List<Objective> OBJECTIVES =
            ObjectivesFile.parse("99 % of gets under 5 ms, 30 days", "o.txt").objectives();

    @Test
    void everyMetricIsThereOnce() {
        SloMetrics metrics = filled();

        assertThat(metrics.text(List.of()).lines().filter(line -> !line.startsWith("#")))
                .containsExactly(
                        "hearth_slo_probes_due_total{kind=\"get\",server=\"h1:1\"} 3",
                        "hearth_slo_probes_due_total{kind=\"get\",server=\"h2\\\"\\\\\\n\"} 1",
                        "hearth_slo_probes_answered_total{kind=\"get\",server=\"h1:1\"} 2",
                        "hearth_slo_probes_answered_total{kind=\"get\",server=\"h2\\\"\\\\\\n\"} 1",
                        "hearth_slo_latency_seconds_bucket{kind=\"get\",le=\"0.001\"} 1",
                        "hearth_slo_latency_seconds_bucket{kind=\"get\",le=\"0.0025\"} 1",
                        "hearth_slo_latency_seconds_bucket{kind=\"get\",le=\"0.005\"} 1",
                        "hearth_slo_latency_seconds_bucket{kind=\"get\",le=\"0.01\"} 2",
                        "hearth_slo_latency_seconds_bucket{kind=\"get\",le=\"0.025\"} 2",
                        "hearth_slo_latency_seconds_bucket{kind=\"get\",le=\"0.05\"} 2",
                        "hearth_slo_latency_seconds_bucket{kind=\"get\",le=\"0.1\"} 2",
                        "hearth_slo_latency_seconds_bucket{kind=\"get\",le=\"0.25\"} 2",
                        "hearth_slo_latency_seconds_bucket{kind=\"get\",le=\"0.5\"} 2",
                        "hearth_slo_latency_seconds_bucket{kind=\"get\",le=\"1\"} 2",
                        "hearth_slo_latency_seconds_bucket{kind=\"get\",le=\"2.5\"} 2",
                        "hearth_slo_latency_seconds_bucket{kind=\"get\",le=\"5\"} 2",
                        "hearth_slo_latency_seconds_bucket{kind=\"get\",le=\"10\"} 2",
                        "hearth_slo_latency_seconds_bucket{kind=\"get\",le=\"+Inf\"} 4",
                        "hearth_slo_latency_seconds_sum{kind=\"get\"} 20.0065",
                        "hearth_slo_latency_seconds_count{kind=\"get\"} 4",
                        "hearth_slo_objective_due_total{objective=\"gets-5ms-30d\"} 4",
                        "hearth_slo_objective_good_total{objective=\"gets-5ms-30d\"} 1");
    }

    @Test
    void theStateOfObjectivesIsThereWhereItIsKnown() {
        ObjectiveTracker tracker = new ObjectiveTracker(OBJECTIVES);
        assertThat(filled().text(tracker.status(0)))
                .doesNotContain("hearth_slo_objective_alert{")
                .doesNotContain("budget_left_ratio{");
        for (long second = 0; second < 600; second++) {
            tracker.accept(probe("h", 1_000, second < 3 ? Outcome.FAILED : Outcome.ANSWERED, second * 1_000));
        }

        assertThat(filled().text(tracker.status(599_000))
                        .lines()
                        .filter(line -> line.matches(".*(alert|left_ratio)[{].*")))
                .containsExactly(
                        "hearth_slo_objective_budget_left_ratio{objective=\"gets-5ms-30d\"} 0.5",
                        "hearth_slo_objective_alert{objective=\"gets-5ms-30d\",alert=\"fast\"} 0");
        assertThat(SloMetrics.budgetLeftShares(filled().text(tracker.status(599_000))))
                .containsExactly(Map.entry("gets-5ms-30d", 0.5));
        assertThat(SloMetrics.budgetLeftShares(filled().text(List.of()))).isEmpty();
    }

    /** As Java writes numbers: with an exponent where they are small. */
    @Test
    void everyShareIsReadBack() {
        String name = "hearth_slo_objective_budget_left_ratio{objective=\"";

        assertThat(SloMetrics.budgetLeftShares(name + "a\"} 1\n" + name + "b\"} -30.45\n" + name + "c\"} 1.0E-4\n"
                        + name + "d\"} -1.2E7\n" + name + "e\"} NaN\n# " + name + "f\"} 1"))
                .containsExactly(
                        Map.entry("a", 1.0), Map.entry("b", -30.45), Map.entry("c", 1e-4), Map.entry("d", -1.2e7));
    }

    @Test
    void promtoolFindsNothingToSay() throws Exception {
        ObjectiveTracker tracker = new ObjectiveTracker(OBJECTIVES);
        for (long second = 0; second < 600; second++) {
            tracker.accept(probe("h", 1_000, Outcome.FAILED, second * 1_000));
        }

        assertThat(Promtool.run(filled().text(tracker.status(599_000)), "check", "metrics"))
                .isEqualTo(new Promtool.Result(0, ""));
    }

    private static SloMetrics filled() {
        SloMetrics metrics = new SloMetrics(OBJECTIVES);
        metrics.accept(probe("h1:1", 500, Outcome.ANSWERED, 0));
        metrics.accept(probe("h1:1", 20_000_000, Outcome.ANSWERED, 0));
        metrics.accept(probe("h1:1", 100, Outcome.FAILED, 0));
        metrics.accept(probe("h2\"\\\n", 6_000, Outcome.ANSWERED, 0));
        return metrics;
    }

    private static ProbeResult probe(String target, long micros, Outcome outcome, long dueAtMs) {
        return new ProbeResult(ProbeKind.GET, target, dueAtMs, micros, outcome);
    }
}
