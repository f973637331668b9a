package io.hearth.balancer.hbase;

import io.hearth.balancer.engine.Advice;
import io.hearth.balancer.engine.AdviceDay;
import io.hearth.balancer.load.LoadDimension;
import java.util.Collection;
import java.util.Map;
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
        json.add("before", of(run.before()));
        JsonObject hearth = new JsonObject();
        hearth.addProperty("moves", run.hearthMoves());
        hearth.addProperty("summary", run.hearth());
        hearth.add("after", of(run.hearthAfter()));
        json.add("hearth", hearth);
        JsonObject stock = new JsonObject();
        stock.addProperty("moves", run.stock().moves());
        stock.addProperty("costs", run.stock().costs());
        stock.add("after", of(run.stock().maxOverMeanAfter()));
        JsonArray moves = new JsonArray();
        run.stock().firstMoves().forEach(moves::add);
        stock.add("firstMoves", moves);
        json.add("stock", stock);
        json.add("seen", of(run.seen()));
        run.seenAtMs().ifPresent(atMs -> json.addProperty("seenAtMs", atMs));
        return json;
    }

    /** These days, in their order. */
    public static JsonArray days(Collection<AdviceDay> days) {
        JsonArray all = new JsonArray();
        days.forEach(day -> {
            JsonObject json = new JsonObject();
            json.addProperty("startMs", day.startMs());
            json.addProperty("plans", day.plans());
            json.addProperty("plansWithMoves", day.plansWithMoves());
            json.addProperty("stockMoves", day.stockMoves());
            json.add("mean", of(day.meanBefore()));
            json.add("meanHearth", of(day.meanHearth()));
            all.add(json);
        });
        return all;
    }

    private static JsonObject of(Map<LoadDimension, Double> maxOverMean) {
        JsonObject json = new JsonObject();
        for (LoadDimension dimension : LoadDimension.values()) {
            Double value = maxOverMean.get(dimension);
            if (value != null) {
                json.addProperty(dimension.label(), value);
            }
        }
        return json;
    }
}
