// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.docs.PromExpression.Selector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The dashboards and the alert rules of {@code conf/}. */
public final class MonitoringFiles {

    static final Path DASHBOARD = ConfFilesTest.CONF.resolve("grafana/hearth-dashboard.json");
    static final Path SLO_DASHBOARD = ConfFilesTest.CONF.resolve("grafana/hearth-slo-dashboard.json");
    static final Path ALERTS = ConfFilesTest.CONF.resolve("prometheus/hearth-alerts.yml");
    static final Path SCRAPE = ConfFilesTest.CONF.resolve("prometheus/scrape.yml");

    /** One alert rule. Immutable. */
    record Alert(String name, String expression, Map<String, String> labels, Map<String, String> annotations) {}

    /** One panel of a dashboard that shows something. Immutable. */
    record Panel(String title, String unit, List<String> expressions) {}

    private MonitoringFiles() {}

    /** What of these files' expressions on HBase and of docs/metrics.md nobody has printed at {@code /prometheus}. */
    public static Set<String> missingNames(String... prometheus) {
        Set<String> missing = new TreeSet<>(MetricsPage.prometheusNames());
        selectors().map(Selector::metric).forEach(missing::add);
        missing.removeAll(ExportedMetrics.of(prometheus).names());
        return missing;
    }

    /** What is asked of HMasters and RegionServers. */
    static Stream<Selector> selectors() {
        return allSelectors().filter(selector -> !isOfDataNodes(selector) && !isOfSloWatch(selector));
    }

    /** What is asked of DataNodes, which print it at {@code /prom}. */
    static Stream<Selector> dataNodeSelectors() {
        return allSelectors().filter(MonitoringFiles::isOfDataNodes);
    }

    private static boolean isOfDataNodes(Selector selector) {
        return selector.metric().startsWith("hearth_read_cache_");
    }

    /** What is asked of the SLO watch, which prints it at {@code /metrics}. */
    static Stream<Selector> sloWatchSelectors() {
        return allSelectors().filter(MonitoringFiles::isOfSloWatch);
    }

    private static boolean isOfSloWatch(Selector selector) {
        return selector.metric().startsWith("hearth_slo_");
    }

    private static Stream<Selector> allSelectors() {
        return Stream.concat(
                        alerts().stream().map(Alert::expression),
                        Stream.of(DASHBOARD, SLO_DASHBOARD)
                                .flatMap(file -> panels(file).stream())
                                .flatMap(panel -> panel.expressions().stream()))
                // The dashboards' variables; all of their values until somebody chooses.
                .map(expression -> expression.replace("$host", ".*").replace("$kind", ".*"))
                .flatMap(expression -> PromExpression.selectors(expression).stream());
    }

    static List<Alert> alerts() {
        List<Alert> alerts = new ArrayList<>();
        for (Map<String, Object> group : maps(yaml(ALERTS).get("groups"))) {
            for (Map<String, Object> rule : maps(group.get("rules"))) {
                alerts.add(new Alert(
                        (String) rule.get("alert"),
                        (String) rule.get("expr"),
                        words(rule.get("labels")),
                        words(rule.get("annotations"))));
            }
        }
        return alerts;
    }

    static List<Panel> panels(Path dashboard) {
        List<Panel> panels = new ArrayList<>();
        for (JsonElement element : json(dashboard).getAsJsonArray("panels")) {
            JsonObject panel = element.getAsJsonObject();
            if (!panel.get("type").getAsString().equals("row")) {
                panels.add(new Panel(
                        panel.get("title").getAsString(),
                        panel.getAsJsonObject("fieldConfig")
                                .getAsJsonObject("defaults")
                                .get("unit")
                                .getAsString(),
                        panel.getAsJsonArray("targets").asList().stream()
                                .map(target ->
                                        target.getAsJsonObject().get("expr").getAsString())
                                .toList()));
            }
        }
        return panels;
    }

    static JsonObject json(Path dashboard) {
        return JsonParser.parseString(text(dashboard)).getAsJsonObject();
    }

    static Map<String, Object> yaml(Path file) {
        return new Yaml(new SafeConstructor(new LoaderOptions())).load(text(file));
    }

    @SuppressWarnings("unchecked") // A file of another shape fails the test.
    static List<Map<String, Object>> maps(Object list) {
        return (List<Map<String, Object>>) list;
    }

    @SuppressWarnings("unchecked") // A file of another shape fails the test.
    private static Map<String, String> words(Object map) {
        return (Map<String, String>) map;
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
