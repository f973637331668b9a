// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.engine.Advice;
import io.hearth.balancer.engine.Advice.DailyAdvice;
import java.util.Collection;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** What Hearth would have done beside what the stock balancer did, as JSON; times are in milliseconds since 1970. */
public final class AdviceJson {

    private AdviceJson() {}

    /** These runs, in their order. */
    public static JsonArray runs(Collection<Advice> runs) {
        JsonArray all = new JsonArray();
        runs.forEach(run -> all.add(of(run)));
        return all;
    }

    private static JsonObject of(Advice run) {
        JsonObject json = new JsonObject();
        json.addProperty("atMs", run.atMs());
        json.addProperty("scope", run.scope());
        json.addProperty("why", run.why());
        json.add("before", MoveTrackerJson.maxOverMean(run.before()));
        JsonObject hearth = new JsonObject();
        hearth.addProperty("moves", run.hearthMoves());
        hearth.addProperty("summary", run.hearth());
        hearth.add("after", MoveTrackerJson.maxOverMean(run.hearthAfter()));
        json.add("hearth", hearth);
        JsonObject stock = new JsonObject();
        stock.addProperty("moves", run.stock().moves());
        stock.addProperty("costs", run.stock().costs());
        stock.add("after", MoveTrackerJson.maxOverMean(run.stock().maxOverMeanAfter()));
        JsonArray moves = new JsonArray();
        run.stock().firstMoves().forEach(moves::add);
        stock.add("firstMoves", moves);
        json.add("stock", stock);
        json.add("observed", MoveTrackerJson.maxOverMean(run.observed()));
        run.observedAtMs().ifPresent(atMs -> json.addProperty("observedAtMs", atMs));
        return json;
    }

    /** These days, in their order. */
    public static JsonArray days(Collection<DailyAdvice> days) {
        JsonArray all = new JsonArray();
        days.forEach(day -> {
            JsonObject json = new JsonObject();
            json.addProperty("startMs", day.startMs());
            json.addProperty("plans", day.plans());
            json.addProperty("plansWithMoves", day.plansWithMoves());
            json.addProperty("stockMoves", day.stockMoves());
            json.add("mean", MoveTrackerJson.maxOverMean(day.meanBefore()));
            json.add("meanHearth", MoveTrackerJson.maxOverMean(day.meanHearth()));
            all.add(json);
        });
        return all;
    }
}
