// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The time that reads of a disk with one arm would take, with a page cache of a given size in front of it.
 *
 * <p>Requests are served in their order. One reads an extent of 1 MiB, as readahead does: after a seek, unless it is the extent behind
 * the one before. What is in the page cache takes no time, nor does the rest of an extent that an open file has read from. Switched
 * off, it takes no time for anything and remembers nothing. Thread-safe; times are nanoseconds of one monotonic clock.
 */
public final class EmulatedDisk {

    /** What is read at once, in bytes. */
    public static final int EXTENT_BYTES = 1 << 20;

    private static final double NANOS_PER_SECOND = 1e9;

    private final DiskTimes times;
    private final int mostExtents;
    private final LongSupplier nanos;
    private final LongConsumer waitUntil;
    private final Map<Extent, Long> askedNanos = new ConcurrentHashMap<>();
    /** When each extent is there, the least recently read first. Guarded by this, as all below are. */
    private final Map<Extent, Long> readyNanos = new LinkedHashMap<>(16, 0.75f, true);

    private Extent last = new Extent("", -1);
    private long busyUntil;
    private long extentsRead;
    private volatile boolean isOn;

    /**
     * What a disk takes. Immutable.
     *
     * @param seekNanos before each extent that does not follow the one before
     * @param bytesPerSecond how fast it reads then
     */
    public record DiskTimes(long seekNanos, long bytesPerSecond) {

        /** A disk of 8 ms and 150 MB/s. */
        public static final DiskTimes LARGE_HDD = new DiskTimes(8_000_000, 150_000_000);

        private long readNanos(long bytes) {
            return (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
        }
    }

    private record Extent(String file, long number) {

        private boolean isBehind(Extent other) {
            return number == other.number + 1 && file.equals(other.file);
        }
    }

    /**
     * @param pageCacheBytes the size of the page cache
     * @param waitUntil returns when the clock has that time
     */
    EmulatedDisk(DiskTimes times, long pageCacheBytes, LongSupplier nanos, LongConsumer waitUntil) {
        this.times = times;
        this.mostExtents = (int) (pageCacheBytes / EXTENT_BYTES);
        this.nanos = nanos;
        this.waitUntil = waitUntil;
    }

    /** A disk on the clock of this JVM, switched off. */
    static EmulatedDisk of(DiskTimes times, long pageCacheBytes) {
        return new EmulatedDisk(times, pageCacheBytes, System::nanoTime, EmulatedDisk::park);
    }

    /** Waits until the clock of this JVM has this time; an interrupt is kept. */
    static void park(long untilNanos) {
        boolean isInterrupted = false;
        for (long left = untilNanos - System.nanoTime(); left > 0; left = untilNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
            isInterrupted |= Thread.interrupted();
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether reads take their time. Switching it on begins with an empty page cache. */
    synchronized void switchOn(boolean on) {
        readyNanos.clear();
        askedNanos.clear();
        isOn = on;
    }

    /** Opens a file of this name. */
    public OpenFile open(String file) {
        return new OpenFile(file);
    }

    /** A file that is open for one thread at a time. */
    public final class OpenFile {

        private final String file;
        private long lastExtent = -1;

        private OpenFile(String file) {
            this.file = file;
        }

        /** Reads so many bytes from this position on; returns when they are there. */
        public void read(long position, long length) {
            if (!isOn || length <= 0) {
                return;
            }
            for (long number = position / EXTENT_BYTES; number * EXTENT_BYTES < position + length; number++) {
                if (number != lastExtent) {
                    lastExtent = number;
                    waitFor(new Extent(file, number));
                }
            }
        }
    }

    private void waitFor(Extent extent) {
        askedNanos.put(extent, nanos.getAsLong());
        waitUntil.accept(readyNanos(extent));
    }

    private synchronized long readyNanos(Extent extent) {
        Long known = readyNanos.get(extent);
        if (known != null) {
            return known;
        }
        long seekNanos = extent.isBehind(last) ? 0 : times.seekNanos();
        busyUntil = Math.max(nanos.getAsLong(), busyUntil) + seekNanos + times.readNanos(EXTENT_BYTES);
        last = extent;
        extentsRead++;
        readyNanos.put(extent, busyUntil);
        if (readyNanos.size() > mostExtents) {
            readyNanos.remove(readyNanos.keySet().iterator().next());
        }
        return busyUntil;
    }

    /** Whether any of these bytes was asked for since this time. */
    boolean wasAskedFor(String file, long position, long length, long sinceNanos) {
        for (long number = position / EXTENT_BYTES; number * EXTENT_BYTES < position + length; number++) {
            Long asked = askedNanos.get(new Extent(file, number));
            if (asked != null && asked - sinceNanos >= 0) {
                return true;
            }
        }
        return false;
    }

    /** How often the arm has read. */
    synchronized long extentsRead() {
        return extentsRead;
    }
}
