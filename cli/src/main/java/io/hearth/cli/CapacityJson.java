// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.view.CapacityText.Then;
import io.hearth.doctor.capacity.BlockSizing;
import io.hearth.doctor.capacity.CacheAdvice;
import io.hearth.doctor.capacity.CapacityForecast.Disk;
import io.hearth.doctor.capacity.CapacityForecast.Figures;
import io.hearth.doctor.capacity.CapacityForecast.Growth;
import io.hearth.doctor.capacity.FlushChain;
import io.hearth.doctor.capacity.MemstoreSizing;
import io.hearth.doctor.capacity.ObservedCluster;
import io.hearth.doctor.capacity.ServerMemory;
import io.hearth.doctor.capacity.ServerMemory.FlushCounters;
import io.hearth.doctor.capacity.TableStore;
import io.hearth.doctor.model.HadoopKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.hbase.thirdparty.com.google.gson.JsonPrimitive;
import org.jspecify.annotations.Nullable;

/** A cluster's capacity as a JSON document, which is read again for the growth since. What is unknown is missing. Stateless. */
final class CapacityJson {

    private static final String AT = "atMs";
    private static final String HDFS = "hdfs";
    private static final String USED = "usedBytes";
    private static final long MAX_FILE_BYTES = 64L << 20;

    private CapacityJson() {}

    static JsonObject of(ObservedCluster cluster, Figures now, Optional<Then> then, Optional<Growth> growth) {
        JsonObject json = new JsonObject();
        json.addProperty(AT, cluster.atMs());
        json.addProperty("storeBytes", cluster.storeBytes());
        cluster.space().ifKnown().ifPresent(space -> {
            JsonObject hdfs = new JsonObject();
            hdfs.addProperty("capacityBytes", space.capacityBytes());
            hdfs.addProperty(USED, space.usedBytes());
            hdfs.addProperty("remainingBytes", space.remainingBytes());
            json.add(HDFS, hdfs);
        });
        growth.ifPresent(each -> {
            json.addProperty("growthBytesPerDay", each.bytesPerDay());
            json.addProperty("growthSource", each.source());
        });
        json.add("now", figures(now));
        then.ifPresent(other -> json.add("then", figures(other.figures())));
        JsonArray servers = new JsonArray();
        cluster.servers().forEach(server -> servers.add(server(server)));
        json.add("servers", servers);
        Optional<CacheAdvice> caches = CacheAdvice.of(cluster.servers());
        caches.ifPresent(known -> json.add("caches", caches(known)));
        JsonArray tables = new JsonArray();
        cluster.tables()
                .forEach(table -> tables.add(table(
                        BlockSizing.of(table, caches.map(CacheAdvice::bytes).orElse(0L)))));
        json.add("tables", tables);
        return json;
    }

    private static JsonObject caches(CacheAdvice caches) {
        JsonObject json = new JsonObject();
        json.addProperty("heapBytes", caches.heapBytes());
        json.addProperty("otherBytes", caches.otherBytes());
        json.addProperty("indexBytes", caches.indexBytes());
        json.addProperty("bloomBytes", caches.bloomBytes());
        add(json, "hitShare", caches.hitShare());
        json.addProperty("advice", caches.advice());
        return json;
    }

    private static JsonObject table(BlockSizing sizing) {
        TableStore table = sizing.table();
        JsonObject json = new JsonObject();
        json.addProperty("table", table.table());
        json.addProperty("regions", table.regionBytes().size());
        json.addProperty("storeBytes", table.storeBytes());
        json.addProperty("uncompressedBytes", table.files().uncompressedBytes());
        json.addProperty("indexBytes", table.files().indexBytes());
        json.addProperty("bloomBytes", table.files().bloomBytes());
        JsonObject blocks = new JsonObject();
        table.families().forEach(family -> blocks.addProperty(family.name(), family.blockBytes()));
        json.add("blockBytesByFamily", blocks);
        table.access().meanCellBytes().ifKnown().ifPresent(bytes -> json.addProperty("meanCellBytes", bytes));
        table.access().reads().ifKnown().ifPresent(reads -> {
            json.addProperty("gets", reads.gets());
            json.addProperty("scans", reads.scans());
        });
        table.access()
                .cacheHitShare()
                .ifKnown()
                .ifPresent(share -> json.addProperty("cacheHitShareOfItsServers", share));
        table.access().flushes().ifKnown().ifPresent(flushes -> {
            json.addProperty("flushes", flushes.count());
            json.addProperty("flushedBytes", flushes.bytes());
        });
        json.addProperty("indexBytesAt32KB", sizing.index32Bytes());
        json.addProperty("indexBytesAt16KB", sizing.index16Bytes());
        sizing.advisedBytes().ifPresent(bytes -> json.addProperty("advisedBlockBytes", bytes));
        json.addProperty("why", sizing.why());
        return json;
    }

