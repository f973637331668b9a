// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import io.hearth.datanode.cache.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/**
 * A page store that takes the time of an SSD: each read has a latency, however many there are at once, and reads and writes share the
 * bandwidth. A write does not wait, as one into the page cache does not; every read is of the SSD itself. Thread-safe.
 */
final class EmulatedSsd implements PageStore {

    private static final double NANOS_PER_SECOND = 1e9;

    private final PageStore store;
    private final SsdTimes times;
    private final LongSupplier nanos;
    private final LongConsumer waitUntil;
    private long busyUntil;

    /** What an SSD takes. Immutable. */
    record SsdTimes(long latencyNanos, long bytesPerSecond) {

        /** An SSD of 0.1 ms and 2 GB/s. */
        static final SsdTimes NVME = new SsdTimes(100_000, 2_000_000_000L);
    }

    /**
     * @param nanos a monotonic clock
     * @param waitUntil returns when the clock has that time
     */
    EmulatedSsd(PageStore store, SsdTimes times, LongSupplier nanos, LongConsumer waitUntil) {
        this.store = store;
        this.times = times;
        this.nanos = nanos;
        this.waitUntil = waitUntil;
    }

    private synchronized long transfer(long bytes) {
        busyUntil = Math.max(nanos.getAsLong(), busyUntil) + (long) (bytes * NANOS_PER_SECOND / times.bytesPerSecond());
        return busyUntil;
    }

    @Override
    public long newFileId() {
        return store.newFileId();
    }

    @Override
    public void create(PageFile file) throws IOException {
        store.create(file);
    }

    @Override
    public void put(PageFile file, int page, ByteBuffer bytes) throws IOException {
        long length = bytes.remaining();
        store.put(file, page, bytes);
        long unused = transfer(length);
    }

    @Override
    public PageReader open(PageFile file) throws IOException {
        return new TimedReader(store.open(file));
    }

    @Override
    public void delete(long fileId) throws IOException {
        store.delete(fileId);
    }

    @Override
    public void trim(PageFile file, BitSet kept) throws IOException {
        store.trim(file, kept);
    }

    @Override
    public int deleteUnknown(LongPredicate isKnown, BooleanSupplier isCancelled) throws IOException {
        return store.deleteUnknown(isKnown, isCancelled);
    }

    @Override
    public long freeBytes() throws IOException {
        return store.freeBytes();
    }

    @Override
    public Optional<Path> path(PageFile file) {
        return store.path(file);
    }

    @Override
    public void close() throws IOException {
        store.close();
    }

    private final class TimedReader implements PageReader {

        private final PageReader reader;

        TimedReader(PageReader reader) {
            this.reader = reader;
        }

        @Override
        public int get(int page, int offset, ByteBuffer target) throws IOException {
            int read = reader.get(page, offset, target);
            waitUntil.accept(transfer(read) + times.latencyNanos());
            return read;
        }

        @Override
        public void close() throws IOException {
            reader.close();
        }
    }
}
