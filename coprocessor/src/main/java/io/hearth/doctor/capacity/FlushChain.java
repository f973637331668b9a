// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import static io.hearth.doctor.model.HadoopKey.BLOCKING_STORE_FILES;
import static io.hearth.doctor.model.HadoopKey.BLOCKING_WAIT_MS;
import static io.hearth.doctor.model.HadoopKey.BLOCK_MULTIPLIER;

import io.hearth.common.config.HumanFormat;
import io.hearth.doctor.capacity.ServerMemory.FlushCounters;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The chain from too many regions to writes that wait, and how far a RegionServer has come in it: many regions share the room of the
 * memstores, so they are flushed small; small flushes make many files; many files make compactions wait, then flushes, then writes, which
 * fill the memstores. Immutable.
 *
 * <p>Source: OpenTSDB on HBase, an operator's report: 700 regions on 12 GB, flushes of 1 to 10 MB.
 *
 * @param links in the order in which one leads to the next
 */
public record FlushChain(String host, List<Link> links) {

    /** A flush is tiny below this share of the flush size. */
    private static final int TINY = 8;

    /** Before as many flushes their mean says little. */
    private static final int MIN_FLUSHES = 20;

    /** Chunks without data are too many from this share of the memstores' room on. */
    private static final double MOST_FOR_CHUNKS = 0.25;

    /** A store is near its limit of files from this share on. */
    private static final double NEAR = 0.75;

    /** A queue is long above one compaction for each ten stores, and never below twenty. */
    private static final int STORES_FOR_EACH_COMPACTION = 10;

    private static final int SHORT_QUEUE = 20;

    public FlushChain {
        links = List.copyOf(links);
    }

    /** How far it has come with one link. */
    public enum Standing {
        CLEAR,
        NEAR,
        REACHED,
        UNKNOWN
    }

    /** The links, each of which leads to the next. */
    public enum Step {
        CHUNKS("memstore chunks"),
        REGIONS("regions"),
        FLUSHES("small flushes"),
        COMPACTIONS("compaction queue"),
        STORE_FILES("store files"),
        WRITES("blocked writes");

        private final String words;

        Step(String words) {
            this.words = words;
        }

        /** For a person. */
        public String words() {
            return words;
        }
    }

    /**
     * One link with the server's own numbers.
     *
     * @param numbers a sentence without its point
     */
    public record Link(Step step, Standing standing, String numbers) {}

    /**
     * How far this server has come.
     *
     * @throws IllegalArgumentException if a key of its configuration is no number
     */
    public static FlushChain of(ServerMemory server) {
        return new FlushChain(
                server.host(),
                List.of(
                        chunks(server.sizing()),
                        regions(server.sizing()),
                        flushes(server),
                        compactions(server),
                        storeFiles(server),
                        writes(server)));
    }

    /** The chain of the server that has come the furthest; of those, the first. Empty where there is no server. */
    public static Optional<FlushChain> furthest(List<ServerMemory> servers) {
        return servers.stream().map(FlushChain::of).max(Comparator.comparingInt(FlushChain::weight));
    }

    /** Whether no link is reached. */
    public boolean isClear() {
        return links.stream().noneMatch(link -> link.standing() == Standing.REACHED);
    }

    /** The later a link, the more it weighs: writes that wait are worse than all before it. */
    private int weight() {
        int weight = 0;
        for (Link link : links) {
            weight += link.standing() == Standing.REACHED ? 1 << link.step().ordinal() : 0;
        }
        return weight;
    }

    private static Link chunks(MemstoreSizing sizing) {
        if (sizing.chunkBytes() == 0) {
            return new Link(Step.CHUNKS, Standing.CLEAR, "hbase.hregion.memstore.mslab.enabled is false: no chunks");
        }
        double share = (double) sizing.chunksBytes() / sizing.roomBytes();
        return new Link(
                Step.CHUNKS,
                share >= MOST_FOR_CHUNKS ? Standing.REACHED : Standing.CLEAR,
                text(
                        "%s x %,d stores = %s of the %s for memstores (%.0f %%) once each store has one cell",
                        HumanFormat.bytes(sizing.chunkBytes()),
                        sizing.stores(),
                        HumanFormat.bytes(sizing.chunksBytes()),
                        HumanFormat.bytes(sizing.roomBytes()),
                        100 * share));
    }

    private static Link regions(MemstoreSizing sizing) {
        return new Link(
                Step.REGIONS,
                sizing.regions() > sizing.regionsThatDoWell() ? Standing.REACHED : Standing.CLEAR,
                text(
                        "%s / %s%s = %,d regions can fill their memstores, four times as many (%,d) do well; it"
                                + " has %,d",
                        sizing.roomWords(),
                        HumanFormat.bytes(sizing.flushBytes()),
                        sizing.familiesPerRegion() > 1 ? text(" / %.1f families", sizing.familiesPerRegion()) : "",
                        sizing.regionsThatFill(),
                        sizing.regionsThatDoWell(),
                        sizing.regions()));
    }

