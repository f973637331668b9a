package io.hearth.sim.snapshot;

import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import io.hearth.balancer.hbase.SnapshotProvenance;
import io.hearth.balancer.hbase.SnapshotWriter;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a snapshot file. Strict: what is missing, unknown, of another type or out of bounds is a problem, so that no plan is
 * made from something else than the file's author meant.
 */
public final class SnapshotFileReader {

    private final Map<ServerId, List<RegionState>> regionsByServer = new HashMap<>();
    private final Map<ServerId, ServerState> stateByServer = new HashMap<>();
    private final Set<EncodedRegionName> seen = new HashSet<>();

    private SnapshotFileReader() {}

    /** The snapshot in this file. */
    public static SnapshotFile read(Path file) throws IOException, SnapshotFormatException {
        try (Reader text = Files.newBufferedReader(file)) {
            return read(text);
        } catch (SnapshotFormatException problem) {
            throw new SnapshotFormatException(file + ": " + problem.line());
        }
    }

    /** The snapshot in this text, to its end. */
    static SnapshotFile read(Reader text) throws IOException, SnapshotFormatException {
        JsonReader reader = new JsonReader(text);
        reader.setStrictness(Strictness.STRICT);
        try {
            JsonElement whole = JsonParser.parseReader(reader);
            if (reader.peek() != JsonToken.END_DOCUMENT) {
                throw new SnapshotFormatException("there is more after the end of the snapshot");
            }
            return new SnapshotFileReader().file(new JsonPathValue("", whole));
        } catch (JsonParseException | IllegalStateException | com.google.gson.stream.MalformedJsonException notJson) {
            throw new SnapshotFormatException("it is no JSON: " + firstLine(notJson));
        }
    }

    private static String firstLine(Exception notJson) {
        return String.valueOf(notJson.getMessage()).lines().findFirst().orElse("");
    }

    private SnapshotFile file(JsonPathValue root) throws SnapshotFormatException {
        JsonPathValue format = root.field("format");
        if (!format.text().equals(SnapshotWriter.FORMAT)) {
            throw format.mustBe("\"" + SnapshotWriter.FORMAT + "\"");
        }
        JsonPathValue version = root.field("version");
        if (version.wholeNumber(0, Integer.MAX_VALUE) != SnapshotWriter.VERSION) {
            throw version.mustBe(SnapshotWriter.VERSION + ", which this Hearth reads");
        }
        root.allowing("format", "version", "takenAtMs", "takenBy", "hbaseVersion", "goals", "servers");
        SnapshotProvenance provenance = new SnapshotProvenance(
                root.field("takenAtMs").wholeNumber(0, Long.MAX_VALUE),
                root.field("takenBy").text(),
                root.field("hbaseVersion").text());
        for (JsonPathValue server : root.field("servers").items()) {
            server(server);
        }
        return new SnapshotFile(
                provenance,
                ClusterState.of(regionsByServer, stateByServer),
                PlanGoalsReader.read(root.field("goals")));
    }

    private void server(JsonPathValue server) throws SnapshotFormatException {
        server.allowing("host", "port", "startCode", "rack", "capacity", "target", "regions");
        try {
            ServerId id = new ServerId(
                    server.field("host").text(),
                    (int) server.field("port").wholeNumber(0, 65_535),
                    server.field("startCode").wholeNumber(0, Long.MAX_VALUE));
            ServerState state = new ServerState(
                    id,
                    server.field("rack").text(),
                    server.field("capacity").number(),
                    server.field("target").bool());
            if (stateByServer.put(id, state) != null) {
                throw server.refused("server " + id + " is there twice");
            }
            List<RegionState> regions = new ArrayList<>();
            for (JsonPathValue region : server.field("regions").items()) {
                regions.add(region(region));
            }
            regionsByServer.put(id, regions);
        } catch (IllegalArgumentException wrong) {
            throw server.refused(String.valueOf(wrong.getMessage()));
        }
    }

    private RegionState region(JsonPathValue region) throws SnapshotFormatException {
        region.allowing("region", "primary", "table", "pin", "load", "blocks");
        try {
            EncodedRegionName id = new EncodedRegionName(region.field("region").text());
            if (!seen.add(id)) {
                throw region.refused("region " + id + " is there twice");
            }
            Optional<JsonPathValue> primary = region.optional("primary");
            Optional<JsonPathValue> blocks = region.optional("blocks");
            return new RegionState(
                    id,
                    primary.isPresent() ? new EncodedRegionName(primary.get().text()) : id,
                    new TableId(region.field("table").text()),
                    load(region.field("load")),
                    region.field("pin").choice(Pin.class),
                    blocks.isPresent() ? local(blocks.get()) : LocalBytes.UNKNOWN);
        } catch (IllegalArgumentException wrong) {
            throw region.refused(String.valueOf(wrong.getMessage()));
        }
    }

    private static LoadVector load(JsonPathValue load) throws SnapshotFormatException {
        load.allowing("READS", "WRITES", "STORE_SIZE", "MEMSTORE");
        return LoadVector.ofReads(load.field(LoadDimension.READS.name()).number())
                .withWrites(load.field(LoadDimension.WRITES.name()).number())
                .withStoreBytes(load.field(LoadDimension.STORE_SIZE.name()).number())
                .withMemstoreBytes(load.field(LoadDimension.MEMSTORE.name()).number());
    }

    private static LocalBytes local(JsonPathValue blocks) throws SnapshotFormatException {
        blocks.allowing("bytes", "bytesByHost");
        Map<String, Long> bytesByHost = new HashMap<>();
        JsonPathValue hosts = blocks.field("bytesByHost");
        for (String host : hosts.names()) {
            bytesByHost.put(host, hosts.field(host).wholeNumber(0, Long.MAX_VALUE));
        }
        return LocalBytes.of(blocks.field("bytes").wholeNumber(0, Long.MAX_VALUE), bytesByHost);
    }
}
