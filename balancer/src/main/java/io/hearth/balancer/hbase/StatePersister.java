// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.heat.HeatCodec;
import io.hearth.balancer.heat.HeatModel;
import io.hearth.balancer.heat.HeatSnapshot;
import io.hearth.common.log.RateLimitedLogger;
import io.hearth.common.model.ExponentialBackoff;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.slf4j.Logger;

/**
 * Keeps heat, and what else the next master should know, in a file under HBase's root directory: loads it once in the
 * background when the master starts, writes it every few minutes and when the master stops.
 *
 * <p>One daemon thread of its own does all of it; nobody waits for it, and a failure is counted, logged at most once a minute
 * and tried again: a load after 1, 2, 4 ... seconds, then each minute. A master writes nothing before it has read what is
 * there, or has tried for an hour in vain and says so: its little knowledge does not take the place of much. Where the last
 * master still writes, which slow disks can make longer than a failover, it waits for that, for half a minute at most. HBase
 * initialises the balancer on the active master only, so only that one writes. Thread-safe.
 */
public final class StatePersister implements AutoCloseable {

    static final String HEAT_SECTION = "heat";

    /**
     * HBase never calls the balancer's stop: this often the thread looks whether the master stops; milliseconds. A master
     * gives up its place half a second after it began to stop, and the next one reads a second later.
     */
    private static final long POLL_MS = 100;

    /** How long {@link #close} waits for the last write, in milliseconds. */
    private static final long CLOSE_MS = 5_000;

    /** What a load that failed, or was postponed, means for the next one. Not thread-safe. */
    private static final class LoadRetry {

        private static final ExponentialBackoff PAUSE = new ExponentialBackoff(1_000, 60_000);

        private static final long POSTPONED_MS = 1_000;

        private static final int MOST_POSTPONED = 30;

        /** After an hour, longer than DataNodes take to report their blocks when a large HDFS starts. */
        private static final int MOST = 65;

        private int failed;
        private int postponed;
        private long pauseMs;
        private long lastMs;

        /** A clock that is set brings the next one forward by one pause at most. */
        boolean isDue(long nowMs) {
            return Math.abs(nowMs - lastMs) >= pauseMs;
        }

        boolean mayPostpone() {
            return postponed < MOST_POSTPONED;
        }

        void postponed(long nowMs) {
            postponed++;
            pauseMs = POSTPONED_MS;
            lastMs = nowMs;
        }

        void failed(long nowMs) {
            failed++;
            pauseMs = PAUSE.delayMs(failed);
            lastMs = nowMs;
        }

        boolean isExhausted() {
            return failed >= MOST;
        }
    }

    private record Section(Supplier<byte[]> save, Consumer<byte[]> load, Predicate<byte[]> isNewer) {}

    /** Opens the file system of HBase's root directory. */
    @FunctionalInterface
    interface StoreOpener {
        StateFileStore open() throws IOException;
    }

    private final HeatModel heat;
    private final LongSupplier intervalMs;
    private final LongSupplier clockMs;
    private final Runnable onFailure;
    private final Logger log;
    private final RateLimitedLogger rateLimitedLogger;
    private final SortedMap<String, Section> sections = new TreeMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private Optional<Thread> thread = Optional.empty();

    // Confined to the thread.
    private final LoadRetry loadRetry = new LoadRetry();
    private boolean isLoaded;
    private final SortedSet<String> leftAlone = new TreeSet<>();
    private OptionalLong writtenAtMs = OptionalLong.empty();

    /**
     * @param intervalMs how often to write, in milliseconds, 0 for never; asked anew each time
     * @param clockMs milliseconds since 1970
     * @param onFailure counts a read or write that failed
     */
    public StatePersister(
            HeatModel heat, LongSupplier intervalMs, LongSupplier clockMs, Runnable onFailure, Logger log) {
        this.heat = heat;
        this.intervalMs = intervalMs;
        this.clockMs = clockMs;
        this.onFailure = onFailure;
        this.log = log;
        rateLimitedLogger = new RateLimitedLogger(log);
    }

    /**
     * Keeps something else in the same file; to be said before the start.
     *
     * @param name what it is called in the file
     * @param save its bytes, asked for on the keeper's thread
     * @param load takes the bytes that another master saved, on the keeper's thread, once; they may be of another version
     * @param isNewer whether such bytes are of a later version: the file that they are in is not deleted then
     */
    public synchronized void section(
            String name, Supplier<byte[]> save, Consumer<byte[]> load, Predicate<byte[]> isNewer) {
        if (thread.isPresent() || name.equals(HEAT_SECTION)) {
            throw new IllegalArgumentException("The section " + name + " came too late, or is heat's own.");
        }
        sections.put(name, new Section(save, load, isNewer));
    }

    /**
     * Starts the thread; the second time and after {@link #close} it does nothing.
     *
     * @param master the configuration that says where HBase's root directory is
     * @param isStopping whether the master is about to stop, which makes for the last write
     */
    public void start(Configuration master, BooleanSupplier isStopping) {
        start(
                () -> {
                    Path rootDir = CommonFSUtils.getRootDir(master);
                    FileSystem fileSystem = rootDir.getFileSystem(master);
                    return new StateFileStore(fileSystem, rootDir);
                },
                isStopping);
    }

    synchronized void start(StoreOpener opener, BooleanSupplier isStopping) {
        if (thread.isEmpty() && closed.getCount() > 0) {
            Thread persister = new Thread(() -> run(opener, isStopping), "hearth-heat-keeper");
            persister.setDaemon(true);
            persister.start();
            thread = Optional.of(persister);
        }
    }

