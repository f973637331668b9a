// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.hearth.docs.MonitoringFiles.Alert;
import io.hearth.docs.MonitoringFiles.Panel;
import io.hearth.docs.PromExpression.Selector;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What can be said of the dashboard and of the alert rules without a cluster. That HBase's metrics are there is PageIT's and
 * ProcessClusterIT's to say.
 */
class MonitoringFilesTest {

    private static final Path ALERTS = Path.of("..", "docs", "metrics.md");

    @Test
    void everyAlertSaysWhatItIsAndWhatToDo() {
        List<Alert> alerts = MonitoringFiles.alerts();

        assertThat(alerts).hasSizeGreaterThan(20);
        assertThat(alerts.stream().map(Alert::name)).doesNotHaveDuplicates();
        assertThat(alerts).allSatisfy(alert -> {
            assertThat(alert.labels().keySet()).containsExactly("severity");
            assertThat(alert.labels().get("severity")).isIn("critical", "warning", "info");
            assertThat(alert.annotations().keySet()).containsExactly("summary", "action");
            assertThat(alert.annotations().values())
                    .allSatisfy(words -> assertThat(words).matches("(?s).{20,}\\."));
            assertThat(PromExpression.selectors(alert.expression())).isNotEmpty();
        });
    }

    /** A row: the symptom, which may be an alert, the metric, what to do. */
    @Test
    void everyAlertIsInTheTableOfAlerts() {
        List<String> rows = MonitoringFiles.text(ALERTS)
                .lines()
                .filter(line -> line.startsWith("| `"))
                .toList();
        for (Alert alert : MonitoringFiles.alerts()) {
            Set<String> metrics = PromExpression.selectors(alert.expression()).stream()
                    .map(Selector::metric)
                    .collect(Collectors.toSet());
            assertThat(rows)
                    .as("a row of docs/metrics.md with " + alert.name() + " and one of " + metrics)
                    .anySatisfy(row -> {
                        assertThat(row).startsWith("| `" + alert.name() + "`");
                        assertThat(metrics).anySatisfy(metric -> assertThat(row).contains("`" + metric + "`"));
                    });
        }
    }

    /** Who is woken by an alert looks at its course next. */
    @Test
    void whatAnAlertAsksOfHearthIsOnTheDashboard() {
        Set<String> asked = MonitoringFiles.alerts().stream()
                .flatMap(alert -> PromExpression.selectors(alert.expression()).stream())
                .map(Selector::metric)
                .filter(metric -> metric.startsWith("hearth_"))
                .collect(Collectors.toCollection(TreeSet::new));
        MonitoringFiles.panels().stream()
                .flatMap(panel -> panel.expressions().stream())
                .flatMap(expression -> PromExpression.selectors(expression).stream())
                .map(Selector::metric)
                .forEach(asked::remove);

        assertThat(asked).as("asked by an alert, shown by no panel").isEmpty();
    }

    @Test
    void theDashboardHasARowForEachSubject() {
        JsonObject dashboard = MonitoringFiles.dashboard();
        List<String> rows = new ArrayList<>();
        List<Integer> ids = new ArrayList<>();
        for (JsonElement element : dashboard.getAsJsonArray("panels")) {
            JsonObject panel = element.getAsJsonObject();
            ids.add(panel.get("id").getAsInt());
            if (panel.get("type").getAsString().equals("row")) {
                rows.add(panel.get("title").getAsString());
            }
        }
        assertThat(rows)
                .containsExactly(
                        "Heat: is it even?",
                        "Locality: is data local?",
                        "Healing",
                        "Plans",
                        "RegionServers: cache hits, GC pauses, compactions, call queue, read latency",
                        "Read caches of DataNodes");
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(MonitoringFiles.panels()).hasSizeGreaterThan(20).allSatisfy(panel -> {
            assertThat(panel.unit()).isNotBlank();
            assertThat(panel.expressions()).isNotEmpty().allSatisfy(expression -> assertThat(
                            PromExpression.selectors(expression))
                    .isNotEmpty());
        });
        assertThat(MonitoringFiles.panels().stream().map(Panel::title)).doesNotHaveDuplicates();
    }

    /** By the names that Hadoop's sink makes of those of the bean. */
    @Test
    void whatIsAskedOfDataNodesTheyPrint() {
        assertThat(MonitoringFiles.dataNodeSelectors()).hasSizeGreaterThan(15).allSatisfy(selector -> {
            assertThat(MetricsPage.readCachePrometheusNames()).contains(selector.metric());
            assertThat(selector.patternByLabel()).isEmpty();
        });
    }

    /** Each reason for which something was not cached is a line of the panel on them. */
    @Test
    void everyReasonForARejectedFillIsOnTheDashboard() {
        String panel = MonitoringFiles.panels().stream()
                .filter(candidate -> candidate.title().equals("Fills rejected"))
                .flatMap(candidate -> candidate.expressions().stream())
                .collect(Collectors.joining(" "));

        assertThat(MetricsPage.readCachePrometheusNames().stream()
                        .filter(name -> name.startsWith("hearth_read_cache_rejected_"))
                        // Most blocks are never read often enough.
                        .filter(name -> !name.endsWith("_not_admitted")))
                .hasSizeGreaterThan(5)
                .allSatisfy(name -> assertThat(panel).contains(name + "["));
    }

    /** Requests that regions count go with the regions when these move, which a rate would take for a restart. */
    @Test
    void noRateIsOfACountThatFallsWhenARegionMoves() {
        assertThat(MonitoringFiles.selectors().map(Selector::metric))
                .doesNotContain(
                        "server_read_request_count", "server_write_request_count", "server_total_request_count");
    }

    @Test
    void prometheusIsToldWhereToAsk() {
        assertThat(MonitoringFiles.maps(
                        MonitoringFiles.yaml(MonitoringFiles.SCRAPE).get("scrape_configs")))
                .extracting(job -> job.get("metrics_path"))
                .containsExactly("/prometheus", "/prometheus", "/prom");
    }

    @Test
    void aMetricThatNobodyPrintsIsNoticed() {
        String printed = "# TYPE a gauge\na{context=\"master\",hostname=\"h\"} 1\n";

        assertThat(MonitoringFiles.missingNames(printed)).contains("hearth_healing_polls", "server_get_median");
        ExportedMetrics exported = ExportedMetrics.of(printed);
        assertThat(exported.has(new Selector("a", Map.of("context", "ma.*", "hostname", ".*"))))
                .isTrue();
        assertThat(exported.has(new Selector("a", Map.of("context", "regionserver"))))
                .isFalse();
        assertThat(exported.has(new Selector("b", Map.of()))).isFalse();
    }
}
