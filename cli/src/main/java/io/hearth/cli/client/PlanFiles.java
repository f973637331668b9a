// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import io.hearth.cli.plan.SavedPlan;
import io.hearth.cli.plan.SavedPlan.SavedMove;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** Kept plans as files: JSON that a person can read, and that is refused once it was changed. Stateless. */
public final class PlanFiles {

    static final String FORMAT = "hearth-plan";
    static final int VERSION = 1;

    private PlanFiles() {}

    /**
     * A plan as it was read.
     *
     * @param hash what the file says of itself
     */
    public record ParsedPlan(SavedPlan plan, String hash) {}

    /** The file's JSON: the plan, its hash, and for the reader what was decided. */
    public static JsonObject json(SavedPlan plan, PlanClient.PlanResult made) {
        JsonObject json = new JsonObject();
        json.addProperty("format", FORMAT);
        json.addProperty("version", VERSION);
        json.addProperty("clusterId", plan.clusterId());
        json.addProperty("madeBy", made.byMaster() ? "the master" : "bin/hearth balancer plan");
        json.addProperty("madeAtMs", plan.madeAtMs());
        json.addProperty("expiresAtMs", plan.expiresAtMs());
        json.addProperty("hash", plan.hash());
        JsonArray moves = new JsonArray();
        plan.moves().forEach(move -> moves.add(json(move)));
        json.add("moves", moves);
        JsonObject servers = new JsonObject();
        new TreeMap<>(plan.digestByServer()).forEach(servers::addProperty);
        json.add("servers", servers);
        json.add("plans", made.decisions());
        return json;
    }

    static JsonObject json(SavedMove move) {
        JsonObject json = new JsonObject();
        json.addProperty("region", move.region());
        json.addProperty("table", move.table());
        json.addProperty("from", move.from());
        json.addProperty("to", move.to());
        return json;
    }

    public static void write(Path file, JsonObject json) throws IOException {
        Files.writeString(file, new GsonBuilder().setPrettyPrinting().create().toJson(json) + "\n");
    }

    /**
     * The plan in this file.
     *
     * @throws IllegalArgumentException if it is none, with the reason as one line
     */
    public static ParsedPlan read(Path file) throws IOException {
        try {
            JsonObject json = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
            if (!json.get("format").getAsString().equals(FORMAT)
                    || json.get("version").getAsInt() != VERSION) {
                throw new IllegalArgumentException("it is no plan of version " + VERSION);
            }
            Map<String, String> servers = new TreeMap<>();
            json.getAsJsonObject("servers")
                    .entrySet()
                    .forEach(server ->
                            servers.put(server.getKey(), server.getValue().getAsString()));
            List<SavedMove> moves = new ArrayList<>();
            for (JsonElement move : json.getAsJsonArray("moves")) {
                moves.add(move(move.getAsJsonObject()));
            }
            return new ParsedPlan(
                    new SavedPlan(
                            json.get("clusterId").getAsString(),
                            json.get("madeAtMs").getAsLong(),
                            json.get("expiresAtMs").getAsLong(),
                            servers,
                            moves),
                    json.get("hash").getAsString());
        } catch (IllegalArgumentException said) {
            throw said;
        } catch (RuntimeException notAPlan) {
            throw new IllegalArgumentException("it is not what bin/hearth balancer plan --out writes", notAPlan);
        }
    }

    private static SavedMove move(JsonObject json) {
        return new SavedMove(
                json.get("region").getAsString(),
                json.get("table").getAsString(),
                json.get("from").getAsString(),
                json.get("to").getAsString());
    }
}
