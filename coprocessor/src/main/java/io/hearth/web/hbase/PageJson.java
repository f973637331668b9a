package io.hearth.web.hbase;

import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.hbase.AdviceJson;
import io.hearth.balancer.hbase.DecisionJson;
import io.hearth.balancer.hbase.SteeringJson;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.ServerId;
import io.hearth.doctor.hbase.FindingJson;
import io.hearth.healing.history.HealOutcome;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.web.model.BalancerWord;
import io.hearth.web.model.Evenness;
import io.hearth.web.model.HealingWord;
import io.hearth.web.model.HotRow;
import io.hearth.web.model.Page;
import io.hearth.web.model.ServerRow;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonNull;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * The page's views as JSON. Names of fields have their units: {@code ...Ms} milliseconds (times since 1970), {@code ...Bytes},
 * {@code ...PerSecond}; a {@code ...Share} is a multiple of what is fair. What is not known is left out. docs/page.md has it all.
 */
final class PageJson {

    private static final int PLANS_SHOWN = 10;
    private static final int MOVES_SHOWN = 100;
    private static final int LINES_SHOWN = 60;
    private static final int PINS_SHOWN = 1_000;
    private static final double THOUSANDTHS = 1_000;

    private PageJson() {}

    static JsonObject page(Page page) {
        JsonObject json = new JsonObject();
        json.add(View.OVERVIEW.path(), overview(page));
        json.add(View.SERVERS.path(), servers(page));
        json.add(View.HOTTEST.path(), hottest(page));
        json.add(View.HEALING.path(), healing(page));
        json.add(View.PLANS.path(), plans(page));
        json.add(View.DOCTOR.path(), doctor(page));
        return json;
    }

    static JsonObject doctor(Page page) {
        JsonObject json = new JsonObject();
        page.seen().doctor().askedAtMs().ifPresent(at -> json.addProperty("askedAtMs", at));
        json.addProperty("asking", page.seen().doctor().isAsking());
        page.seen().doctor().atMs().ifPresent(at -> json.addProperty("atMs", at));
        json.add("findings", FindingJson.of(page.seen().doctor().findings()));
        return json;
    }

    static JsonObject overview(Page page) {
        JsonObject json = new JsonObject();
        json.addProperty("atMs", page.seen().atMs());
        json.addProperty("master", page.seen().master());
        json.addProperty("servers", page.servers().size());
        json.addProperty("regions", page.regions());
        json.addProperty("unknownHeat", page.unknownHeat());
        json.addProperty("halfLifeMs", page.seen().balancer().config().heat().halfLifeMs());
        json.addProperty(
                "draining",
                page.servers().stream().filter(ServerRow::isDraining).count());
        json.addProperty("localBytes", page.localBytes());
        json.addProperty("blockBytes", page.blockBytes());
        JsonArray evenness = new JsonArray();
        page.evenness().forEach(one -> evenness.add(of(one)));
        json.add("evenness", evenness);
        json.add("balancer", of(page.seen().balancer()));
        HealingWord healing = page.seen().healing();
        JsonObject healer = new JsonObject();
        healer.addProperty("installed", healing.installed());
        healer.addProperty("state", healing.state().name());
        healing.why().ifPresent(why -> healer.addProperty("why", why));
        json.add("healing", healer);
        return json;
    }

    private static JsonObject of(Evenness evenness) {
        JsonObject json = new JsonObject();
        json.addProperty("dimension", evenness.dimension().name());
        json.addProperty("label", evenness.dimension().label());
        json.addProperty("unit", evenness.dimension().unit());
        json.addProperty("total", rounded(evenness.total()));
        json.addProperty("last", rounded(evenness.last()));
        json.addProperty("meanPerServer", rounded(evenness.meanPerServer()));
        json.addProperty("maxOverMean", rounded(evenness.maxOverMean()));
        evenness.hottest().ifPresent(server -> json.addProperty("hottest", name(server)));
        json.addProperty("lowerBound", rounded(evenness.lowerBound()));
        json.addProperty("boundTogether", evenness.boundTogether());
        json.addProperty("trigger", rounded(evenness.trigger()));
        json.addProperty("verdict", evenness.verdict().name());
        return json;
    }

    private static JsonObject of(BalancerWord balancer) {
        JsonObject json = new JsonObject();
        json.addProperty("installed", balancer.installed());
        json.addProperty("enabled", balancer.config().enabled());
        json.addProperty("switchedOn", balancer.switchedOn());
        balancer.adviseOnly().ifPresent(why -> json.addProperty("adviseOnly", why));
        return json;
    }

    static JsonArray servers(Page page) {
        JsonArray all = new JsonArray();
        page.servers().forEach(row -> all.add(of(row)));
        return all;
    }

    private static JsonObject of(ServerRow row) {
        JsonObject json = new JsonObject();
        json.addProperty("name", name(row.server()));
        json.addProperty("server", row.server().toString());
        json.addProperty("rack", row.rack());
        json.addProperty("capacity", rounded(row.capacity()));
        json.addProperty("regions", row.regions());
        json.addProperty("readsPerSecond", rounded(row.load().get(LoadDimension.READS)));
        json.addProperty("readShare", rounded(row.share(LoadDimension.READS)));
        json.addProperty("writesPerSecond", rounded(row.load().get(LoadDimension.WRITES)));
        json.addProperty("writeShare", rounded(row.share(LoadDimension.WRITES)));
        json.addProperty("recentRequestsPerSecond", rounded(row.recentRequestsPerSecond()));
        json.addProperty("storeBytes", (long) row.load().get(LoadDimension.STORE_SIZE));
        json.addProperty("storeShare", rounded(row.share(LoadDimension.STORE_SIZE)));
        json.addProperty("localBytes", row.localBytes());
        json.addProperty("blockBytes", row.blockBytes());
        json.addProperty("unknownHeat", row.unknownHeat());
        json.addProperty("draining", row.isDraining());
        return json;
    }

