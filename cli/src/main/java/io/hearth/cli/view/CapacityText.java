// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import static io.hearth.cli.view.ViewText.format;

import io.hearth.common.config.HumanFormat;
import io.hearth.doctor.capacity.BlockSizing;
import io.hearth.doctor.capacity.CacheAdvice;
import io.hearth.doctor.capacity.CapacityForecast.Disk;
import io.hearth.doctor.capacity.CapacityForecast.Figures;
import io.hearth.doctor.capacity.CapacityForecast.FullNode;
import io.hearth.doctor.capacity.CapacityForecast.Growth;
import io.hearth.doctor.capacity.CapacityForecast.WhatIf;
import io.hearth.doctor.capacity.FlushChain;
import io.hearth.doctor.capacity.FlushChain.Link;
import io.hearth.doctor.capacity.FlushChain.Standing;
import io.hearth.doctor.capacity.MemstoreLimits.OldKey;
import io.hearth.doctor.capacity.ObservedCluster;
import io.hearth.doctor.capacity.ServerMemory;
import io.hearth.doctor.capacity.ServerMemory.FlushCounters;
import io.hearth.doctor.capacity.TableStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** What {@code bin/hearth capacity} says to a person: figures, servers, tables, and the chain to blocked writes. Pure. */
public final class CapacityText {

    private static final String INDENT = "  ";
    private static final String UNKNOWN = "not known";
    private static final String NOT_GROWING = "never, as it does not grow";
    private static final String HITS =
            "HITS: of the block caches of the servers that answer the table's reads, by their reads."
                    + " HBase counts hits neither by table nor by family.";
    private static final int HOSTS_SHOWN = 4;
    private static final double DAY_MS = 86_400_000.0;

    private CapacityText() {}

    /**
     * What would be.
     *
     * @param change what is otherwise
     */
    public record Then(WhatIf change, Figures figures) {}

    /** All of it, in lines. */
    public static List<String> lines(
            ObservedCluster cluster, Figures now, Optional<Then> then, Optional<Growth> growth) {
        List<String> lines = new ArrayList<>();
        lines.add(format(
                "%s, %s in store files, %s.",
                ViewText.count(cluster.servers().size(), "RegionServer"),
                HumanFormat.bytes(cluster.storeBytes()),
                ViewText.dayAndTime(cluster.atMs())));
        lines.add("");
        lines.addAll(figures(cluster, now, then).lines(""));
        lines.add("");
        lines.add(growthLine(growth));
        lines.add("");
        lines.addAll(servers(cluster.servers()).lines(""));
        lines.addAll(notes(cluster));
        Optional<CacheAdvice> caches = CacheAdvice.of(cluster.servers());
        if (!cluster.tables().isEmpty()) {
            lines.add("");
            lines.addAll(tables(cluster.tables(), caches).lines(""));
            lines.add(HITS);
        }
        lines.add("");
        lines.add(caches.map(CapacityText::words).orElse("Block caches: not known, no server tells."));
        FlushChain.furthest(cluster.servers()).ifPresent(chain -> {
            lines.add("");
            lines.addAll(chain(chain));
        });
        return lines;
    }

    /** {@code 10 more servers, 2 x the writes, splits at 20.0 GB}. */
    public static String words(WhatIf change) {
        List<String> words = new ArrayList<>();
        if (change.addedServers() != 0) {
            words.add(Math.abs(change.addedServers())
                    + (change.addedServers() > 0 ? " more" : " fewer")
                    + (Math.abs(change.addedServers()) == 1 ? " server" : " servers"));
        }
        if (change.writesFactor() != 1) {
            words.add(HumanFormat.decimal(change.writesFactor()).replaceFirst("\\.?0+$", "") + " x the writes");
        }
        change.splitBytes().ifPresent(bytes -> words.add("splits at " + HumanFormat.bytes(bytes)));
        return String.join(", ", words);
    }

    private record Row(String what, Function<Figures, String> figure) {}