    private static Link flushes(ServerMemory server) {
        MemstoreSizing sizing = server.sizing();
        String alike = text(
                "if all %,d regions are written to alike, a flush has %s of the %s asked for",
                sizing.regions(),
                HumanFormat.bytes(sizing.flushBytesIfAlike(sizing.regions())),
                HumanFormat.bytes(sizing.flushBytes()));
        return server.flushes()
                .ifKnown()
                .map(counters -> flushes(sizing, counters, alike))
                .orElseGet(() -> unknown(Step.FLUSHES, alike + "; what it flushed", server.flushes()));
    }

    private static Link flushes(MemstoreSizing sizing, FlushCounters counters, String alike) {
        boolean isJudged = counters.flushes() >= MIN_FLUSHES;
        return new Link(
                Step.FLUSHES,
                isJudged && counters.meanBytes() * TINY < sizing.flushBytes() ? Standing.REACHED : Standing.CLEAR,
                text(
                        "%s; %,d flushes had %s on average%s",
                        alike,
                        counters.flushes(),
                        HumanFormat.bytes(counters.meanBytes()),
                        counters.medianBytes() == 0
                                ? ""
                                : ", half of the last ones at most " + HumanFormat.bytes(counters.medianBytes())));
    }

    private static Link compactions(ServerMemory server) {
        long most = longestQueue(server.sizing().stores());
        return server.flushes()
                .ifKnown()
                .map(counters -> new Link(
                        Step.COMPACTIONS,
                        counters.compactionQueue() > most ? Standing.REACHED : Standing.CLEAR,
                        text(
                                "%,d compactions wait, %,d are a long queue for %,d stores; every byte that was"
                                        + " flushed was compacted %s times",
                                counters.compactionQueue(),
                                most,
                                server.sizing().stores(),
                                counters.writtenBytes() == 0
                                        ? "0"
                                        : HumanFormat.decimal(
                                                (double) counters.compactedBytes() / counters.writtenBytes()))))
                .orElseGet(() -> unknown(Step.COMPACTIONS, "how many wait", server.flushes()));
    }

    /** Above how many compactions in it a queue of a server with so many stores is long. */
    public static long longestQueue(int stores) {
        return Math.max(SHORT_QUEUE, stores / STORES_FOR_EACH_COMPACTION);
    }

    private static Link storeFiles(ServerMemory server) {
        long blocking = server.settings().number(BLOCKING_STORE_FILES);
        int most = server.load().mostStoreFilesOfAStore();
        return new Link(
                Step.STORE_FILES,
                most > blocking ? Standing.REACHED : most >= NEAR * blocking ? Standing.NEAR : Standing.CLEAR,
                text(
                        "a store has %.1f files on average and %,d at most; above %,d (%s) its flushes wait, up to"
                                + " %s (%s)",
                        server.storeFilesPerStore(),
                        most,
                        blocking,
                        BLOCKING_STORE_FILES.key(),
                        HumanFormat.timeOfMs(server.settings().number(BLOCKING_WAIT_MS)),
                        BLOCKING_WAIT_MS.key()));
    }

    private static Link writes(ServerMemory server) {
        MemstoreSizing sizing = server.sizing();
        long multiplier = server.settings().number(BLOCK_MULTIPLIER);
        String limits = text(
                "a region refuses writes from %d x %s = %s in its memstore on (%s), all wait from %s together on",
                multiplier,
                HumanFormat.bytes(sizing.flushBytes()),
                HumanFormat.bytes(multiplier * sizing.flushBytes()),
                BLOCK_MULTIPLIER.key(),
                HumanFormat.bytes(sizing.roomBytes()));
        return server.flushes()
                .ifKnown()
                .map(counters -> new Link(
                        Step.WRITES,
                        counters.blockedRequests() > 0 || counters.blockedMs() > 0 ? Standing.REACHED : Standing.CLEAR,
                        text(
                                "%s; since it started %,d were refused, and others waited %s",
                                limits, counters.blockedRequests(), HumanFormat.timeOfMs(counters.blockedMs()))))
                .orElseGet(() -> unknown(Step.WRITES, limits + "; whether any did", server.flushes()));
    }

    private static Link unknown(Step step, String what, ProbeResult<FlushCounters> counters) {
        return new Link(
                step,
                Standing.UNKNOWN,
                what + " is not known: " + counters.whyUnknown().orElse(""));
    }

    private static String text(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
