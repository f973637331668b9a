// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.bench.opentsdb.TsdClient.MetricNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a TSD's answers say. Pure functions of their texts. */
final class TsdResponses {

    private TsdResponses() {}

    /** The UIDs that {@code /api/uid/assign} gave, by name. */
    static Map<String, Integer> uids(String answer, String kind) throws IOException {
        Map<String, Integer> uids = new HashMap<>();
        for (Map.Entry<String, JsonElement> entry :
                object(answer).getAsJsonObject(kind).entrySet()) {
            uids.put(entry.getKey(), Integer.parseInt(entry.getValue().getAsString(), 16));
        }
        return uids;
    }

    /** Why points of {@code /api/put} were not stored, by the first of them; empty if all were. */
    static String refusal(String answer) throws IOException {
        JsonObject summary = object(answer);
        int failed = summary.get("failed").getAsInt();
        if (failed == 0) {
            return "";
        }
        String first = summary.getAsJsonArray("errors").isEmpty()
                ? "no reason"
                : summary.getAsJsonArray("errors")
                        .get(0)
                        .getAsJsonObject()
                        .get("error")
                        .getAsString();
        return failed + " points were refused, the first for: "
                + first.lines().findFirst().orElse("");
    }

    /** The values that {@code /api/query} found, by host and by time in milliseconds; hosts are known by their names. */
    static List<Map<Long, Long>> values(String answer, int hosts) throws IOException {
        List<Map<Long, Long>> valueByTimeByHost = new ArrayList<>();
        for (int host = 0; host < hosts; host++) {
            valueByTimeByHost.add(new HashMap<>());
        }
        for (JsonElement series : parse(answer).getAsJsonArray()) {
            String tag = series.getAsJsonObject()
                    .getAsJsonObject("tags")
                    .get(MetricNames.TAG)
                    .getAsString();
            Map<Long, Long> valueByTime = valueByTimeByHost.get(MetricNames.hostOf(tag));
            series.getAsJsonObject()
                    .getAsJsonObject("dps")
                    .entrySet()
                    .forEach(entry -> valueByTime.put(
                            Long.parseLong(entry.getKey()), entry.getValue().getAsLong()));
        }
        return valueByTimeByHost;
    }

    private static JsonObject object(String answer) throws IOException {
        JsonElement element = parse(answer);
        if (!element.isJsonObject()) {
            throw new IOException("The TSD answered: " + answer);
        }
        return element.getAsJsonObject();
    }

    private static JsonElement parse(String answer) throws IOException {
        try {
            return JsonParser.parseString(answer);
        } catch (RuntimeException e) {
            throw new IOException("The TSD answered no JSON: " + answer, e);
        }
    }
}
