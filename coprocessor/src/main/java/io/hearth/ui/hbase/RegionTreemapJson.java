// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.common.model.ServerId;
import io.hearth.ui.model.Page;
import io.hearth.ui.model.Page.RegionTreemap.Cell;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * The picture's cells as short JSON: a column each for table, store size in kibibytes, requests a second (three digits) and local
 * percent; 100,000 cells are about 2 MB. Made for one page.
 */
final class RegionTreemapJson {

    private static final int CHARACTERS_PER_CELL = 20;
    private static final int DIGITS = 3;
    private static final double MAX_SCALE = 1_000;
    private static final long KIBIBYTE = 1024;

    private final Page page;
    private final Map<String, Integer> indexByTable = new HashMap<>();
    private final List<String> tables = new ArrayList<>();
    private final StringBuilder json;

    private RegionTreemapJson(Page page) {
        this.page = page;
        json = new StringBuilder(CHARACTERS_PER_CELL * page.treemap().cells().size());
    }

    static String of(Page page) {
        return new RegionTreemapJson(page).text();
    }

    private String text() {
        json.append("{\"atMs\":").append(page.input().atMs());
        json.append(",\"leftOut\":").append(page.treemap().left());
        json.append(",\"servers\":").append(servers());
        column("table", (out, cell) -> out.append(table(cell)));
        column("kib", (out, cell) -> out.append(cell.storeBytes() / KIBIBYTE));
        column("requests", (out, cell) -> number(out, cell.requestsPerSecond()));
        column("local", (out, cell) -> out.append(cell.localPercent()));
        JsonArray names = new JsonArray();
        tables.forEach(names::add);
        return json.append(",\"tables\":").append(names).append('}').toString();
    }

    private void column(String name, BiConsumer<StringBuilder, Cell> value) {
        json.append(",\"").append(name).append("\":[");
        String comma = "";
        for (Cell cell : page.treemap().cells()) {
            json.append(comma);
            value.accept(json, cell);
            comma = ",";
        }
        json.append(']');
    }

    private int table(Cell cell) {
        return indexByTable.computeIfAbsent(cell.table().name(), added -> {
            tables.add(added);
            return tables.size() - 1;
        });
    }

    private JsonArray servers() {
        JsonArray all = new JsonArray();
        for (int index = 0; index < page.servers().size(); index++) {
            ServerId server = page.servers().get(index).server();
            JsonObject one = new JsonObject();
            one.addProperty("name", server.host() + ":" + server.port());
            one.addProperty("rack", page.servers().get(index).state().rack());
            one.addProperty("first", page.treemap().firstOfServer().get(index));
            all.add(one);
        }
        return all;
    }

    /** With three digits; a whole number without a point. */
    private static void number(StringBuilder out, double value) {
        double scale = value > 0 ? Math.pow(10, Math.max(0, DIGITS - 1 - Math.floor(Math.log10(value)))) : 1;
        double rounded = Math.rint(value * Math.min(scale, MAX_SCALE)) / Math.min(scale, MAX_SCALE);
        if (rounded == Math.rint(rounded)) {
            out.append((long) rounded);
        } else {
            out.append(rounded);
        }
    }
}
