// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import io.hearth.slo.event.ClusterReading.HearthReading;
import io.hearth.slo.event.ClusterReading.PlannedMove;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** Reads from the master's status, as docs/api.md has it, what Hearth does there. Stateless. */
final class HearthStatusReader {

    /** How many plans the status has at most: where it has as many, there may have been others. */
    private static final int MOST_PLANS = 10;

    private HearthStatusReader() {}

    /**
     * What the status says.
     *
     * @throws RuntimeException if it is no status
     */
    static HearthReading read(String status) {
        JsonObject json = JsonParser.parseString(status).getAsJsonObject();
        JsonObject balancer = json.getAsJsonObject("overview").getAsJsonObject("balancer");
        JsonObject counts = json.getAsJsonObject("healing").getAsJsonObject("sinceStart");
        JsonArray plans = json.getAsJsonObject("plans").getAsJsonArray("plans");
        Map<String, PlannedMove> moves = new HashMap<>();
        long unlistedUntilMs = Long.MIN_VALUE;
        for (JsonElement element : plans) {
            JsonObject plan = element.getAsJsonObject();
            if (!plan.has("adviseOnly")) {
                plan.getAsJsonArray("moves").forEach(move -> add(moves, plan, move.getAsJsonObject()));
                boolean isWhole = plan.get("moveCount").getAsInt()
                        <= plan.getAsJsonArray("moves").size();
                unlistedUntilMs = isWhole ? unlistedUntilMs : Math.max(unlistedUntilMs, atMs(plan));
            }
        }
        if (plans.size() >= MOST_PLANS) {
            unlistedUntilMs =
                    Math.max(unlistedUntilMs, atMs(plans.get(plans.size() - 1).getAsJsonObject()));
        }
        return new HearthReading(
                true,
                balancer.has("braked") ? Optional.of(balancer.get("braked").getAsString()) : Optional.empty(),
                moves,
                unlistedUntilMs == Long.MIN_VALUE ? Optional.empty() : Optional.of(unlistedUntilMs),
                count(counts, "blocksVerified"),
                count(counts, "bytesVerified"),
                count(counts, "compactionsRequested"));
    }

    private static void add(Map<String, PlannedMove> moves, JsonObject plan, JsonObject move) {
        ServerName to = ServerName.valueOf(move.get("to").getAsString());
        moves.merge(
                move.get("region").getAsString(),
                new PlannedMove(RegionsByServer.target(to), atMs(plan)),
                (one, other) -> one.atMs() >= other.atMs() ? one : other);
    }

    private static long atMs(JsonObject plan) {
        return plan.get("atMs").getAsLong();
    }

    /** Without a healer in the master there are none. */
    private static long count(JsonObject counts, String name) {
        return counts.has(name) ? counts.get(name).getAsLong() : 0;
    }
}