    private static Table figures(ObservedCluster cluster, Figures now, Optional<Then> then) {
        List<Row> rows = List.of(
                new Row("RegionServers", each -> format("%,d", each.servers())),
                new Row("regions, all too large ones split", each -> format("%,d", each.regions())),
                new Row("regions, were small neighbours merged", each -> format("%,d", each.fewestRegions())),
                new Row("regions a server", each -> format("%,.0f, %s", each.regionsPerServer(), each.range())),
                new Row("regions that do well on a server's heap", each -> format("%,d", each.regionsThatDoWell())),
                new Row("memory for all memstores", each -> HumanFormat.bytes(each.memstoreBytes())),
                new Row("a flush if all are written to alike", each -> HumanFormat.bytes(each.flushBytesIfAlike())),
                new Row("flushed a second, since they started", each -> perSecond(each.flushedBytesPerSecond())),
                new Row("writes fill all memstores in", each -> seconds(each.fillSeconds())),
                new Row(
                        "HDFS used",
                        each -> ofDisk(
                                each,
                                disk -> HumanFormat.bytes(disk.usedBytes()) + " of "
                                        + HumanFormat.bytes(disk.capacityBytes()))),
                new Row("HDFS left", each -> ofDisk(each, disk -> HumanFormat.bytes(disk.remainingBytes()))),
                new Row("HDFS grows by", each -> ofDisk(each, CapacityText::growth)),
                new Row(
                        "HDFS is full",
                        each -> ofDisk(
                                each,
                                disk -> isGrowing(disk) ? full(cluster.atMs(), disk.daysUntilFull()) : NOT_GROWING)),
                new Row(
                        "the first DataNode is full",
                        each -> ofDisk(each, disk -> disk.firstFull()
                                .map(node -> full(cluster.atMs(), node))
                                .orElse(isGrowing(disk) ? UNKNOWN : NOT_GROWING))));
        List<Table.RowColumn<Row>> columns = new ArrayList<>(
                List.of(Table.left("figure", "", Row::what), Table.left("now", "NOW", row -> row.figure()
                        .apply(now))));
        then.ifPresent(other -> columns.add(Table.left(
                "then", "WITH " + words(other.change()), row -> row.figure().apply(other.figures()))));
        return Table.of(rows, columns);
    }

    private static String growthLine(Optional<Growth> growth) {
        return growth.map(each -> "Growth: " + each.source() + ".")
                .orElse("When HDFS is full needs its growth: --growth 50g/day, or --earlier FILE with what"
                        + " --output json has printed some days ago.");
    }

    private static String ofDisk(Figures figures, Function<Disk, String> text) {
        return figures.disk().map(text).orElse(UNKNOWN);
    }

    /** Or nobody knows. */
    private static boolean isGrowing(Disk disk) {
        return disk.bytesPerDay().isEmpty() || disk.bytesPerDay().getAsDouble() > 0;
    }

    private static String growth(Disk disk) {
        return disk.bytesPerDay().isEmpty()
                ? UNKNOWN
                : (disk.bytesPerDay().getAsDouble() < 0 ? "-" : "")
                        + HumanFormat.bytes(
                                Math.round(Math.abs(disk.bytesPerDay().getAsDouble())))
                        + " a day, all replicas";
    }

    private static String full(long nowMs, OptionalDouble days) {
        return days.isEmpty() ? UNKNOWN : full(nowMs, days.getAsDouble());
    }

    private static String full(long nowMs, FullNode node) {
        return full(nowMs, node.days()) + " (" + node.host() + ")";
    }

    /** Beyond a hundred years a date says nothing. */
    private static String full(long nowMs, double days) {
        return days > 36_500
                ? "in more than 100 years"
                : format(
                        days < 10 ? "in %.1f days, %.10s" : "in %,.0f days, %.10s",
                        days,
                        ViewText.dayAndTime(nowMs + Math.round(days * DAY_MS)));
    }

    private static String perSecond(OptionalDouble bytes) {
        return bytes.isEmpty() ? UNKNOWN : HumanFormat.bytes(Math.round(bytes.getAsDouble())) + "/s";
    }

    private static String seconds(OptionalDouble seconds) {
        return seconds.isEmpty() ? UNKNOWN : HumanFormat.time(Math.round(seconds.getAsDouble()));
    }