    static JsonArray hottest(Page page) {
        JsonArray all = new JsonArray();
        page.hottest().forEach(row -> all.add(of(row)));
        return all;
    }

    private static JsonObject of(HotRow row) {
        JsonObject json = new JsonObject();
        json.addProperty("region", row.region().region().encodedName());
        json.addProperty("table", row.region().table().name());
        json.addProperty("server", name(row.server()));
        json.addProperty("because", row.because().label());
        json.addProperty("share", rounded(row.share()));
        json.addProperty("readsPerSecond", rounded(row.readsPerSecond()));
        json.addProperty("writesPerSecond", rounded(row.writesPerSecond()));
        json.addProperty("storeBytes", row.region().storeBytes());
        json.addProperty("localBytes", row.region().localBytes());
        json.addProperty("blockBytes", row.region().blockBytes());
        json.add("recentRequestsPerSecond", samples(row.recent()));
        row.pin().ifPresent(pin -> json.add("pin", SteeringJson.of(pin)));
        json.addProperty("why", row.why());
        return json;
    }

    private static JsonArray samples(List<OptionalDouble> samples) {
        JsonArray all = new JsonArray();
        samples.forEach(sample ->
                sample.ifPresentOrElse(value -> all.add(Math.rint(value * 10) / 10), () -> all.add(JsonNull.INSTANCE)));
        return all;
    }

    static JsonObject healing(Page page) {
        HealingWord healing = page.seen().healing();
        JsonObject json = new JsonObject();
        json.addProperty("installed", healing.installed());
        json.addProperty("state", healing.state().name());
        json.addProperty("stateText", healing.state().text());
        healing.why().ifPresent(why -> json.addProperty("why", why));
        json.addProperty("remoteBytes", page.remoteBytes());
        page.msToHome().ifPresent(ms -> json.addProperty("msToHome", ms));
        json.addProperty("limitBytesPerSecond", healing.limitBytesPerSecond());
        json.addProperty("allowedBytesPerSecond", healing.gauge(HealingGauge.BYTES_PER_SECOND));
        healing.verifiedBytesPerSecond()
                .ifPresent(rate -> json.addProperty("verifiedBytesPerSecond", Math.round(rate)));
        JsonObject gauges = new JsonObject();
        healing.gauges().forEach((gauge, value) -> gauges.addProperty(gauge.metric(), value));
        json.add("now", gauges);
        JsonObject counts = new JsonObject();
        healing.counts().forEach((counter, value) -> counts.addProperty(counter.metric(), value));
        json.add("sinceStart", counts);
        JsonArray heals = new JsonArray();
        healing.lastHeals().forEach(heal -> heals.add(of(heal)));
        json.add("lastHeals", heals);
        JsonArray unreported = new JsonArray();
        healing.localNotReported().forEach(region -> {
            JsonObject one = new JsonObject();
            one.addProperty("region", region.region().encodedName());
            one.addProperty("server", region.server().toString());
            unreported.add(one);
        });
        json.add("localNotReported", unreported);
        return json;
    }

    private static JsonObject of(HealOutcome heal) {
        JsonObject json = new JsonObject();
        json.addProperty("endedAtMs", heal.endedAt().toEpochMilli());
        json.addProperty("region", heal.region().encodedName());
        json.addProperty("table", heal.table().name());
        json.addProperty("server", name(heal.server()));
        json.addProperty("end", heal.end().name());
        json.addProperty("bytes", heal.bytes());
        json.addProperty("blocks", heal.blocks());
        json.addProperty("verifiedAfterMs", heal.verifiedAfterMs());
        json.addProperty("endedAfterMs", heal.endedAfterMs());
        return json;
    }

    static JsonObject plans(Page page) {
        BalancerWord balancer = page.seen().balancer();
        JsonObject json = new JsonObject();
        JsonArray plans = new JsonArray();
        balancer.decisions().stream().limit(PLANS_SHOWN).forEach(decision -> plans.add(of(decision)));
        json.add("plans", plans);
        json.add(
                "pins",
                SteeringJson.pins(balancer.pins().stream().limit(PINS_SHOWN).toList()));
        json.addProperty("pinsLeftOut", Math.max(0, balancer.pins().size() - PINS_SHOWN));
        json.add("ledger", SteeringJson.ledger(balancer.ledger()));
        json.add(
                "advice",
                AdviceJson.runs(balancer.advice().stream().limit(PLANS_SHOWN).toList()));
        json.add("adviceDays", AdviceJson.days(balancer.adviceDays()));
        return json;
    }

    private static JsonObject of(Decision decision) {
        JsonObject json = DecisionJson.of(decision, MOVES_SHOWN);
        json.addProperty("moveCount", decision.plan().moves().size());
        JsonArray lines = new JsonArray();
        decision.plan().explain().stream().limit(LINES_SHOWN).forEach(lines::add);
        json.add("explain", lines);
        return json;
    }

    private static String name(ServerId server) {
        return server.host() + ":" + server.port();
    }

    /** To a thousandth: finer than any of it is known. */
    private static double rounded(double value) {
        return Math.rint(value * THOUSANDTHS) / THOUSANDTHS;
    }
}
