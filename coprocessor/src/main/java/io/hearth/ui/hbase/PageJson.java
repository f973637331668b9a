// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.balancer.engine.BalanceEngine.CanaryStatus;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.hbase.AdviceJson;
import io.hearth.balancer.hbase.ClusterStateJson;
import io.hearth.balancer.hbase.DecisionJson;
import io.hearth.balancer.hbase.MoveTrackerJson;
import io.hearth.balancer.state.RegionState.StoreFileBytes;
import io.hearth.common.config.BuildInfo;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.doctor.hbase.FindingJson;
import io.hearth.doctor.model.ProbedCluster.NodeReadCache;
import io.hearth.doctor.model.ProbedReadCache;
import io.hearth.healer.history.HealHistory.HealRecord;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.verify.DataNodeStates.UnhealthyHost;
import io.hearth.ui.model.Page;
import io.hearth.ui.model.Page.BalanceSummary;
import io.hearth.ui.model.Page.HotRegionRow;
import io.hearth.ui.model.Page.ServerRow;
import io.hearth.ui.model.PageInput.BalancerStatus;
import io.hearth.ui.model.PageInput.HealerStatus;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonNull;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * The page's views as JSON. Names of fields have their units: {@code ...Ms} milliseconds (times since 1970), {@code ...Bytes},
 * {@code ...PerSecond}; a {@code ...Share} is a multiple of what is fair. What is not known is left out. docs/api.md has it all.
 */
final class PageJson {

    private static final int PLANS_SHOWN = 10;
    private static final int MOVES_SHOWN = 100;
    private static final int LINES_SHOWN = 60;
    private static final int BUSIEST_SHOWN = 3;
    private static final int PINS_SHOWN = 1_000;
    private static final int NODES_SHOWN = 1_000;

    /** What a heal by the master can count as done; a request is at most 256 KB. */
    private static final int NOT_REPORTED_SHOWN = 2_000;

    private static final double THOUSANDTHS = 1_000;

    private static final Optional<BuildInfo> BUILD = BuildInfo.of(PageJson.class);

    private PageJson() {}

    static JsonObject page(Page page) {
        JsonObject json = new JsonObject();
        json.add(ApiResource.OVERVIEW.path(), overview(page));
        json.add(ApiResource.STATE.path(), state(page));
        json.add(ApiResource.HOTTEST.path(), hottest(page));
        json.add(ApiResource.HEALING.path(), healing(page));
        json.add(ApiResource.PLANS.path(), plans(page));
        json.add(ApiResource.DOCTOR.path(), doctor(page));
        return json;
    }

    static JsonObject doctor(Page page) {
        JsonObject json = new JsonObject();
        page.input().doctor().startedAtMs().ifPresent(at -> json.addProperty("askedAtMs", at));
        json.addProperty("asking", page.input().doctor().isRunning());
        page.input().doctor().atMs().ifPresent(at -> json.addProperty("atMs", at));
        json.add("findings", FindingJson.of(page.input().doctor().findings()));
        JsonArray readCaches = new JsonArray();
        page.input().doctor().readCaches().forEach(node -> readCaches.add(of(node)));
        json.add("readCaches", readCaches);
        return json;
    }

    private static JsonObject of(NodeReadCache node) {
        ProbedReadCache cache = node.cache();
        JsonObject json = new JsonObject();
        json.addProperty("host", node.host());
        json.addProperty("mode", cache.mode().toString());
        cache.trouble().ifPresent(trouble -> json.addProperty("trouble", trouble.words()));
        json.addProperty("ssdBytes", cache.ssdBytes());
        json.addProperty("diskBytes", cache.diskBytes());
        cache.lastDay().hitRatio().ifPresent(share -> json.addProperty("hitRatio", rounded(share)));
        json.addProperty("writtenBytesPerDay", cache.lastDay().writtenBytesPerDay());
        json.addProperty("maxBytes", cache.ssd().maxBytes());
        return json;
    }

    static JsonObject overview(Page page) {
        JsonObject json = new JsonObject();
        json.addProperty("atMs", page.input().atMs());
        json.addProperty("master", page.input().master());
        json.addProperty("servers", page.servers().size());
        json.addProperty("regions", page.regions());
        json.addProperty("unknownHeat", page.unknownHeat());
        json.addProperty("halfLifeMs", page.input().balancer().config().heat().halfLifeMs());
        json.addProperty(
                "draining",
                page.servers().stream().filter(row -> row.state().draining()).count());
        json.addProperty("localBytes", page.localBytes());
        json.addProperty("blockBytes", page.blockBytes());
        JsonArray balance = new JsonArray();
        page.balance().forEach(one -> balance.add(of(one)));
        json.add("balance", balance);
        json.add("balancer", of(page.input().balancer()));
        HealerStatus healing = page.input().healing();
        JsonObject healer = new JsonObject();
        healer.addProperty("installed", healing.installed());
        healer.addProperty("state", healing.state().name());
        healing.why().ifPresent(why -> healer.addProperty("why", why));
        json.add("healing", healer);
        BUILD.ifPresent(build -> json.add("build", of(build)));
        return json;
    }