    /** A row for each server. */
    public static Table servers(List<ServerMemory> servers) {
        return Table.of(
                servers,
                List.of(
                        Table.left("server", "SERVER", ServerMemory::host),
                        Table.right(
                                "heap",
                                "HEAP",
                                server -> HumanFormat.bytes(server.sizing().heapBytes())),
                        Table.right(
                                "regions",
                                "REGIONS",
                                server -> format("%,d", server.sizing().regions())),
                        Table.right(
                                "regionsThatDoWell",
                                "DO WELL",
                                server -> format("%,d", server.sizing().regionsThatDoWell())),
                        Table.right(
                                "memstores",
                                "MEMSTORES",
                                server -> HumanFormat.bytes(server.load().memstoreBytes()) + " of "
                                        + HumanFormat.bytes(server.sizing().roomBytes())),
                        Table.right(
                                "filesPerStore", "FILES/STORE", server -> format("%.1f", server.storeFilesPerStore())),
                        Table.right(
                                "mostFiles",
                                "MOST",
                                server -> format("%,d", server.load().mostStoreFilesOfAStore())),
                        Table.right(
                                "flushes",
                                "FLUSHES",
                                server -> counted(server, counters -> format("%,d", counters.flushes()))),
                        Table.right(
                                "meanFlush",
                                "MEAN",
                                server -> counted(server, counters -> HumanFormat.bytes(counters.meanBytes()))),
                        Table.right(
                                "compactionQueue",
                                "QUEUE",
                                server -> counted(server, counters -> format("%,d", counters.compactionQueue()))),
                        Table.right("gcShare", "GC", CapacityText::gcShare),
                        Table.right("longPauses", "PAUSES >1s, >10s", CapacityText::pauses)));
    }

    private static String counted(ServerMemory server, Function<FlushCounters, String> text) {
        return server.flushes().ifKnown().map(text).orElse("-");
    }

    private static String gcShare(ServerMemory server) {
        OptionalDouble share = server.gcShare();
        return share.isEmpty() ? "-" : format("%.1f %%", 100 * share.getAsDouble());
    }

    private static String pauses(ServerMemory server) {
        return server.counters()
                .gc()
                .ifKnown()
                .map(gc -> format("%,d, %,d", gc.infoPauses(), gc.warnPauses()))
                .orElse("-");
    }

    /** A row for each table: how it is read, and what smaller blocks would mean for its gets and its index. */
    private static Table tables(List<TableStore> tables, Optional<CacheAdvice> caches) {
        long cacheBytes = caches.map(CacheAdvice::bytes).orElse(0L);
        return Table.of(
                tables.stream().map(table -> BlockSizing.of(table, cacheBytes)).toList(),
                List.of(
                        Table.left("table", "TABLE", sizing -> sizing.table().table()),
                        Table.right(
                                "regions",
                                "REGIONS",
                                sizing -> format(
                                        "%,d", sizing.table().regionBytes().size())),
                        Table.right(
                                "storeBytes",
                                "SIZE",
                                sizing -> HumanFormat.bytes(sizing.table().storeBytes())),
                        Table.right("flushes", "FLUSHES", sizing -> sizing.table()
                                .access()
                                .flushes()
                                .ifKnown()
                                .map(flushes ->
                                        format("%,d of %s", flushes.count(), HumanFormat.bytes(flushes.meanBytes())))
                                .orElse("-")),
                        Table.right("cell", "CELL", sizing -> sizing.table()
                                .access()
                                .meanCellBytes()
                                .ifKnown()
                                .map(HumanFormat::bytes)
                                .orElse("-")),
                        Table.right("gets", "GETS", sizing -> sizing.table()
                                .access()
                                .reads()
                                .ifKnown()
                                .map(reads -> format("%.0f %%", 100 * BlockSizing.getShare(reads)))
                                .orElse("-")),
                        Table.right("hits", "HITS", sizing -> sizing.table()
                                .access()
                                .cacheHitShare()
                                .ifKnown()
                                .map(share -> format("%.1f %%", 100 * share))
                                .orElse(UNKNOWN)),
                        Table.right(
                                "block",
                                "BLOCK",
                                sizing -> HumanFormat.bytes(sizing.table().blockBytes())),
                        Table.right(
                                "index",
                                "INDEX",
                                sizing ->
                                        HumanFormat.bytes(sizing.table().files().indexBytes())),
                        Table.right("index32", "AT 32 KB", sizing -> HumanFormat.bytes(sizing.index32Bytes())),
                        Table.right("index16", "AT 16 KB", sizing -> HumanFormat.bytes(sizing.index16Bytes())),
                        Table.right(
                                "bloom",
                                "BLOOM",
                                sizing ->
                                        HumanFormat.bytes(sizing.table().files().bloomBytes())),
                        Table.left("blocks", "BETTER BLOCKS", CapacityText::words)));
    }

