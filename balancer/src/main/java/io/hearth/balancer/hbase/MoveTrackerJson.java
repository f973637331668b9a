// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.tracking.PinnedRegion;
import io.hearth.balancer.tracking.Prediction;
import io.hearth.common.model.LoadDimension;
import java.util.Collection;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** What the balancer remembers as JSON; times are in milliseconds since 1970. */
public final class MoveTrackerJson {

    private MoveTrackerJson() {}

    /** These pins: which region stays where, since and until when, who wanted it and why. */
    public static JsonArray pins(Collection<PinnedRegion> pins) {
        JsonArray all = new JsonArray();
        pins.forEach(pin -> all.add(of(pin)));
        return all;
    }

    /** One pin. */
    public static JsonObject of(PinnedRegion pin) {
        JsonObject json = new JsonObject();
        json.addProperty("region", pin.region().encodedName());
        json.addProperty("table", pin.table().name());
        json.addProperty("server", pin.server().toString());
        json.addProperty("pin", pin.pin().name());
        json.addProperty("who", pin.who());
        json.addProperty("why", pin.why());
        json.addProperty("sinceMs", pin.sinceMs());
        json.addProperty("untilMs", pin.untilMs());
        return json;
    }

    /** What each run predicted and what came of it. */
    public static JsonArray predictionLog(Collection<Prediction> entries) {
        JsonArray all = new JsonArray();
        entries.forEach(entry -> all.add(of(entry)));
        return all;
    }

    private static JsonObject of(Prediction entry) {
        JsonObject json = new JsonObject();
        json.addProperty("runAtMs", entry.runAtMs());
        json.addProperty("moves", entry.moves());
        json.addProperty("movesNotMade", entry.movesNotMade());
        json.add("predicted", maxOverMean(entry.predicted()));
        json.add("bound", maxOverMean(entry.bound()));
        json.add("observed", maxOverMean(entry.observed()));
        json.addProperty("outcome", entry.outcome().name());
        entry.evaluatedAtMs().ifPresent(evaluatedAtMs -> json.addProperty("evaluatedAtMs", evaluatedAtMs));
        return json;
    }

    /** Max/mean by dimension, of those that have one. */
    static JsonObject maxOverMean(Map<LoadDimension, Double> maxOverMean) {
        JsonObject json = new JsonObject();
        for (LoadDimension dimension : LoadDimension.values()) {
            Double value = maxOverMean.get(dimension);
            if (value != null) {
                json.addProperty(dimension.jsonName(), value);
            }
        }
        return json;
    }
}
