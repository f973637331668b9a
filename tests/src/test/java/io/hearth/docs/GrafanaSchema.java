// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Grafana's dashboard model, as of schema version 39, asks of the fields that our dashboards have: which must be there, of which type,
 * in which range, and that panels do not lie on each other. Not thread-safe.
 */
final class GrafanaSchema {

    private static final int COLUMNS = 24;

    /** Of Grafana's units those that measure something of ours. */
    private static final Set<String> UNITS =
            Set.of("none", "short", "percent", "percentunit", "bytes", "Bps", "reqps", "ops", "ms", "s");

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([A-Za-z_]\\w*)");

    private static final List<Field> OF_DASHBOARD = List.of(
            new Field("title", text(".+")),
            new Field("uid", text("[A-Za-z0-9_-]{1,40}")),
            new Field("schemaVersion", wholeNumber(39, 39)),
            new Field("version", wholeNumber(1, Integer.MAX_VALUE)),
            new Field("refresh", text("\\d+[smhd]")),
            new Field("time", JsonElement::isJsonObject),
            new Field("templating", JsonElement::isJsonObject),
            new Field("panels", JsonElement::isJsonArray));

    private static final List<Field> OF_ROW = List.of(
            new Field("id", wholeNumber(1, Integer.MAX_VALUE)),
            new Field("title", text(".+")),
            new Field("gridPos", JsonElement::isJsonObject),
            new Field("collapsed", JsonElement::isJsonPrimitive),
            new Field("panels", JsonElement::isJsonArray));

    private static final List<Field> OF_PANEL = List.of(
            new Field("id", wholeNumber(1, Integer.MAX_VALUE)),
            new Field("type", text("timeseries|stat")),
            new Field("title", text(".+")),
            new Field("datasource.type", text("prometheus")),
            new Field("datasource.uid", text("\\$\\{datasource\\}")),
            new Field("gridPos", JsonElement::isJsonObject),
            new Field("fieldConfig.defaults.unit", unit -> UNITS.contains(unit.getAsString())),
            new Field("fieldConfig.overrides", JsonElement::isJsonArray),
            new Field("options", JsonElement::isJsonObject),
            new Field(
                    "targets",
                    targets ->
                            targets.isJsonArray() && !targets.getAsJsonArray().isEmpty()));

    private static final List<Field> OF_TARGET = List.of(
            new Field("refId", text("[A-Z]")),
            new Field("datasource.type", text("prometheus")),
            new Field("datasource.uid", text("\\$\\{datasource\\}")),
            new Field("expr", text("(?s).+")),
            new Field("legendFormat", text(".+")));

    private static final List<Field> OF_VARIABLE = List.of(
            new Field("name", text("\\w+")),
            new Field("label", text(".+")),
            new Field("type", text("datasource|query")));

    private static final List<Field> OF_QUERIED_VARIABLE = List.of(
            new Field("datasource.type", text("prometheus")),
            new Field("datasource.uid", text("\\$\\{datasource\\}")),
            new Field("query.query", text("label_values\\(.+, \\w+\\)")),
            new Field("query.refId", text("\\w+")),
            new Field("refresh", wholeNumber(1, 2)),
            new Field("multi", JsonElement::isJsonPrimitive),
            new Field("includeAll", JsonElement::isJsonPrimitive),
            new Field("allValue", text(".+")),
            new Field("current.value", text("\\$__all")));

    private final JsonObject dashboard;
    private final List<String> problems = new ArrayList<>();
    private final Set<String> variables = new HashSet<>(Set.of("__rate_interval"));
    private final Set<Integer> ids = new HashSet<>();
    private final Map<String, Place> placeByTitle = new TreeMap<>();

    /**
     * A field that has to be there.
     *
     * @param path names with dots between them
     */
    private record Field(String path, Predicate<JsonElement> isRight) {}

    private record Place(int x, int y, int width, int height) {

        boolean overlaps(Place other) {
            return x < other.x + other.width
                    && other.x < x + width
                    && y < other.y + other.height
                    && other.y < y + height;
        }
    }