    private static String words(BlockSizing sizing) {
        return sizing.advisedBytes()
                        .map(bytes -> HumanFormat.bytes(bytes) + ": ")
                        .orElse("as now: ")
                + sizing.why();
    }

    private static String words(CacheAdvice caches) {
        return format(
                "Block caches: %s on the heap, %s off it or in files; %s of what was asked for was there; indexes %s, Bloom"
                        + " filters %s. %s",
                HumanFormat.bytes(caches.heapBytes()),
                HumanFormat.bytes(caches.otherBytes()),
                caches.hitShare().isEmpty()
                        ? UNKNOWN
                        : format("%.1f %%", 100 * caches.hitShare().getAsDouble()),
                HumanFormat.bytes(caches.indexBytes()),
                HumanFormat.bytes(caches.bloomBytes()),
                caches.advice());
    }

    /** A line for each note, with the servers that it is about. */
    private static List<String> notes(ObservedCluster cluster) {
        Map<String, List<String>> hostsByNote = new LinkedHashMap<>();
        cluster.servers().forEach(server -> notes(server).forEach(note -> hostsByNote
                .computeIfAbsent(note, first -> new ArrayList<>())
                .add(server.host())));
        List<String> lines = new ArrayList<>();
        hostsByNote.forEach((note, hosts) -> lines.add(hosts(hosts) + ": " + note));
        cluster.space().whyUnknown().ifPresent(why -> lines.add(why + "."));
        return lines;
    }

    private static List<String> notes(ServerMemory server) {
        List<String> notes = new ArrayList<>();
        server.config().note().ifPresent(notes::add);
        server.flushes().whyUnknown().ifPresent(why -> notes.add("No counters: " + why + "."));
        server.sizing().limits().oldKeys().forEach(key -> notes.add(words(key)));
        return notes;
    }

    private static String hosts(List<String> hosts) {
        return String.join(", ", hosts.subList(0, Math.min(HOSTS_SHOWN, hosts.size())))
                + (hosts.size() > HOSTS_SHOWN ? " and " + (hosts.size() - HOSTS_SHOWN) + " more" : "");
    }

    private static String words(OldKey key) {
        return key.old().key() + " is the name of before HBase 1.0 of "
                + key.today().key()
                + (key.isUsed() ? ", and HBase goes by it." : ", which is set too: HBase does not read the old one.");
    }

    private static List<String> chain(FlushChain chain) {
        List<String> lines = new ArrayList<>();
        lines.add("From many regions to blocked writes, of the server that has come the furthest, " + chain.host()
                + (chain.isClear() ? ": nowhere yet." : ":"));
        String arrow = "";
        for (Link link : chain.links()) {
            if (!arrow.isEmpty()) {
                lines.add(arrow);
            }
            lines.add(INDENT + mark(link.standing()) + " " + link.step().words());
            lines.add(INDENT + "  |   " + link.numbers());
            arrow = INDENT + "  v";
        }
        return lines;
    }

    private static String mark(Standing standing) {
        return switch (standing) {
            case CLEAR -> "[ ok ]";
            case NEAR -> "[near]";
            case REACHED -> "[HERE]";
            case UNKNOWN -> "[  ? ]";
        };
    }
}