    private static JsonObject figures(Figures figures) {
        JsonObject json = new JsonObject();
        json.addProperty("servers", figures.servers());
        json.addProperty("regions", figures.regions());
        json.addProperty("fewestRegions", figures.fewestRegions());
        json.addProperty("regionsPerServer", figures.regionsPerServer());
        json.addProperty("regionsThatDoWell", figures.regionsThatDoWell());
        json.addProperty("memstoreBytes", figures.memstoreBytes());
        json.addProperty("flushBytesIfAlike", figures.flushBytesIfAlike());
        add(json, "flushedBytesPerSecond", figures.flushedBytesPerSecond());
        add(json, "fillSeconds", figures.fillSeconds());
        figures.disk().ifPresent(disk -> json.add("disk", disk(disk)));
        return json;
    }

    private static JsonObject disk(Disk disk) {
        JsonObject json = new JsonObject();
        json.addProperty("capacityBytes", disk.capacityBytes());
        json.addProperty("remainingBytes", disk.remainingBytes());
        add(json, "bytesPerDay", disk.bytesPerDay());
        add(json, "daysUntilFull", disk.daysUntilFull());
        disk.firstFull().ifPresent(node -> {
            json.addProperty("firstFullDataNode", node.host());
            json.addProperty("firstFullDays", node.days());
        });
        return json;
    }

    private static JsonObject server(ServerMemory server) {
        MemstoreSizing sizing = server.sizing();
        JsonObject json = new JsonObject();
        json.addProperty("server", server.host());
        server.config().note().ifPresent(note -> json.addProperty("note", note));
        json.addProperty("heapBytes", sizing.heapBytes());
        json.addProperty("regions", sizing.regions());
        json.addProperty("stores", sizing.stores());
        json.addProperty("memstoreRoomBytes", sizing.roomBytes());
        json.addProperty(
                "memstoreShareKey",
                (sizing.offHeapBytes() > 0
                                ? HadoopKey.OFF_HEAP_MEMSTORE_MB
                                : sizing.limits().heapShareKey())
                        .key());
        json.addProperty("chunksBytes", sizing.chunksBytes());
        json.addProperty("regionsThatFill", sizing.regionsThatFill());
        json.addProperty("regionsThatDoWell", sizing.regionsThatDoWell());
        json.addProperty("flushBytesIfAlike", sizing.flushBytesIfAlike(sizing.regions()));
        json.addProperty("memstoreBytes", server.load().memstoreBytes());
        json.addProperty("storeFiles", server.load().storeFiles());
        json.addProperty("mostStoreFilesOfAStore", server.load().mostStoreFilesOfAStore());
        server.flushes().ifKnown().ifPresent(counters -> json.add("counters", counters(counters)));
        add(json, "gcShare", server.gcShare());
        server.counters().gc().ifKnown().ifPresent(gc -> {
            json.addProperty("pausesAboveInfo", gc.infoPauses());
            json.addProperty("pausesAboveWarn", gc.warnPauses());
        });
        JsonArray chain = new JsonArray();
        FlushChain.of(server).links().forEach(link -> {
            JsonObject row = new JsonObject();
            row.addProperty("step", link.step().words());
            row.addProperty("standing", link.standing().toString());
            row.addProperty("numbers", link.numbers());
            chain.add(row);
        });
        json.add("chain", chain);
        return json;
    }

    private static JsonObject counters(FlushCounters counters) {
        JsonObject json = new JsonObject();
        json.addProperty("flushes", counters.flushes());
        json.addProperty("flushedBytes", counters.flushedBytes());
        json.addProperty("meanFlushBytes", counters.meanBytes());
        json.addProperty("writtenBytes", counters.writtenBytes());
        json.addProperty("compactedBytes", counters.compactedBytes());
        json.addProperty("compactionQueue", counters.compactionQueue());
        json.addProperty("blockedRequests", counters.blockedRequests());
        json.addProperty("blockedMs", counters.blockedMs());
        return json;
    }

    private static void add(JsonObject json, String name, OptionalDouble value) {
        if (value.isPresent()) {
            json.addProperty(name, value.getAsDouble());
        }
    }

    /**
     * What a document of some time ago says of HDFS.
     *
     * @param usedBytes with every replica
     */
    record EarlierUse(long atMs, long usedBytes) {}

    /** @throws IOException if it can't be read, or is no such document with HDFS in it */
    static EarlierUse read(Path file) throws IOException {
        if (Files.size(file) > MAX_FILE_BYTES) {
            throw new IOException("it is longer than what --output json prints");
        }
        try {
            JsonElement all = JsonParser.parseString(Files.readString(file, StandardCharsets.UTF_8));
            return new EarlierUse(number(all, AT), number(all.getAsJsonObject().get(HDFS), USED));
        } catch (JsonParseException | IllegalStateException | NumberFormatException none) {
            throw new IOException("it is not what --output json prints of a cluster whose HDFS answers", none);
        }
    }

    /** @throws IllegalStateException if it is not there */
    private static long number(@Nullable JsonElement object, String name) {
        if (object != null
                && object.isJsonObject()
                && object.getAsJsonObject().get(name) instanceof JsonPrimitive number) {
            return number.getAsLong();
        }
        throw new IllegalStateException(name);
    }
}
