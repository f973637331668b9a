// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import io.hearth.slo.event.EventMinute;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.TimelineRead;
import io.hearth.slo.store.RecordCodec.Source;
import io.hearth.slo.store.Segment.Series;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Where one instance of the SLO watch keeps what its probes found, in a folder of its own below a folder that several may share.
 *
 * <p>Kept, whole files at a time: latencies of each server by minute for 24 hours and by hour for 35 days; latencies of the whole cluster,
 * and for each server how many probes were due, answered and good, by minute for 35 days; what else happened, timeline-consistent reads,
 * and which DataNodes the NameNode called live or dead, for 35 days. Hours are added up from minutes some minutes after they are over, and
 * again if more came to them, each part once.
 *
 * <p><b>Nothing is counted twice or overwritten.</b> Records are only added, and each has what came since the last one: a minute is the
 * sum of its records. So a late answer, a restart within a minute, or a clock that is set back by an hour only adds records of a time that
 * has some; a clock that is set forward leaves minutes without any, which are unknown. No time is computed from two readings of the clock.
 * {@code kill -9} loses what came since the last {@link #flush}; a record that was not written whole is cut off at the next start.
 *
 * <p><b>Good</b> is counted by the limits in force when an answer came, exactly; a limit that comes later is answered from the histograms
 * of those minutes, to within a hundredth of the limit.
 *
 * <p><b>A full disk:</b> what can't be written waits in memory, up to 67 MB, and is written as soon as it can be; beyond that the oldest
 * is given up, and that is said: those minutes are unknown, not wrong.
 *
 * <p><b>Several instances</b> each send probes of their own. Whoever adds up good and due probes of two instances has counted each probe
 * once; minutes of both are one and the same time, and are not added ({@link SloReader}).
 *
 * <p>{@link #accept} and {@link #add} are thread-safe; the other methods are called by one thread.
 */
public final class SloStore implements AutoCloseable {

    /** How often {@link #flush} is to be called, so that with the time limit of a probe less than a minute can be lost. */
    public static final Duration FLUSH_PERIOD = Duration.ofSeconds(30);

    /** Of the name of an instance. */
    public static final int MOST_INSTANCE_CHARACTERS = 64;

    private static final Pattern INSTANCE =
            Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0," + (MOST_INSTANCE_CHARACTERS - 1) + "}");
    private static final long MOST_WAITING_COUNT_BYTES = 16L << 20;
    private static final long MOST_WAITING_LATENCY_BYTES = 48L << 20;
    private static final long MOST_WAITING_EVENT_BYTES = 1L << 20;
    private static final long SETTLED_MS = Duration.ofMinutes(5).toMillis();

    private final Path folder;
    private final Consumer<String> problems;
    private final ProbeAggregator aggregator;
    private final SeriesWriter cluster;
    private final SeriesWriter minutes;
    private final SeriesWriter hours;
    private final SeriesWriter events;
    private final SeriesWriter timeline;
    private final SeriesWriter dataNodes;
    private final Queue<EventMinute> newEvents = new ConcurrentLinkedQueue<>();
    private final Queue<DataNodeMinute> newDataNodes = new ConcurrentLinkedQueue<>();
    private final FileChannel lock;

    /** How much of each file of minutes is in an hour, in bytes. */
    private final Map<String, Long> addedUpByFile = new HashMap<>();

    /** How long each of these files was when it was last added up. */
    private final Map<String, Long> sizeByFile = new HashMap<>();

    private boolean isWaiting;

    private SloStore(
            Path folder, Limits limits, SegmentFile.Opener opener, Consumer<String> problems, FileChannel lock) {
        this.folder = folder;
        this.problems = problems;
        this.lock = lock;
        aggregator = new ProbeAggregator(limits);
        cluster = new SeriesWriter(folder, Series.CLUSTER, opener, MOST_WAITING_COUNT_BYTES, problems);
        minutes = new SeriesWriter(folder, Series.MINUTES, opener, MOST_WAITING_LATENCY_BYTES, problems);
        hours = new SeriesWriter(folder, Series.HOURS, opener, MOST_WAITING_LATENCY_BYTES, problems);
        events = new SeriesWriter(folder, Series.EVENTS, opener, MOST_WAITING_EVENT_BYTES, problems);
        timeline = new SeriesWriter(folder, Series.TIMELINE, opener, MOST_WAITING_EVENT_BYTES, problems);
        dataNodes = new SeriesWriter(folder, Series.DATANODES, opener, MOST_WAITING_EVENT_BYTES, problems);
    }

    /**
     * Opens the folder of an instance, and makes it if it is missing.
     *
     * @param folder of all instances
     * @param instance up to 64 letters, digits, dots, dashes and underscores, not beginning with a dot
     * @param problems takes one line for each thing that goes wrong or is well again
     * @throws IOException if another process has this instance, the name can't be used, or the folder can't be made
     */
    public static SloStore open(Path folder, String instance, Limits limits, Consumer<String> problems)
            throws IOException {
        return open(
                folder,
                instance,
                limits,
                file -> FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                problems);
    }

    static SloStore open(
            Path folder, String instance, Limits limits, SegmentFile.Opener opener, Consumer<String> problems)
            throws IOException {
        Path own = folderOf(folder, instance);
        Files.createDirectories(own);
        FileChannel lock = lock(own);
        try {
            SloStore store = new SloStore(own, limits, opener, problems, lock);
            store.readWhatIsAddedUp();
            return store;
        } catch (IOException | RuntimeException failure) {
            lock.close();
            throw failure;
        }
    }

    static Path folderOf(Path folder, String instance) throws IOException {
        if (!INSTANCE.matcher(instance).matches()) {
            throw new IOException(
                    "'" + instance + "' can't be the name of an instance: it must be 1 to 64 letters, digits,"
                            + " dots, dashes and underscores, and not begin with a dot");
        }
        return folder.resolve(instance);
    }

    private static FileChannel lock(Path own) throws IOException {
        FileChannel channel =
                FileChannel.open(own.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = null;
        try {
            held = channel.tryLock();
        } catch (OverlappingFileLockException ofThisProcess) {
            // The same answer as for another process.
        } finally {
            if (held == null) {
                channel.close();
            }
        }
        if (held == null) {
            throw new IOException(
                    own
                            + " belongs to a running SLO watch. Give this one a name of its own: it then has a folder beside. One of another cluster needs another --folder.");
        }
        return channel;
    }

    private void readWhatIsAddedUp() throws IOException {
        List<Segment> kept = Segment.list(folder, Series.MINUTES);
        for (Segment day : Segment.list(folder, Series.HOURS)) {
            if (!kept.isEmpty() && day.endMs() > kept.get(0).startMs()) {
                read(day, (payload, end) -> {
                    if (RecordCodec.type(payload) == RecordCodec.LATENCIES) {
                        Source source = RecordCodec.source(payload);
                        addedUpByFile.merge(source.file(), source.endOffset(), Math::max);
                    }
                });
            }
        }
    }

    private void read(Segment segment, SegmentFile.Reader reader) throws IOException {
        try {
            SegmentFile.read(folder.resolve(segment.fileName()), reader, problems);
        } catch (SegmentFile.OtherFormatException other) {
            problems.accept(other.getMessage());
        }
    }

    /** Counts this probe. Thread-safe; does not wait for a disk. */
    public void accept(ProbeResult result) {
        aggregator.accept(result);
    }

    /** Counts this read. Thread-safe; does not wait for a disk. */
    public void accept(TimelineRead read) {
        aggregator.accept(read);
    }

    /** Keeps what happened in the cluster; to be called once a minute. Thread-safe; does not wait for a disk. */
    public void add(EventMinute minute) {
        newEvents.add(minute);
    }

    /** Keeps what the NameNode said of DataNodes; to be called once a minute. Thread-safe; does not wait for a disk. */
    public void add(DataNodeMinute minute) {
        newDataNodes.add(minute);
    }

    /** Counts as good what is answered within these limits, from now on. */
    public void use(Limits limits) {
        aggregator.use(limits);
    }

    /**
     * Writes what came since the last call, adds up hours that are over, and deletes files whose time is over. Does not throw because of
     * a disk: it says once that it can't write, and once that it can again.
     *
     * @param nowMs the wall clock, in ms since 1970
     * @return whether all is on disk
     */
    public boolean flush(long nowMs) {
        takeUp();
        if (writeAll()) {
            try {
                addUpOneHour(nowMs);
                deleteOne(nowMs);
            } catch (IOException failure) {
                problems.accept(folder + ": " + reason(failure));
            }
        }
        return !isWaiting;
    }

    private void takeUp() {
        for (ProbeAggregator.Batch batch : aggregator.take()) {
            ClusterMinute minute = batch.cluster();
            ServerLatencies servers = batch.servers();
            cluster.add(minute.startMs(), numberOf -> RecordCodec.minute(minute, numberOf));
            minutes.add(servers.startMs(), numberOf -> RecordCodec.latencies(servers, Source.NONE, numberOf));
        }
        for (TimelineMinute minute : aggregator.takeTimeline()) {
            timeline.add(minute.startMs(), numberOf -> RecordCodec.timeline(minute));
        }
        for (EventMinute minute = newEvents.poll(); minute != null; minute = newEvents.poll()) {
            EventMinute next = minute;
            events.add(next.startMs(), numberOf -> RecordCodec.events(next, numberOf));
        }
        for (DataNodeMinute minute = newDataNodes.poll(); minute != null; minute = newDataNodes.poll()) {
            DataNodeMinute next = minute;
            dataNodes.add(next.startMs(), numberOf -> RecordCodec.dataNodes(next, numberOf));
        }
    }

    private boolean writeAll() {
        boolean wasWaiting = isWaiting;
        isWaiting = false;
        for (SeriesWriter series : List.of(cluster, minutes, hours, events, timeline, dataNodes)) {
            try {
                series.write();
            } catch (IOException failure) {
                if (!wasWaiting && !isWaiting) {
                    problems.accept(folder + ": nothing can be written (" + reason(failure)
                            + "). Probes are counted in memory, and written once that is possible.");
                }
                isWaiting = true;
            }
        }
        if (wasWaiting && !isWaiting) {
            int givenUp = cluster.takeGivenUp()
                    + minutes.takeGivenUp()
                    + hours.takeGivenUp()
                    + events.takeGivenUp()
                    + timeline.takeGivenUp()
                    + dataNodes.takeGivenUp();
            problems.accept(folder + ": written again; "
                    + (givenUp == 0
                            ? "nothing is missing"
                            : givenUp + " records did not fit in memory, and their minutes are unknown"));
        }
        return !isWaiting;
    }

    private static String reason(IOException failure) {
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }

    /** One at a time, since an hour of a large cluster is some work. */
    private void addUpOneHour(long nowMs) throws IOException {
        for (Segment hour : Segment.list(folder, Series.MINUTES)) {
            long size = Files.size(folder.resolve(hour.fileName()));
            if (hour.endMs() + SETTLED_MS <= nowMs && size != sizeByFile.getOrDefault(hour.fileName(), -1L)) {
                addUp(hour);
                sizeByFile.put(hour.fileName(), size);
                return;
            }
        }
    }

    private void addUp(Segment hour) throws IOException {
        long before = addedUpByFile.getOrDefault(hour.fileName(), 0L);
        long[] upTo = {before};
        ServerLatencies sum = ServerLatencies.empty(hour.startMs());
        List<String> names = new ArrayList<>();
        read(hour, (payload, end) -> {
            if (RecordCodec.type(payload) == RecordCodec.NAMES) {
                RecordCodec.readNames(payload, names);
            } else if (end > before) {
                sum.add(RecordCodec.readLatencies(payload, names));
                upTo[0] = end;
            }
        });
        if (upTo[0] > before) {
            Source source = new Source(hour.fileName(), upTo[0]);
            hours.add(hour.startMs(), numberOf -> RecordCodec.latencies(sum, source, numberOf));
            addedUpByFile.put(hour.fileName(), upTo[0]);
            writeAll();
        }
    }

    /**
     * The oldest file of each series whose time is over. Only one at a time: a clock that is wrong by years for a moment does not cost
     * all that is kept.
     */
    private void deleteOne(long nowMs) throws IOException {
        for (Series series : Series.values()) {
            List<Segment> kept = Segment.list(folder, series);
            if (!kept.isEmpty()
                    && kept.get(0).endMs() + series.keptMs() <= nowMs
                    && (series != Series.MINUTES
                            || sizeByFile.containsKey(kept.get(0).fileName()))) {
                Files.delete(folder.resolve(kept.get(0).fileName()));
                addedUpByFile.remove(kept.get(0).fileName());
                sizeByFile.remove(kept.get(0).fileName());
            }
        }
    }

    /** Writes what is left and gives the folder back. */
    @Override
    public void close() throws IOException {
        takeUp();
        writeAll();
        try (lock;
                cluster;
                minutes;
                hours;
                events;
                timeline;
                dataNodes) {
            if (isWaiting) {
                problems.accept(folder + ": what could not be written is lost");
            }
        }
    }
}