    private GrafanaSchema(JsonObject dashboard) {
        this.dashboard = dashboard;
    }

    /** What is wrong with it, one line each; empty if nothing is. */
    static List<String> problems(JsonObject dashboard) {
        GrafanaSchema schema = new GrafanaSchema(dashboard);
        schema.check("", dashboard, OF_DASHBOARD);
        schema.variables();
        dashboard.getAsJsonArray("panels").forEach(panel -> schema.panel(panel.getAsJsonObject()));
        return schema.problems;
    }

    private void variables() {
        for (JsonElement element : dashboard.getAsJsonObject("templating").getAsJsonArray("list")) {
            JsonObject variable = element.getAsJsonObject();
            check("a variable: ", variable, OF_VARIABLE);
            String name = variable.get("name").getAsString();
            if (variable.get("type").getAsString().equals("query")) {
                String prefix = "variable " + name + ": ";
                check(prefix, variable, OF_QUERIED_VARIABLE);
                used(prefix, variable.getAsJsonObject("query").get("query").getAsString());
            }
            variables.add(name);
        }
    }

    private void used(String prefix, String query) {
        Matcher used = VARIABLE.matcher(query);
        while (used.find()) {
            if (!variables.contains(used.group(1))) {
                problems.add(prefix + "no variable $" + used.group(1));
            }
        }
    }

    private void panel(JsonObject panel) {
        String title = panel.get("title").getAsString();
        String prefix = title + ": ";
        boolean isRow = panel.get("type").getAsString().equals("row");
        check(prefix, panel, isRow ? OF_ROW : OF_PANEL);
        if (!ids.add(panel.get("id").getAsInt())) {
            problems.add(prefix + "id " + panel.get("id").getAsInt() + " is another's");
        }
        place(title, panel.getAsJsonObject("gridPos"));
        if (!isRow) {
            targets(prefix, panel.getAsJsonArray("targets"));
        }
    }

    private void place(String title, JsonObject grid) {
        Place place = new Place(
                grid.get("x").getAsInt(),
                grid.get("y").getAsInt(),
                grid.get("w").getAsInt(),
                grid.get("h").getAsInt());
        if (place.x < 0 || place.y < 0 || place.width < 1 || place.height < 1 || place.x + place.width > COLUMNS) {
            problems.add(title + ": gridPos is " + grid);
        }
        placeByTitle.forEach((other, taken) -> {
            if (taken.overlaps(place)) {
                problems.add(title + ": it is where " + other + " is");
            }
        });
        placeByTitle.put(title, place);
    }

    private void targets(String prefix, JsonArray targets) {
        Set<String> refIds = new HashSet<>();
        for (int number = 0; number < targets.size(); number++) {
            JsonObject target = targets.get(number).getAsJsonObject();
            check(prefix + "targets[" + number + "].", target, OF_TARGET);
            if (target.has("refId") && !refIds.add(target.get("refId").getAsString())) {
                problems.add(prefix + "targets[" + number + "].refId is another's");
            }
            used(prefix, target.get("expr").getAsString());
        }
    }

    private void check(String prefix, JsonObject object, List<Field> fields) {
        for (Field field : fields) {
            JsonElement value = object;
            for (String name : field.path().split("\\.")) {
                value = value != null && value.isJsonObject()
                        ? value.getAsJsonObject().get(name)
                        : null;
            }
            if (value == null) {
                problems.add(prefix + field.path() + " is missing");
            } else if (!field.isRight().test(value)) {
                problems.add(prefix + field.path() + " is " + value);
            }
        }
    }

    private static Predicate<JsonElement> text(String pattern) {
        return value -> value.isJsonPrimitive()
                && value.getAsJsonPrimitive().isString()
                && value.getAsString().matches(pattern);
    }

    private static Predicate<JsonElement> wholeNumber(int least, int most) {
        return value -> value.isJsonPrimitive()
                && value.getAsJsonPrimitive().isNumber()
                && value.getAsDouble() == Math.rint(value.getAsDouble())
                && value.getAsDouble() >= least
                && value.getAsDouble() <= most;
    }
}
