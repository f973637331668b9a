// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import io.hearth.balancer.hbase.ClusterStateJson;
import io.hearth.balancer.hbase.JsonPathValue;
import io.hearth.balancer.hbase.JsonPathValue.JsonFormatException;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.ServerState;
import io.hearth.cli.view.ClusterSummary;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** Reads the page's JSON (docs/api.md) for those who show it on a terminal. Stateless. */
public final class ClusterSummaryReader {

    private ClusterSummaryReader() {}

    /**
     * What the view {@code page} says.
     *
     * @throws IOException if its state is of another version
     */
    public static ClusterSummary read(JsonObject page) throws IOException {
        JsonObject overview = page.getAsJsonObject("overview");
        JsonObject plans = page.getAsJsonObject("plans");
        return new ClusterSummary(
                overview.get("atMs").getAsLong(),
                overview.get("master").getAsString(),
                overview.get("regions").getAsInt(),
                overview.get("unknownHeat").getAsInt(),
                overview.has("halfLifeMs") ? overview.get("halfLifeMs").getAsLong() : 0,
                overview.has("draining") ? overview.get("draining").getAsInt() : 0,
                all(overview, "balance", ClusterSummaryReader::balance),
                balancer(overview.getAsJsonObject("balancer")),
                healing(page.getAsJsonObject("healing")),
                servers(page.getAsJsonObject("state")),
                all(page, "hottest", ClusterSummaryReader::hot),
                all(plans, "plans", ClusterSummaryReader::plan).stream().findFirst(),
                all(plans, "pins", ClusterSummaryReader::pin),
                plans.has("pinsLeftOut") ? plans.get("pinsLeftOut").getAsInt() : 0);
    }

    private static ClusterSummary.BalanceSummary balance(JsonObject json) {
        return new ClusterSummary.BalanceSummary(
                text(json, "label"),
                isSize(text(json, "dimension")),
                number(json, "total"),
                number(json, json.has("last") ? "last" : "total"),
                number(json, "maxOverMean"),
                optional(json, "hottest"),
                number(json, "lowerBound"),
                json.has("lowerBoundRegions") ? json.get("lowerBoundRegions").getAsInt() : 1,
                number(json, "trigger"),
                text(json, "state"));
    }

    private static boolean isSize(String jsonName) {
        return Arrays.stream(LoadDimension.values())
                .anyMatch(dimension ->
                        !dimension.isCounter() && dimension.jsonName().equals(jsonName));
    }

    private static ClusterSummary.BalancerState balancer(JsonObject json) {
        return new ClusterSummary.BalancerState(
                json.get("installed").getAsBoolean(),
                json.get("enabled").getAsBoolean(),
                json.get("switchedOn").getAsBoolean(),
                optional(json, "adviseOnly"),
                optional(json, "braked"),
                json.has("canaries") ? Optional.of(canaries(json.getAsJsonObject("canaries"))) : Optional.empty(),
                excluded(json));
    }

    private static String canaries(JsonObject json) {
        long without = json.get("serversWithout").getAsLong();
        return json.get("regions").getAsLong() + " regions of " + text(json, "table") + " on "
                + json.get("servers").getAsLong() + " servers" + (without > 0 ? ", " + without + " have none" : "");
    }

    /** A master of an older version does not say. */
    private static Optional<ClusterSummary.RemoteServer> busiest(JsonObject healing) {
        return healing.has("busiest")
                ? all(
                                healing,
                                "busiest",
                                one -> new ClusterSummary.RemoteServer(
                                        text(one, "server"),
                                        one.get("remoteBytes").getAsLong()))
                        .stream()
                        .findFirst()
                : Optional.empty();
    }

    /** A master of an older version does not say. */
    private static List<ClusterSummary.ExcludedServer> excluded(JsonObject balancer) {
        List<ClusterSummary.ExcludedServer> excluded = new ArrayList<>();
        if (balancer.has("excludedServers")) {
            balancer.getAsJsonArray("excludedServers").forEach(element -> {
                JsonObject one = element.getAsJsonObject();
                excluded.add(new ClusterSummary.ExcludedServer(
                        text(one, "name"),
                        text(one, "why"),
                        one.has("sinceMs") ? OptionalLong.of(one.get("sinceMs").getAsLong()) : OptionalLong.empty()));
            });
        }
        return excluded;
    }

