// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.hbase.JsonPathValue.JsonFormatException;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.RegionState.StoreFileBytes;
import io.hearth.balancer.state.ServerState;
import io.hearth.balancer.state.ServerState.ServerTotals;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/**
 * The one JSON form of a {@link ClusterState}, written and read. Each server has its totals; its regions may be left out. Regions
 * have their encoded names, which are digests: there is no row key in it. The same state gives the same text.
 *
 * <p>A reader takes what it knows and passes over other fields. It refuses a text of another version, and one in which
 * something that it needs is missing, of another type or out of bounds. Stateless.
 */
public final class ClusterStateJson {

    /** What the text says that it is. */
    public static final String FORMAT = "hearth-cluster-state";

    /** Raised with each change that a reader of before would misread. */
    public static final int VERSION = 3;

    /** Whether a text has the regions or the totals of each server alone. */
    public enum Regions {
        INCLUDED,
        LEFT_OUT
    }

    private ClusterStateJson() {}

    /** The state as a text. */
    public static String text(ClusterState state, Regions regions) {
        StringWriter text = new StringWriter();
        try {
            JsonWriter json = new JsonWriter(text);
            json.beginObject();
            writeFields(json, text, state, regions);
            json.endObject();
        } catch (IOException cannotBe) {
            throw new UncheckedIOException("Writing into memory failed.", cannotBe);
        }
        return text.toString();
    }

    /**
     * The state without regions as an object.
     *
     * @param servers each as {@link #server} makes it, to which more may be added, in the state's order
     */
    public static JsonObject withoutRegions(ClusterState state, Iterable<JsonObject> servers) {
        JsonArray all = new JsonArray();
        servers.forEach(all::add);
        JsonObject json = header(state);
        json.add("servers", all);
        return json;
    }

    /** Writes the fields of an object that is open already, each server and region on a line of its own. */
    static void writeFields(JsonWriter json, Writer out, ClusterState state, Regions regions) throws IOException {
        write(json, header(state));
        json.name("servers").beginArray();
        for (ServerState server : state.servers()) {
            out.write('\n');
            json.beginObject();
            write(json, server(server, server.totals()));
            if (regions == Regions.INCLUDED && server.totalsAlone().isEmpty()) {
                json.name("regions").beginArray();
                for (RegionState region : server.regions()) {
                    out.write('\n');
                    json.jsonValue(of(region).toString());
                }
                json.endArray();
            }
            json.endObject();
        }
        json.endArray();
    }

    private static void write(JsonWriter json, JsonObject fields) throws IOException {
        for (Map.Entry<String, JsonElement> field : fields.entrySet()) {
            json.name(field.getKey()).jsonValue(field.getValue().toString());
        }
    }

    private static JsonObject header(ClusterState state) {
        JsonObject json = new JsonObject();
        json.addProperty("format", FORMAT);
        json.addProperty("version", VERSION);
        json.addProperty("atMs", state.atMs());
        json.addProperty("source", state.source());
        json.addProperty("hbaseVersion", state.hbaseVersion());
        return json;
    }

    /**
     * A server without its regions.
     *
     * @param totals what they come to, which is added up once
     */
    public static JsonObject server(ServerState server, ServerTotals totals) {
        JsonObject json = new JsonObject();
        json.addProperty("host", server.server().host());
        json.addProperty("port", server.server().port());
        json.addProperty("startCode", server.server().startCode());
        json.addProperty("rack", server.rack());
        json.addProperty("capacity", server.capacity());
        json.addProperty("mayReceiveRegions", server.mayReceiveRegions());
        json.addProperty("draining", server.draining());
        json.add("totals", of(totals));
        return json;
    }

    private static JsonObject of(ServerTotals totals) {
        JsonObject json = new JsonObject();
        json.addProperty("regions", totals.regions());
        json.addProperty("unknownHeat", totals.unknownHeat());
        json.add("plannedLoad", of(totals.plannedLoad()));
        json.add("measuredLoad", of(totals.measuredLoad()));
        json.addProperty("recentRequestsPerSecond", totals.recentRequestsPerSecond());
        json.add("reported", of(totals.reported()));
        return json;
    }

