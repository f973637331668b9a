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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The dashboards and the alert rules of {@code conf/}. */
public final class MonitoringFiles {

    static final Path DASHBOARD = ConfFilesTest.CONF.resolve("grafana/hearth-dashboard.json");
    static final Path SLO_DASHBOARD = ConfFilesTest.CONF.resolve("grafana/hearth-slo-dashboard.json");
    static final Path ALERTS = ConfFilesTest.CONF.resolve("prometheus/hearth-alerts.yml");
    static final Path SLO_ALERTS = ConfFilesTest.CONF.resolve("prometheus/hearth-slo-alerts.yml");
    static final Path SCRAPE = ConfFilesTest.CONF.resolve("prometheus/scrape.yml");

    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.+), (\\w+)\\)");

    /** One alert rule. Immutable. */
    record Alert(String name, String expression, Map<String, String> labels, Map<String, String> annotations) {}

    /** A rule, be it an alert or something recorded. Immutable. */
    record Rule(String name, String expression) {}

    /** One panel of a dashboard that shows something. Immutable. */
    record Panel(String title, String unit, List<String> expressions, List<String> legends) {}

    /**
     * A variable of a dashboard whose values are those of a label. Immutable.
     *
     * @param expression the series whose label it is
     */
    record Variable(String name, String expression, String label) {}

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
        return Stream.of("hearth_read_cache_", "datanode_").anyMatch(selector.metric()::startsWith);
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
                                .flatMap(file -> Stream.concat(
                                        variables(file).stream().map(Variable::expression),
                                        panels(file).stream().flatMap(panel -> panel.expressions().stream()))))
                // The dashboards' variables; all of their values until somebody chooses.
                .map(expression -> expression.replace("$host", ".*").replace("$kind", ".*"))
                .flatMap(expression -> PromExpression.selectors(expression).stream())
                // Prometheus' own label, which no server prints.
                .map(selector -> selector.without("cluster"));
    }

    static List<Rule> rules(Path file) {
        return ruleMaps(file)
                .map(rule ->
                        new Rule((String) rule.getOrDefault("alert", rule.get("record")), (String) rule.get("expr")))
                .toList();
    }

    private static Stream<Map<String, Object>> ruleMaps(Path file) {
        return maps(yaml(file).get("groups")).stream().flatMap(group -> maps(group.get("rules")).stream());
    }

    static List<Alert> alerts() {
        return ruleMaps(ALERTS)
                .map(rule -> new Alert(
                        (String) rule.get("alert"),
                        (String) rule.get("expr"),
                        words(rule.get("labels")),
                        words(rule.get("annotations"))))
                .toList();
    }

    static List<Variable> variables(Path dashboard) {
        List<Variable> variables = new ArrayList<>();
        for (JsonElement element : json(dashboard).getAsJsonObject("templating").getAsJsonArray("list")) {
            JsonObject variable = element.getAsJsonObject();
            if (variable.get("type").getAsString().equals("query")) {
                String query = variable.getAsJsonObject("query").get("query").getAsString();
                Matcher values = LABEL_VALUES.matcher(query);
                if (!values.matches()) {
                    throw new IllegalArgumentException("Not the values of a label: " + query);
                }
                variables.add(new Variable(variable.get("name").getAsString(), values.group(1), values.group(2)));
            }
        }
        return variables;
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
                        ofTargets(panel, "expr"),
                        ofTargets(panel, "legendFormat")));
            }
        }
        return panels;
    }

    private static List<String> ofTargets(JsonObject panel, String field) {
        return panel.getAsJsonArray("targets").asList().stream()
                .map(target -> target.getAsJsonObject().get(field).getAsString())
                .toList();
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