    private static ClusterSummary.HealingState healing(JsonObject json) {
        JsonObject now = json.getAsJsonObject("now");
        return new ClusterSummary.HealingState(
                json.get("installed").getAsBoolean(),
                text(json, "stateText"),
                optional(json, "why"),
                now.has("regionsQueued") ? now.get("regionsQueued").getAsLong() : 0,
                now.has("blocksInFlight") ? now.get("blocksInFlight").getAsLong() : 0,
                json.get("limitBytesPerSecond").getAsLong(),
                json.has("verifiedBytesPerSecond")
                        ? OptionalDouble.of(number(json, "verifiedBytesPerSecond"))
                        : OptionalDouble.empty(),
                optional(json, "heldBackBy"),
                json.has("estimatedHealMs")
                        ? OptionalLong.of(json.get("estimatedHealMs").getAsLong())
                        : OptionalLong.empty(),
                busiest(json),
                json.has("remoteBytes")
                        ? OptionalLong.of(json.get("remoteBytes").getAsLong())
                        : OptionalLong.empty(),
                now.has("regionsLocalNotReported")
                        ? now.get("regionsLocalNotReported").getAsLong()
                        : 0,
                firstNotReported(json));
    }

    /** A master of an older version does not say. */
    private static Optional<String> firstNotReported(JsonObject healing) {
        return healing.has("localNotReported")
                ? all(healing, "localNotReported", one -> text(one, "region")).stream()
                        .findFirst()
                : Optional.empty();
    }

    private static List<ClusterSummary.Server> servers(JsonObject json) throws IOException {
        ClusterState state;
        try {
            state = ClusterStateJson.read(JsonPathValue.parse(new StringReader(json.toString())));
        } catch (JsonFormatException other) {
            throw new IOException(
                    "what the master says of the cluster is of another version of Hearth: " + other.line());
        }
        Map<ServerId, JsonObject> shares = new HashMap<>();
        json.getAsJsonArray("servers").forEach(element -> {
            JsonObject one = element.getAsJsonObject();
            shares.put(
                    new ServerId(
                            text(one, "host"),
                            one.get("port").getAsInt(),
                            one.get("startCode").getAsLong()),
                    one);
        });
        List<ClusterSummary.Server> servers = new ArrayList<>();
        for (ServerState server : state.servers()) {
            JsonObject one = Objects.requireNonNull(shares.get(server.server()));
            servers.add(new ClusterSummary.Server(server, shares(one)));
        }
        return servers;
    }

    /** A master of an older version does not say all of them. */
    private static Map<LoadDimension, Double> shares(JsonObject server) {
        Map<LoadDimension, Double> shares = new EnumMap<>(LoadDimension.class);
        for (LoadDimension dimension : LoadDimension.shown()) {
            dimension.shareName().filter(server::has).ifPresent(name -> shares.put(dimension, number(server, name)));
        }
        return shares;
    }

    private static ClusterSummary.HotRegion hot(JsonObject json) {
        return new ClusterSummary.HotRegion(
                text(json, "region"),
                text(json, "table"),
                text(json, "server"),
                number(json, "share"),
                LoadVector.of(dimension -> dimension.isCounter() && json.has(dimension.jsonName())
                        ? number(json, dimension.jsonName())
                        : 0),
                json.get("localBytes").getAsLong(),
                json.get("blockBytes").getAsLong(),
                text(json, "why"));
    }

    private static ClusterSummary.LastPlan plan(JsonObject json) {
        return new ClusterSummary.LastPlan(
                json.get("atMs").getAsLong(), text(json, "summary"), optional(json, "adviseOnly"));
    }

    private static ClusterSummary.Pin pin(JsonObject json) {
        return new ClusterSummary.Pin(
                text(json, "region"),
                text(json, "table"),
                text(json, "server"),
                text(json, "pin"),
                text(json, "who"),
                text(json, "why"),
                json.get("sinceMs").getAsLong(),
                json.get("untilMs").getAsLong());
    }

    private static <T> List<T> all(JsonObject json, String name, Function<JsonObject, T> read) {
        List<T> all = new ArrayList<>();
        for (JsonElement one : json.getAsJsonArray(name)) {
            all.add(read.apply(one.getAsJsonObject()));
        }
        return all;
    }

    private static String text(JsonObject json, String name) {
        return json.get(name).getAsString();
    }

    private static double number(JsonObject json, String name) {
        return json.get(name).getAsDouble();
    }

    private static Optional<String> optional(JsonObject json, String name) {
        return json.has(name) ? Optional.of(text(json, name)) : Optional.empty();
    }
}