    private static JsonObject of(BuildInfo build) {
        JsonObject json = new JsonObject();
        json.addProperty("version", build.version());
        json.addProperty("commit", build.commit());
        return json;
    }

    private static JsonObject of(BalanceSummary balance) {
        JsonObject json = new JsonObject();
        json.addProperty("dimension", balance.dimension().jsonName());
        json.addProperty("label", balance.dimension().label());
        json.addProperty("unit", balance.dimension().unit());
        json.addProperty("total", rounded(balance.total()));
        json.addProperty("last", rounded(balance.last()));
        json.addProperty("meanPerServer", rounded(balance.meanPerServer()));
        json.addProperty("maxOverMean", rounded(balance.maxOverMean()));
        balance.hottest().ifPresent(server -> json.addProperty("hottest", name(server)));
        json.addProperty("lowerBound", rounded(balance.lowerBound()));
        json.addProperty("lowerBoundRegions", balance.lowerBoundRegions());
        json.addProperty("trigger", rounded(balance.trigger()));
        json.addProperty("state", balance.state().name());
        return json;
    }

    private static JsonObject of(BalancerStatus balancer) {
        JsonObject json = new JsonObject();
        json.addProperty("installed", balancer.installed());
        json.addProperty("enabled", balancer.config().enabled());
        json.addProperty("switchedOn", balancer.switchedOn());
        balancer.adviseOnly().ifPresent(why -> json.addProperty("adviseOnly", why));
        balancer.braked().ifPresent(why -> json.addProperty("braked", why));
        balancer.canaries().ifPresent(canaries -> json.add("canaries", of(canaries)));
        JsonArray excluded = new JsonArray();
        balancer.excluded().forEach(server -> {
            JsonObject one = new JsonObject();
            one.addProperty("name", name(server.server()));
            one.addProperty("why", server.why());
            server.sinceMs().ifPresent(sinceMs -> one.addProperty("sinceMs", sinceMs));
            excluded.add(one);
        });
        json.add("excludedServers", excluded);
        return json;
    }

    private static JsonObject of(CanaryStatus canaries) {
        JsonObject json = new JsonObject();
        json.addProperty("table", canaries.table().name());
        json.addProperty("regions", canaries.placement().regions());
        json.addProperty("servers", canaries.placement().servers());
        json.addProperty("serversWithout", canaries.placement().serversWithout());
        return json;
    }

    /** The state's own JSON, without the regions; each server has its shares beside it. */
    static JsonObject state(Page page) {
        return ClusterStateJson.withoutRegions(
                page.input().cluster(),
                page.servers().stream()
                        .sorted(Comparator.comparing(ServerRow::server))
                        .map(PageJson::of)
                        .toList());
    }

    private static JsonObject of(ServerRow row) {
        JsonObject json = ClusterStateJson.server(row.state(), row.totals());
        json.addProperty("name", name(row.server()));
        for (LoadDimension dimension : LoadDimension.shown()) {
            dimension.shareName().ifPresent(name -> json.addProperty(name, rounded(row.share(dimension))));
        }
        return json;
    }

    static JsonArray hottest(Page page) {
        JsonArray all = new JsonArray();
        page.hottest().forEach(row -> all.add(of(row)));
        return all;
    }