    /** Writes for the last time and ends the thread; waits no longer than {@value #CLOSE_MS} ms for that. */
    @Override
    public void close() {
        closed.countDown();
        try {
            Optional<Thread> running = running();
            if (running.isPresent()) {
                running.get().join(CLOSE_MS);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Optional<Thread> running() {
        return thread;
    }

    private void run(StoreOpener opener, BooleanSupplier isStopping) {
        doWork(opener, true);
        boolean goesOn = true;
        while (goesOn) {
            goesOn = waitALittle() && !isStopping.getAsBoolean();
            doWork(opener, goesOn);
        }
    }

    /**
     * Loads and saves what is due.
     *
     * @param goesOn false for the last time
     */
    void doWork(StoreOpener opener, boolean goesOn) {
        long nowMs = clockMs.getAsLong();
        long sinceMs = writtenAtMs.orElse(nowMs);
        writtenAtMs = OptionalLong.of(sinceMs);
        if (goesOn && !isLoaded && !loadRetry.isExhausted() && loadRetry.isDue(nowMs)) {
            load(opener);
        }
        long everyMs = intervalMs.getAsLong();
        boolean maySave = everyMs > 0 && (isLoaded || loadRetry.isExhausted());
        if (maySave && (!goesOn || Math.abs(nowMs - sinceMs) >= everyMs)) {
            save(opener);
            writtenAtMs = OptionalLong.of(clockMs.getAsLong());
        }
    }

    /** False when closed meanwhile. */
    private boolean waitALittle() {
        try {
            return !closed.await(POLL_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            return false;
        }
    }

    private void load(StoreOpener opener) {
        try {
            StateFileStore store = opener.open();
            long nowMs = clockMs.getAsLong();
            if (loadRetry.mayPostpone() && store.isBeingWritten(nowMs)) {
                loadRetry.postponed(nowMs);
                return;
            }
            // First: a master that gives up reading writes all the same. What could be read at one try may not be at
            // the next.
            leftAlone.addAll(store.newerFiles(this::isNewer));
            Optional<SortedMap<String, byte[]>> file =
                    store.read((path, reason) -> log.warn("{} is ignored: {}.", path, reason));
            if (!leftAlone.isEmpty()) {
                log.warn(
                        "A newer version of Hearth has written {}: what this version knows of it is used, and it is left as it is.",
                        String.join(", ", leftAlone));
            }
            isLoaded = true;
            file.ifPresent(this::load);
        } catch (Throwable failure) {
            loadRetry.failed(clockMs.getAsLong());
            boolean isOver = loadRetry.isExhausted();
            failed(
                    isOver ? "given up" : "load",
                    "What the last master knew could not be read from " + StateFileStore.NAME + " under hbase.rootdir: "
                            + (isOver
                                    ? "it is given up after " + LoadRetry.MOST
                                            + " tries, and what this master knows takes its place."
                                    : "it is tried again, and heat is learnt meanwhile."),
                    failure);
        }
    }

    /** A section that this version has not is a newer one's. */
    private boolean isNewer(String name, byte[] bytes) {
        Section section = sections.get(name);
        return name.equals(HEAT_SECTION)
                ? HeatCodec.isNewer(bytes)
                : section == null || section.isNewer().test(bytes);
    }

    private void load(Map<String, byte[]> bytesByName) {
        load(HEAT_SECTION, this::restore, bytesByName);
        sections.forEach((name, section) -> load(name, section.load(), bytesByName));
    }

    private void load(String name, Consumer<byte[]> load, Map<String, byte[]> bytesByName) {
        try {
            Optional.ofNullable(bytesByName.get(name)).ifPresent(load);
        } catch (Throwable failure) {
            failed("load " + name, "What the last master kept of " + name + " could not be used.", failure);
        }
    }

    private void restore(byte[] bytes) {
        Optional<HeatSnapshot> snapshot = HeatCodec.decode(bytes);
        if (snapshot.isEmpty()) {
            log.warn("The heat that the last master kept is of another version: it is learnt afresh.");
            return;
        }
        long nowMs = clockMs.getAsLong();
        long ageSeconds = TimeUnit.MILLISECONDS.toSeconds(nowMs - snapshot.get().takenAtMs());
        boolean isUsed = heat.restore(snapshot.get(), nowMs);
        log.info(
                "The heat of {} regions from {} s ago {}.",
                snapshot.get().regions().size(),
                ageSeconds,
                isUsed ? "was restored" : "is too old: it is learnt afresh");
    }

    private void save(StoreOpener opener) {
        try {
            SortedMap<String, byte[]> bytesByName = new TreeMap<>();
            long nowMs = clockMs.getAsLong();
            bytesByName.put(HEAT_SECTION, HeatCodec.encode(heat.snapshot(nowMs)));
            sections.forEach((name, section) -> save(name, section, bytesByName));
            opener.open().write(bytesByName, leftAlone, nowMs);
        } catch (Throwable failure) {
            failed(
                    "save",
                    "Heat could not be written to " + StateFileStore.NAME
                            + " under hbase.rootdir for the next master: it is tried again, and nothing else waits for it.",
                    failure);
        }
    }

    private void save(String name, Section section, Map<String, byte[]> bytesByName) {
        try {
            bytesByName.put(name, section.save().get());
        } catch (Throwable failure) {
            failed("save " + name, "What there is of " + name + " could not be kept for the next master.", failure);
        }
    }

    private void failed(String kind, String message, Throwable failure) {
        onFailure.run();
        rateLimitedLogger.warn(kind, message, failure, clockMs.getAsLong());
    }
}
