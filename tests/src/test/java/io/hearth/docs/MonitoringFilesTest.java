// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.hearth.docs.MonitoringFiles.Alert;
import io.hearth.docs.MonitoringFiles.Panel;
import io.hearth.docs.MonitoringFiles.Variable;
import io.hearth.docs.PromExpression.Grouping;
import io.hearth.docs.PromExpression.Selector;
import io.hearth.slo.metrics.SloMetrics;
import io.hearth.slo.objective.Objective;
import io.hearth.slo.objective.ObjectiveTracker;
import io.hearth.slo.objective.ObjectivesFile;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.ProbeResult.Outcome;
import io.hearth.slo.probe.TimelineRead;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.commons.lang3.StringUtils;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.metrics2.lib.MutableRate;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What can be said of the dashboards and of the alert rules without a cluster. That HBase's metrics are there is PageIT's and
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
        MonitoringFiles.panels(MonitoringFiles.DASHBOARD).stream()
                .flatMap(panel -> panel.expressions().stream())
                .flatMap(expression -> PromExpression.selectors(expression).stream())
                .map(Selector::metric)
                .forEach(asked::remove);

        assertThat(asked).as("asked by an alert, shown by no panel").isEmpty();
    }

    private static List<String> rows(Path dashboard) {
        List<String> rows = new ArrayList<>();
        for (JsonElement element : MonitoringFiles.json(dashboard).getAsJsonArray("panels")) {
            JsonObject panel = element.getAsJsonObject();
            if (panel.get("type").getAsString().equals("row")) {
                rows.add(panel.get("title").getAsString());
            }
        }
        return rows;
    }

    @Test
    void theDashboardsHaveARowForEachSubject() {
        assertThat(rows(MonitoringFiles.SLO_DASHBOARD))
                .containsExactly(
                        "Objectives: is the budget kept?",
                        "Latency from when a probe was due",
                        "Servers",
                        "Timeline-consistent reads (slo run --timeline-timeouts)",
                        "Was it Hearth?");
        assertThat(rows(MonitoringFiles.DASHBOARD))
                .containsExactly(
                        "Heat: is it even?",
                        "Locality: is data local?",
                        "Healing",
                        "Plans",
                        "RegionServers: cache hits, GC pauses, compactions, call queue, read latency",
                        "Read caches of DataNodes",
                        "Hearth in the HMaster",
                        "DataNodes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hearth-dashboard.json", "hearth-slo-dashboard.json"})
    void aDashboardIsOneThatGrafanaTakes(String file) {
        Path dashboard = MonitoringFiles.DASHBOARD.resolveSibling(file);

        assertThat(GrafanaSchema.problems(MonitoringFiles.json(dashboard))).isEmpty();
        assertThat(MonitoringFiles.panels(dashboard)).hasSizeGreaterThan(14).allSatisfy(panel -> {
            assertThat(panel.expressions()).allSatisfy(expression -> assertThat(PromExpression.selectors(expression))
                    .isNotEmpty());
        });
        assertThat(MonitoringFiles.panels(dashboard).stream().map(Panel::title)).doesNotHaveDuplicates();
    }

    /** One Prometheus may ask several clusters: what is added up, compared or divided is of one of them, and its line says whose it is. */
    @ParameterizedTest
    @ValueSource(strings = {"hearth-dashboard.json", "hearth-slo-dashboard.json"})
    void aDashboardKeepsClustersApart(String file) {
        List<Panel> panels = MonitoringFiles.panels(MonitoringFiles.DASHBOARD.resolveSibling(file));

        assertThat(panels).allSatisfy(panel -> {
            assertThat(panel.expressions()).allSatisfy(expression -> {
                assertThat(PromExpression.selectors(expression))
                        .allSatisfy(selector ->
                                assertThat(selector.patternByLabel()).containsEntry("cluster", "$cluster"));
                assertThat(whatDropsTheCluster(expression)).isEmpty();
            });
            assertThat(panel.legends())
                    .allSatisfy(legend ->
                            assertThat(legend).startsWith("{{cluster}} ").hasSizeGreaterThan(13));
        });
    }

    private static List<String> whatDropsTheCluster(String expression) {
        return PromExpression.groupings(expression).stream()
                .filter(grouping -> !grouping.keeps("cluster"))
                .map(Grouping::word)
                .toList();
    }

    /** All clusters is whatever the label is, also none: nobody has to give it. */
    @ParameterizedTest
    @CsvSource({
        "hearth-dashboard.json, server_region_count, host, hostname",
        "hearth-slo-dashboard.json, hearth_slo_probes_due_total, kind, kind"
    })
    void theClusterIsChosenBeforeWhatIsInIt(String file, String metric, String name, String label) {
        Path dashboard = MonitoringFiles.DASHBOARD.resolveSibling(file);

        assertThat(MonitoringFiles.variables(dashboard))
                .containsExactly(
                        new Variable("cluster", metric, "cluster"),
                        new Variable(name, metric + "{cluster=~\"$cluster\"}", label));
        JsonObject cluster = MonitoringFiles.json(dashboard)
                .getAsJsonObject("templating")
                .getAsJsonArray("list")
                .get(1)
                .getAsJsonObject();
        assertThat(cluster.get("name").getAsString()).isEqualTo("cluster");
        assertThat(cluster.get("multi").getAsBoolean()).isTrue();
        assertThat(cluster.get("includeAll").getAsBoolean()).isTrue();
        assertThat(cluster.get("allValue").getAsString()).isEqualTo(".*");
        assertThat(cluster.getAsJsonObject("current").get("value").getAsString())
                .isEqualTo("$__all");
    }

    @Test
    void theAlertsJudgeEachClusterByItself() {
        assertThat(whatDropsTheCluster(MonitoringFiles.ALERTS)).isEmpty();
    }

    /** That nobody counts in any cluster has no cluster's label. */
    @Test
    void theRulesOfObjectivesJudgeEachClusterByItself() {
        assertThat(MonitoringFiles.rules(MonitoringFiles.SLO_ALERTS)).hasSizeGreaterThan(20);
        assertThat(whatDropsTheCluster(MonitoringFiles.SLO_ALERTS))
                .containsExactly("HearthSloWatchSilent: on", "HearthSloWatchSilent: absent");
    }

    private static List<String> whatDropsTheCluster(Path rules) {
        return MonitoringFiles.rules(rules).stream()
                .flatMap(rule -> whatDropsTheCluster(rule.expression()).stream().map(word -> rule.name() + ": " + word))
                .toList();
    }

    @Test
    void whatGrafanaWouldNotTakeIsNoticed() {
        JsonObject dashboard = MonitoringFiles.json(MonitoringFiles.SLO_DASHBOARD);
        dashboard.addProperty("uid", "two words");
        dashboard.remove("time");
        JsonObject panel = dashboard.getAsJsonArray("panels").get(1).getAsJsonObject();
        panel.addProperty("id", 3);
        panel.getAsJsonObject("gridPos").addProperty("w", 9);
        panel.getAsJsonObject("fieldConfig").getAsJsonObject("defaults").addProperty("unit", "furlongs");
        JsonObject target = panel.getAsJsonArray("targets").get(0).getAsJsonObject();
        target.addProperty("expr", "up{server=\"$server\"}");
        target.remove("refId");

        assertThat(GrafanaSchema.problems(dashboard))
                .containsExactly(
                        "uid is \"two words\"",
                        "time is missing",
                        "Error budget left: fieldConfig.defaults.unit is \"furlongs\"",
                        "Error budget left: targets[0].refId is missing",
                        "Error budget left: no variable $server",
                        "Alerts on burn rates: id 3 is another's",
                        "Alerts on burn rates: it is where Error budget left is");
    }

    /** Grafana asks for a variable's values in their order. */
    @Test
    void aVariableThatIsAskedForBeforeWhatItNeedsIsNoticed() {
        JsonObject dashboard = MonitoringFiles.json(MonitoringFiles.SLO_DASHBOARD);
        JsonArray variables = dashboard.getAsJsonObject("templating").getAsJsonArray("list");
        JsonObject cluster = variables.remove(1).getAsJsonObject();
        cluster.remove("allValue");
        variables.add(cluster);

        assertThat(GrafanaSchema.problems(dashboard))
                .containsExactly("variable kind: no variable $cluster", "variable cluster: allValue is missing");
    }

    /** By the text that the watch makes, with an objective whose alerts are known. */
    @Test
    void whatIsAskedOfTheSloWatchItPrints() {
        List<Objective> objectives = ObjectivesFile.parse("99 % of gets under 5 ms, 30 days", "objectives")
                .objectives();
        ObjectiveTracker tracker = new ObjectiveTracker(objectives);
        SloMetrics metrics = new SloMetrics(objectives);
        for (long second = 0; second < 600; second++) {
            ProbeResult probe = new ProbeResult(ProbeKind.GET, "h:1", second * 1_000, 1_000, Outcome.ANSWERED);
            tracker.accept(probe);
            metrics.accept(probe);
        }
        metrics.accept(new TimelineRead(10, 0, 1_000, TimelineRead.Answer.STALE));
        ExportedMetrics printed = ExportedMetrics.of(metrics.text(tracker.status(599_000)));

        assertThat(MonitoringFiles.sloWatchSelectors())
                .hasSizeGreaterThan(15)
                .allSatisfy(selector ->
                        assertThat(printed.has(selector)).as("%s", selector).isTrue());
    }

    /** By the names that Hadoop's sink makes of those of the beans. */
    @Test
    void whatIsAskedOfDataNodesTheyPrint() {
        Set<String> printed = new TreeSet<>(MetricsPage.readCachePrometheusNames());
        PrometheusMetricsSink sink = new PrometheusMetricsSink();
        for (Field field : DataNodeMetrics.class.getDeclaredFields()) {
            String name = StringUtils.capitalize(field.getName());
            printed.add(sink.prometheusName("datanode", name));
            if (field.getType() == MutableRate.class) {
                printed.add(sink.prometheusName("datanode", name + "AvgTime"));
            }
        }

        assertThat(MonitoringFiles.dataNodeSelectors()).hasSizeGreaterThan(15).allSatisfy(selector -> {
            assertThat(printed).contains(selector.metric());
            assertThat(selector.patternByLabel()).isEmpty();
        });
    }

    /** Which SSD to buy is read off from what each simulated cache would have served and written. */
    @Test
    void whatSimulatedCachesWouldDoIsOnTheDashboard() {
        assertThat(MonitoringFiles.dataNodeSelectors().map(Selector::metric))
                .contains(
                        "hearth_read_cache_shadow_ssd_bytes",
                        "hearth_read_cache_shadow_client_bytes",
                        "hearth_read_cache_shadow_written_bytes");
    }

    /** Each reason for which something was not cached is a line of the panel on them. */
    @Test
    void everyReasonForARejectedFillIsOnTheDashboard() {
        String panel = MonitoringFiles.panels(MonitoringFiles.DASHBOARD).stream()
                .filter(candidate -> candidate.title().equals("Fills rejected"))
                .flatMap(candidate -> candidate.expressions().stream())
                .collect(Collectors.joining(" "));

        assertThat(MetricsPage.readCachePrometheusNames().stream()
                        .filter(name -> name.startsWith("hearth_read_cache_rejected_"))
                        // Most blocks are never read often enough.
                        .filter(name -> !name.endsWith("_not_admitted")))
                .hasSizeGreaterThan(5)
                .allSatisfy(name -> assertThat(panel).contains("(" + name + "{"));
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
                .containsExactly("/prometheus", "/prometheus", "/prom", "/metrics");
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
