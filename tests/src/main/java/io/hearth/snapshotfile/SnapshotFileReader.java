package io.hearth.snapshotfile;

import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import io.hearth.balancer.dump.Provenance;
import io.hearth.balancer.dump.SnapshotWriter;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.LocalBytes;
import io.hearth.balancer.snapshot.Pin;
import io.hearth.balancer.snapshot.RegionState;
import io.hearth.balancer.snapshot.ServerState;
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
    private final Set<RegionId> seen = new HashSet<>();

    private SnapshotFileReader() {}

    /** The snapshot in this file. */
    public static SnapshotFile read(Path file) throws IOException, SnapshotFileProblem {
        try (Reader text = Files.newBufferedReader(file)) {
            return read(text);
        } catch (SnapshotFileProblem problem) {
            throw new SnapshotFileProblem(file + ": " + problem.line());
        }
    }

    /** The snapshot in this text, to its end. */
    static SnapshotFile read(Reader text) throws IOException, SnapshotFileProblem {
        JsonReader reader = new JsonReader(text);
        reader.setStrictness(Strictness.STRICT);
        try {
            JsonElement whole = JsonParser.parseReader(reader);
            if (reader.peek() != JsonToken.END_DOCUMENT) {
                throw new SnapshotFileProblem("there is more after the end of the snapshot");
            }
            return new SnapshotFileReader().file(new JsonNode("", whole));
        } catch (JsonParseException | IllegalStateException | com.google.gson.stream.MalformedJsonException notJson) {
            throw new SnapshotFileProblem("it is no JSON: " + firstLine(notJson));
        }
    }

    private static String firstLine(Exception notJson) {
        return String.valueOf(notJson.getMessage()).lines().findFirst().orElse("");
    }

    private SnapshotFile file(JsonNode root) throws SnapshotFileProblem {
        JsonNode format = root.field("format");
        if (!format.text().equals(SnapshotWriter.FORMAT)) {
            throw format.mustBe("\"" + SnapshotWriter.FORMAT + "\"");
        }
        JsonNode version = root.field("version");
        if (version.wholeNumber(0, Integer.MAX_VALUE) != SnapshotWriter.VERSION) {
            throw version.mustBe(SnapshotWriter.VERSION + ", which this Hearth reads");
        }
        root.allowing("format", "version", "takenAtMs", "takenBy", "hbaseVersion", "goals", "servers");
        Provenance provenance = new Provenance(
                root.field("takenAtMs").wholeNumber(0, Long.MAX_VALUE),
                root.field("takenBy").text(),
                root.field("hbaseVersion").text());
        for (JsonNode server : root.field("servers").items()) {
            server(server);
        }
        return new SnapshotFile(
                provenance, ClusterSnapshot.of(regionsByServer, stateByServer), GoalsReader.read(root.field("goals")));
    }

    private void server(JsonNode server) throws SnapshotFileProblem {
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
                    server.field("target").yes());
            if (stateByServer.put(id, state) != null) {
                throw server.refused("server " + id + " is there twice");
            }
            List<RegionState> regions = new ArrayList<>();
            for (JsonNode region : server.field("regions").items()) {
                regions.add(region(region));
            }
            regionsByServer.put(id, regions);
        } catch (IllegalArgumentException wrong) {
            throw server.refused(String.valueOf(wrong.getMessage()));
        }
    }

    private RegionState region(JsonNode region) throws SnapshotFileProblem {
        region.allowing("region", "primary", "table", "pin", "load", "blocks");
        try {
            RegionId id = new RegionId(region.field("region").text());
            if (!seen.add(id)) {
                throw region.refused("region " + id + " is there twice");
            }
            Optional<JsonNode> primary = region.optional("primary");
            Optional<JsonNode> blocks = region.optional("blocks");
            return new RegionState(
                    id,
                    primary.isPresent() ? new RegionId(primary.get().text()) : id,
                    new TableId(region.field("table").text()),
                    load(region.field("load")),
                    region.field("pin").choice(Pin.class),
                    blocks.isPresent() ? local(blocks.get()) : LocalBytes.UNKNOWN);
        } catch (IllegalArgumentException wrong) {
            throw region.refused(String.valueOf(wrong.getMessage()));
        }
    }

    private static LoadVector load(JsonNode load) throws SnapshotFileProblem {
        load.allowing("READS", "WRITES", "STORE_SIZE", "MEMSTORE");
        return LoadVector.of(
                load.field(LoadDimension.READS.name()).number(),
                load.field(LoadDimension.WRITES.name()).number(),
                load.field(LoadDimension.STORE_SIZE.name()).number(),
                load.field(LoadDimension.MEMSTORE.name()).number());
    }

    private static LocalBytes local(JsonNode blocks) throws SnapshotFileProblem {
        blocks.allowing("bytes", "bytesByHost");
        Map<String, Long> bytesByHost = new HashMap<>();
        JsonNode hosts = blocks.field("bytesByHost");
        for (String host : hosts.names()) {
            bytesByHost.put(host, hosts.field(host).wholeNumber(0, Long.MAX_VALUE));
        }
        return LocalBytes.of(blocks.field("bytes").wholeNumber(0, Long.MAX_VALUE), bytesByHost);
    }
}
