// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import io.hearth.slo.event.EventMinute;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.store.Segment.Series;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Reads what instances of the SLO watch stored, also while they run. It changes nothing.
 *
 * <p>With several instances each record is delivered by itself, and a minute has records of each. Probes are added: those of two instances
 * are twice as many, each counted once, and the share of good ones is that of both. Times are not added: a minute in which both sent
 * probes is one minute.
 *
 * <p>What has no record is unknown: the watch did not run, or what it found was lost. Immutable; times are in ms since 1970, ranges from
 * the first (inclusive) to the second (exclusive), by the start of minutes and hours.
 */
public final class SloReader {

    private final List<Path> folders;
    private final Consumer<String> problems;

    private SloReader(List<Path> folders, Consumer<String> problems) {
        this.folders = List.copyOf(folders);
        this.problems = problems;
    }

    /**
     * A reader of these instances.
     *
     * @param folder of all instances
     * @param problems takes one line for each record or file that can't be read
     */
    public static SloReader of(Path folder, List<String> instances, Consumer<String> problems) throws IOException {
        List<Path> folders = new ArrayList<>();
        for (String instance : instances) {
            Path own = SloStore.folderOf(folder, instance);
            if (!Files.isDirectory(own)) {
                throw new IOException("No SLO watch of the name '" + instance + "' has stored anything in " + folder
                        + "; there are: " + instances(folder));
            }
            folders.add(own);
        }
        return new SloReader(folders, problems);
    }

    /**
     * The names of the instances that have stored something here, sorted. One of another user's that this one may not look into is among
     * them: reading it fails, where leaving it out would leave out its probes without a word.
     */
    public static List<String> instances(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(own -> Files.isDirectory(own) && !Files.notExists(own.resolve("lock")))
                    .map(own -> own.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    /** Delivers the counts of servers and the latencies of the cluster, each part of a minute by itself, by instance and file. */
    public void clusterMinutes(long fromMs, long toMs, Consumer<ClusterMinute> each) throws IOException {
        read(Series.CLUSTER, fromMs, toMs, (payload, names) -> each.accept(RecordCodec.readMinute(payload, names)));
    }

    /** Delivers timeline-consistent reads, each part of a minute by itself, by instance and file. */
    public void timelineMinutes(long fromMs, long toMs, Consumer<TimelineMinute> each) throws IOException {
        read(Series.TIMELINE, fromMs, toMs, (payload, names) -> each.accept(RecordCodec.readTimeline(payload)));
    }

    /** Delivers what the NameNode said of DataNodes, each part of a minute by itself, by instance and file. */
    public void dataNodeMinutes(long fromMs, long toMs, Consumer<DataNodeMinute> each) throws IOException {
        read(
                Series.DATANODES,
                fromMs,
                toMs,
                (payload, names) -> each.accept(RecordCodec.readDataNodes(payload, names)));
    }

    /** Delivers latencies of servers by minute, each part of a minute by itself; they are kept for 24 hours. */
    public void serverMinutes(long fromMs, long toMs, Consumer<ServerLatencies> each) throws IOException {
        read(Series.MINUTES, fromMs, toMs, (payload, names) -> each.accept(RecordCodec.readLatencies(payload, names)));
    }

    /** Delivers latencies of servers by hour, each part of an hour by itself; they are there some minutes after the hour. */
    public void serverHours(long fromMs, long toMs, Consumer<ServerLatencies> each) throws IOException {
        read(Series.HOURS, fromMs, toMs, (payload, names) -> each.accept(RecordCodec.readLatencies(payload, names)));
    }

    /**
     * Delivers what happened, minute by minute. All instances see the same cluster: of a minute that several have, the first one's is
     * delivered. Where the first one starts or ends, an event of that minute may be missing or be there twice.
     */
    public void eventMinutes(long fromMs, long toMs, Consumer<EventMinute> each) throws IOException {
        Set<Long> known = new HashSet<>();
        for (Path folder : folders) {
            Set<Long> own = new HashSet<>();
            read(folder, Series.EVENTS, fromMs, toMs, (payload, names) -> {
                long startMs = RecordCodec.startMs(payload);
                if (!known.contains(startMs)) {
                    own.add(startMs);
                    each.accept(RecordCodec.readEvents(payload, names));
                }
            });
            known.addAll(own);
        }
    }

    /** The latencies of the whole cluster in this time, by kind; a kind without a probe is missing. */
    public Map<ProbeKind, LatencyHistogram> clusterLatencies(long fromMs, long toMs) throws IOException {
        Map<ProbeKind, LatencyHistogram> sums = new EnumMap<>(ProbeKind.class);
        clusterMinutes(fromMs, toMs, minute -> minute.latencies()
                .forEach((kind, part) -> sums.computeIfAbsent(kind, any -> new LatencyHistogram())
                        .add(part)));
        return sums;
    }

    /**
     * The latencies of each server in this time, by kind and server: of minutes that are still kept, and of whole hours that begin in it
     * where their minutes are gone.
     */
    public Map<ProbeKind, Map<String, LatencyHistogram>> serverLatencies(long fromMs, long toMs) throws IOException {
        ServerLatencies sums = ServerLatencies.empty(fromMs);
        for (Path folder : folders) {
            // Minutes first: those that are deleted meanwhile are in an hour then.
            Set<String> read = new HashSet<>();
            for (Segment segment : segments(folder, Series.MINUTES, fromMs, toMs)) {
                boolean isRead = read(
                        folder.resolve(segment.fileName()),
                        fromMs,
                        toMs,
                        (payload, names) -> sums.add(RecordCodec.readLatencies(payload, names)));
                if (isRead) {
                    read.add(segment.fileName());
                }
            }
            read(folder, Series.HOURS, fromMs, toMs, (payload, names) -> {
                if (!read.contains(RecordCodec.source(payload).file())) {
                    sums.add(RecordCodec.readLatencies(payload, names));
                }
            });
        }
        return sums.byKindAndTarget();
    }

    private interface Decoder {
        void decode(ByteBuffer payload, List<String> names) throws IOException;
    }

    private void read(Series series, long fromMs, long toMs, Decoder decoder) throws IOException {
        for (Path folder : folders) {
            read(folder, series, fromMs, toMs, decoder);
        }
    }

    private void read(Path folder, Series series, long fromMs, long toMs, Decoder decoder) throws IOException {
        for (Segment segment : segments(folder, series, fromMs, toMs)) {
            boolean unused = read(folder.resolve(segment.fileName()), fromMs, toMs, decoder);
        }
    }

    private static List<Segment> segments(Path folder, Series series, long fromMs, long toMs) throws IOException {
        return Segment.list(folder, series).stream()
                .filter(segment -> segment.endMs() > fromMs && segment.startMs() < toMs)
                .toList();
    }

    /** Whether the file is there, and of a format that this can read. */
    private boolean read(Path file, long fromMs, long toMs, Decoder decoder) throws IOException {
        List<String> names = new ArrayList<>();
        try {
            SegmentFile.read(
                    file,
                    (payload, end) -> {
                        if (RecordCodec.type(payload) == RecordCodec.NAMES) {
                            RecordCodec.readNames(payload, names);
                        } else if (RecordCodec.startMs(payload) >= fromMs && RecordCodec.startMs(payload) < toMs) {
                            decoder.decode(payload, names);
                        }
                    },
                    problems);
            return true;
        } catch (SegmentFile.OtherFormatException other) {
            problems.accept(other.getMessage());
            return false;
        } catch (NoSuchFileException justDeleted) {
            // Its time was over between listing and reading.
            return false;
        }
    }
}