    private static JsonObject of(RegionState region) {
        JsonObject json = new JsonObject();
        json.addProperty("region", region.region().encodedName());
        if (!region.primary().equals(region.region())) {
            json.addProperty("primary", region.primary().encodedName());
        }
        json.addProperty("table", region.table().name());
        json.addProperty("pin", region.pin().name());
        json.add("heat", of(region.heat()));
        json.add("plannedLoad", of(region.plannedLoad()));
        region.reported().ifPresent(reported -> json.add("reported", of(reported)));
        if (region.bytesByHost().isKnown()) {
            json.add("blocks", of(region.bytesByHost()));
        }
        return json;
    }

    /** Of known heat, what is as {@code load} is left out. */
    private static JsonObject of(RegionHeat heat) {
        JsonObject json = new JsonObject();
        if (heat instanceof RegionHeat.Known known) {
            json.addProperty("known", true);
            json.add("load", of(known.load()));
            addUnless(json, "recent", known.recent(), known.load());
            addUnless(json, "last", known.last(), known.load());
            json.addProperty("readCost", known.readCost());
        } else if (heat instanceof RegionHeat.Unknown unknown) {
            json.addProperty("known", false);
            json.addProperty("reason", unknown.reason().name());
            json.add("first", of(unknown.first()));
        }
        return json;
    }

    private static void addUnless(JsonObject json, String name, LoadVector load, LoadVector same) {
        if (!load.equals(same)) {
            json.add(name, of(load));
        }
    }

    private static JsonObject of(LocalBytes blocks) {
        JsonObject bytesByHost = new JsonObject();
        blocks.bytesByHost().forEach(bytesByHost::addProperty);
        JsonObject json = new JsonObject();
        json.addProperty("bytes", blocks.totalBytes().orElse(0));
        json.add("bytesByHost", bytesByHost);
        return json;
    }

    /** A load, in every JSON text. */
    static JsonObject of(LoadVector load) {
        JsonObject json = new JsonObject();
        for (LoadDimension dimension : LoadDimension.values()) {
            json.addProperty(dimension.jsonName(), load.get(dimension));
        }
        return json;
    }

    private static JsonObject of(StoreFileBytes reported) {
        JsonObject json = new JsonObject();
        json.addProperty("storeBytes", reported.storeBytes());
        json.addProperty("localBytes", reported.localBytes());
        json.addProperty("blockBytes", reported.blockBytes());
        return json;
    }

    /**
     * The state in this JSON object.
     *
     * @throws JsonFormatException if it is of another version, or something in it is not as it must be
     */
    public static ClusterState read(JsonPathValue json) throws JsonFormatException {
        checkVersion(json);
        Set<EncodedRegionName> regions = new HashSet<>();
        Map<ServerId, ServerState> servers = new HashMap<>();
        for (JsonPathValue item : json.field("servers").items()) {
            ServerState server = server(item, regions);
            if (servers.put(server.server(), server) != null) {
                throw item.refused("server " + server.server() + " is there twice");
            }
        }
        return new ClusterState(
                json.field("atMs").wholeNumber(0, Long.MAX_VALUE),
                json.field("source").text(),
                json.field("hbaseVersion").text(),
                List.copyOf(servers.values()));
    }

    private static void checkVersion(JsonPathValue json) throws JsonFormatException {
        JsonPathValue format = json.field("format");
        JsonPathValue version = json.field("version");
        long of = version.wholeNumber(0, Integer.MAX_VALUE);
        if (format.text().equals("hearth-snapshot")) {
            throw version.mustBe(VERSION + ", and no Hearth reads older ones: take the snapshot again");
        }
        if (!format.text().equals(FORMAT)) {
            throw format.mustBe("\"" + FORMAT + "\"");
        }
        if (of > VERSION) {
            throw version.mustBe(VERSION + " for this Hearth: use one at least as new as the one that wrote it");
        }
        if (of < VERSION) {
            throw version.mustBe(VERSION + ", and no Hearth reads older ones: take the snapshot again");
        }
    }

    private static ServerState server(JsonPathValue json, Set<EncodedRegionName> known) throws JsonFormatException {
        try {
            ServerState server = new ServerState(
                    new ServerId(
                            json.field("host").text(),
                            (int) json.field("port").wholeNumber(0, 65_535),
                            json.field("startCode").wholeNumber(0, Long.MAX_VALUE)),
                    json.field("rack").text(),
                    json.field("capacity").number(),
                    json.field("mayReceiveRegions").bool());
            if (json.field("draining").bool()) {
                server = server.beingDrained();
            }
            Optional<JsonPathValue> regions = json.optional("regions");
            return regions.isPresent()
                    ? server.withRegions(regions(regions.get(), known))
                    : server.withTotals(totals(json.field("totals")));
        } catch (IllegalArgumentException wrong) {
            throw json.refused(String.valueOf(wrong.getMessage()));
        }
    }

