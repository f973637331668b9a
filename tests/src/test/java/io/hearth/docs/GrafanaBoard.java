// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A dashboard as Grafana asks Prometheus for it while nobody has chosen anything: each variable stands for all of its values. Immutable.
 *
 * @param panels in the file's order, headings among them
 */
record GrafanaBoard(List<Panel> panels, List<Variable> variables) {

    private static final String RATE_INTERVAL = "__rate_interval";

    /** What stands for all values of a variable that has no pattern of its own for them. */
    private static final String ANY = ".*";

    private static final Pattern LABEL_VALUES =
            Pattern.compile("label_values\\((?:(?<selector>.+),)?\\s*(?<label>\\w+)\\s*\\)");
    private static final Pattern OF_LABEL = Pattern.compile("\\{\\{\\s*(\\w+)\\s*}}");

    /**
     * One panel, or a heading over some, which asks for nothing.
     *
     * @param unit as Grafana names it
     */
    record Panel(String title, String unit, Place place, List<Target> targets) {}

    /** Where a panel is, in 24 columns and in lines. */
    record Place(int x, int y, int width, int height) {}

    /**
     * What a panel asks for.
     *
     * @param legend what its lines are called, with labels in braces
     */
    record Target(String expression, String legend) {

        /** The labels that its lines are called by. */
        Set<String> labels() {
            Set<String> labels = new TreeSet<>();
            OF_LABEL.matcher(legend).results().forEach(found -> labels.add(found.group(1)));
            return labels;
        }

        /** What the line with these labels is called. */
        String name(Map<String, String> labels) {
            return OF_LABEL.matcher(legend)
                    .replaceAll(found -> Matcher.quoteReplacement(labels.getOrDefault(found.group(1), "?")));
        }
    }

    /**
     * A variable, whose values are those of a label.
     *
     * @param selector which series are asked; empty for all
     */
    record Variable(String name, Optional<String> selector, String label) {}

    /** @param rateInterval what {@code $__rate_interval} stands for */
    static GrafanaBoard of(Path file, String rateInterval) {
        JsonObject board = MonitoringFiles.json(file);
        List<JsonObject> queries = board.getAsJsonObject("templating").getAsJsonArray("list").asList().stream()
                .map(JsonElement::getAsJsonObject)
                .filter(variable -> variable.get("type").getAsString().equals("query"))
                .toList();
        Map<String, String> values = new LinkedHashMap<>(Map.of(RATE_INTERVAL, rateInterval));
        queries.forEach(variable -> values.put(
                variable.get("name").getAsString(),
                variable.has("allValue") ? variable.get("allValue").getAsString() : ANY));
        return new GrafanaBoard(
                board.getAsJsonArray("panels").asList().stream()
                        .map(panel -> panel(panel.getAsJsonObject(), values))
                        .toList(),
                queries.stream().map(variable -> variable(variable, values)).toList());
    }

    private static Panel panel(JsonObject panel, Map<String, String> values) {
        JsonObject place = panel.getAsJsonObject("gridPos");
        List<Target> targets = new ArrayList<>();
        if (panel.has("targets")) {
            for (JsonElement element : panel.getAsJsonArray("targets")) {
                JsonObject target = element.getAsJsonObject();
                targets.add(new Target(
                        filled(target.get("expr").getAsString(), values),
                        target.get("legendFormat").getAsString()));
            }
        }
        return new Panel(
                panel.get("title").getAsString(),
                targets.isEmpty() ? "" : unit(panel),
                new Place(
                        place.get("x").getAsInt(),
                        place.get("y").getAsInt(),
                        place.get("w").getAsInt(),
                        place.get("h").getAsInt()),
                List.copyOf(targets));
    }

    private static String unit(JsonObject panel) {
        return panel.getAsJsonObject("fieldConfig")
                .getAsJsonObject("defaults")
                .get("unit")
                .getAsString();
    }

    private static Variable variable(JsonObject variable, Map<String, String> values) {
        JsonElement query = variable.get("query");
        String text =
                query.isJsonObject() ? query.getAsJsonObject().get("query").getAsString() : query.getAsString();
        Matcher found = LABEL_VALUES.matcher(filled(text, values));
        if (!found.matches()) {
            throw new IllegalArgumentException("A query of another form than label_values: " + text);
        }
        return new Variable(
                variable.get("name").getAsString(), Optional.ofNullable(found.group("selector")), found.group("label"));
    }

    /** The text with these values in the places of variables. */
    private static String filled(String text, Map<String, String> values) {
        String filled = text;
        for (Map.Entry<String, String> value : values.entrySet()) {
            filled = Pattern.compile("\\$(?:\\{" + value.getKey() + "(?::\\w+)?}|" + value.getKey() + "\\b)")
                    .matcher(filled)
                    .replaceAll(Matcher.quoteReplacement(value.getValue()));
        }
        if (filled.contains("$")) {
            throw new IllegalArgumentException("A variable that the board has not: " + filled);
        }
        return filled;
    }
}