    private static JsonObject of(HotRegionRow row) {
        JsonObject json = new JsonObject();
        json.addProperty("region", row.region().region().encodedName());
        json.addProperty("table", row.region().table().name());
        json.addProperty("server", name(row.server()));
        json.addProperty("because", row.because().jsonName());
        json.addProperty("share", rounded(row.share()));
        LoadDimension.shown().stream()
                .filter(LoadDimension::isCounter)
                .forEach(counter -> json.addProperty(counter.jsonName(), rounded(row.load(counter))));
        StoreFileBytes stored = row.region().reported().orElse(StoreFileBytes.NONE);
        json.addProperty("storeBytes", stored.storeBytes());
        json.addProperty("localBytes", stored.localBytes());
        json.addProperty("blockBytes", stored.blockBytes());
        json.add("recentRequestsPerSecond", samples(row.recent()));
        row.pin().ifPresent(pin -> json.add("pin", MoveTrackerJson.of(pin)));
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
        HealerStatus healing = page.input().healing();
        JsonObject json = new JsonObject();
        json.addProperty("installed", healing.installed());
        json.addProperty("state", healing.state().name());
        json.addProperty("stateText", healing.state().text());
        healing.why().ifPresent(why -> json.addProperty("why", why));
        json.addProperty("remoteBytes", page.remoteBytes());
        page.estimatedHealMs().ifPresent(ms -> json.addProperty("estimatedHealMs", ms));
        json.addProperty("limitBytesPerSecond", healing.limitBytesPerSecond());
        json.addProperty("allowedBytesPerSecond", healing.gauge(HealingGauge.BYTES_PER_SECOND));
        healing.verifiedBytesPerSecond()
                .ifPresent(rate -> json.addProperty("verifiedBytesPerSecond", Math.round(rate)));
        heldBackBy(healing).ifPresent(limit -> {
            json.addProperty("heldBackBy", limit.label());
            hint(limit, healing).ifPresent(hint -> json.addProperty("heldBackHint", hint));
        });
        JsonArray busiest = new JsonArray();
        page.busiest(BUSIEST_SHOWN).forEach(one -> {
            JsonObject row = new JsonObject();
            row.addProperty("server", name(one.server()));
            row.addProperty("remoteBytes", one.remoteBytes());
            busiest.add(row);
        });
        json.add("busiest", busiest);
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
        healing.localNotReported().stream().limit(NOT_REPORTED_SHOWN).forEach(region -> {
            JsonObject one = new JsonObject();
            one.addProperty("region", region.region().encodedName());
            one.addProperty("server", region.server().toString());
            unreported.add(one);
        });
        json.add("localNotReported", unreported);
        JsonArray unhealthy = new JsonArray();
        healing.unhealthyDataNodes().stream().limit(NODES_SHOWN).forEach(node -> unhealthy.add(of(node)));
        json.add("unhealthyDataNodes", unhealthy);
        return json;
    }

    private static JsonObject of(UnhealthyHost node) {
        JsonObject json = new JsonObject();
        json.addProperty("host", node.host());
        json.addProperty("state", node.state().name());
        json.addProperty("sinceMs", node.sinceMs());
        json.addProperty("why", node.why());
        return json;
    }

    /** What keeps the next move from starting, where one waits to be started or a region to be listed. */
    private static Optional<HealLimit> heldBackBy(HealerStatus healing) {
        return Arrays.stream(HealLimit.values())
                .filter(limit -> limit.ordinal() == healing.gauge(HealingGauge.LIMITED_BY))
                .filter(limit -> limit != HealLimit.NOTHING_WAITS && limit != HealLimit.HELD)
                .findFirst();
    }

    /** Whose limit the bandwidth of DataNodes is; empty for another limit, or where healing is slowed down for the sake of others. */
    private static Optional<String> hint(HealLimit limit, HealerStatus healing) {
        if (limit != HealLimit.DATANODE_BANDWIDTH || healing.gauge(HealingGauge.THROTTLE_REASONS) > 0) {
            return Optional.empty();
        }
        return Optional.of(
                healing.dataNodeLimitBytesPerSecond() > 0
                        ? "at most hearth.heal.datanode.bandwidth, or what they allow where that is less"
                        : "at most what they allow: hdfs dfsadmin -setBalancerBandwidth raises it");
    }

    private static JsonObject of(HealRecord heal) {
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
        BalancerStatus balancer = page.input().balancer();
        JsonObject json = new JsonObject();
        JsonArray plans = new JsonArray();
        balancer.decisions().stream().limit(PLANS_SHOWN).forEach(decision -> plans.add(of(decision)));
        json.add("plans", plans);
        json.add(
                "rejectedStockMoves",
                DecisionJson.rejectedStockMoves(balancer.rejectedStockMoves().stream()
                        .limit(MOVES_SHOWN)
                        .toList()));
        json.add(
                "pins",
                MoveTrackerJson.pins(balancer.pins().stream().limit(PINS_SHOWN).toList()));
        json.addProperty("pinsLeftOut", Math.max(0, balancer.pins().size() - PINS_SHOWN));
        json.add("predictions", MoveTrackerJson.predictionLog(balancer.predictionLog()));
        json.add(
                "advice",
                AdviceJson.runs(balancer.advice().stream().limit(PLANS_SHOWN).toList()));
        json.add("adviceDays", AdviceJson.days(balancer.dailyAdvices()));
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