    private static ServerTotals totals(JsonPathValue json) throws JsonFormatException {
        return new ServerTotals(
                (int) json.field("regions").wholeNumber(0, Integer.MAX_VALUE),
                (int) json.field("unknownHeat").wholeNumber(0, Integer.MAX_VALUE),
                load(json.field("plannedLoad")),
                load(json.field("measuredLoad")),
                json.field("recentRequestsPerSecond").number(),
                reported(json.field("reported")));
    }

    private static List<RegionState> regions(JsonPathValue json, Set<EncodedRegionName> known)
            throws JsonFormatException {
        List<RegionState> regions = new ArrayList<>();
        for (JsonPathValue item : json.items()) {
            RegionState region = region(item);
            if (!known.add(region.region())) {
                throw item.refused("region " + region.region() + " is there twice");
            }
            regions.add(region);
        }
        return regions;
    }

    private static RegionState region(JsonPathValue json) throws JsonFormatException {
        try {
            EncodedRegionName id = new EncodedRegionName(json.field("region").text());
            Optional<JsonPathValue> primary = json.optional("primary");
            Optional<JsonPathValue> reported = json.optional("reported");
            Optional<JsonPathValue> blocks = json.optional("blocks");
            return new RegionState(
                    id,
                    primary.isPresent() ? new EncodedRegionName(primary.get().text()) : id,
                    new TableId(json.field("table").text()),
                    heat(json.field("heat"), load(json.field("plannedLoad"))),
                    json.field("pin").choice(Pin.class),
                    blocks.isPresent() ? bytesByHost(blocks.get()) : LocalBytes.UNKNOWN,
                    reported.isPresent() ? Optional.of(reported(reported.get())) : Optional.empty());
        } catch (IllegalArgumentException wrong) {
            throw json.refused(String.valueOf(wrong.getMessage()));
        }
    }

    private static RegionHeat heat(JsonPathValue json, LoadVector planned) throws JsonFormatException {
        if (!json.field("known").bool()) {
            return new RegionHeat.Unknown(
                    json.field("reason").choice(RegionHeat.Reason.class), load(json.field("first")));
        }
        LoadVector load = load(json.field("load"));
        return new RegionHeat.Known(
                load,
                loadOr(load, json.optional("recent")),
                loadOr(load, json.optional("last")),
                json.field("readCost").number(),
                planned);
    }

    private static LoadVector loadOr(LoadVector otherwise, Optional<JsonPathValue> json) throws JsonFormatException {
        return json.isPresent() ? load(json.get()) : otherwise;
    }

    /** A dimension that the version of Hearth that wrote it did not have is 0; reads have always been there. */
    private static LoadVector load(JsonPathValue json) throws JsonFormatException {
        double[] values = new double[LoadDimension.values().length];
        for (LoadDimension dimension : LoadDimension.values()) {
            boolean isThere = dimension == LoadDimension.READS
                    || json.optional(dimension.jsonName()).isPresent();
            values[dimension.ordinal()] =
                    isThere ? json.field(dimension.jsonName()).number() : 0;
        }
        return LoadVector.of(dimension -> values[dimension.ordinal()]);
    }

    private static StoreFileBytes reported(JsonPathValue json) throws JsonFormatException {
        return new StoreFileBytes(
                json.field("storeBytes").wholeNumber(0, Long.MAX_VALUE),
                json.field("localBytes").wholeNumber(0, Long.MAX_VALUE),
                json.field("blockBytes").wholeNumber(0, Long.MAX_VALUE));
    }

    private static LocalBytes bytesByHost(JsonPathValue json) throws JsonFormatException {
        Map<String, Long> bytesByHost = new HashMap<>();
        JsonPathValue hosts = json.field("bytesByHost");
        for (String host : hosts.names()) {
            bytesByHost.put(host, hosts.field(host).wholeNumber(0, Long.MAX_VALUE));
        }
        return LocalBytes.of(json.field("bytes").wholeNumber(0, Long.MAX_VALUE), bytesByHost);
    }
}
