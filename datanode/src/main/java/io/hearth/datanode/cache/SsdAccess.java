// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.common.log.RateLimitedLogger;
import io.hearth.datanode.cache.PageStore.PageFile;
import io.hearth.datanode.cache.PageStore.PageReader;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.cache.SsdHealth.Trouble;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to a page store: every operation is timed, and its failures are counted and told apart from those of disks and clients.
 * Thread-safe.
 */
final class SsdAccess {

    private static final Logger LOG = LoggerFactory.getLogger(SsdAccess.class);
    private static final long NANOS_PER_MS = 1_000_000;
    private static final long MS_PER_MINUTE = 60_000;

    private final PageStore store;
    private final ReadCacheCounts counts;
    private final LongSupplier nanos;
    private final SsdHealth health = new SsdHealth();
    private final RateLimitedLogger rateLimitedLogger = new RateLimitedLogger(LOG);

    /** @param nanos a monotonic clock that began at 0 */
    SsdAccess(PageStore store, ReadCacheCounts counts, LongSupplier nanos) {
        this.store = store;
        this.counts = counts;
        this.nanos = nanos;
    }

    /** A failure of the SSD, or of what it gave. */
    static final class SsdFailure extends Exception {

        private static final long serialVersionUID = 1;

        private final IOException failure;
        private final Trouble trouble;
        private final boolean isCorruption;

        private SsdFailure(IOException failure, Trouble trouble, boolean isCorruption) {
            super(failure);
            this.failure = failure;
            this.trouble = trouble;
            this.isCorruption = isCorruption;
        }

        /** The store has thrown what it should not: a channel where there is no direct memory left, a foreign store without its classes. */
        static SsdFailure fault(Throwable fault) {
            return new SsdFailure(new IOException(fault.toString(), fault), Trouble.ERROR, false);
        }

        /** The store has given bytes that can't be right. */
        static SsdFailure corruption(String what) {
            return new SsdFailure(new IOException(what), Trouble.ERROR, true);
        }

        /** What the store has thrown. */
        IOException failure() {
            return failure;
        }

        /** Whether nothing failed but the thread was interrupted. */
        boolean isInterrupt() {
            return trouble == Trouble.INTERRUPTED;
        }

        /** Where nothing failed but the thread was interrupted: what tells so, whatever the store has thrown. */
        IOException asInterrupt() {
            return failure instanceof ClosedByInterruptException || failure instanceof InterruptedIOException
                    ? failure
                    : (IOException)
                            new InterruptedIOException("the read of a cached block was interrupted").initCause(failure);
        }

        /** Whether there was no room. */
        boolean isFull() {
            return trouble == Trouble.FULL;
        }

        /** Whether the process has run out of open files or memory. */
        boolean isOfProcess() {
            return trouble == Trouble.PROCESS;
        }

        /** Whether the store has given bytes that can't be right. */
        boolean isCorruption() {
            return isCorruption;
        }
    }

    /** Something that is done with the store. */
    @FunctionalInterface
    interface Operation<T> {
        T run(PageStore store) throws IOException;
    }

    <T> T call(Operation<T> operation) throws SsdFailure {
        health.begin(nowMs());
        try {
            return operation.run(store);
        } catch (IOException failure) {
            throw new SsdFailure(failure, SsdHealth.classify(failure), false);
        } catch (OutOfMemoryError noDirectMemory) {
            // A channel needs some for a buffer of the heap.
            health.outOfMemory(nowMs());
            throw new SsdFailure(
                    new IOException(noDirectMemory.toString(), noDirectMemory), SsdHealth.Trouble.PROCESS, false);
        } catch (RuntimeException | LinkageError fault) {
            throw SsdFailure.fault(fault);
        } finally {
            if (health.end(nowMs())) {
                countError("an operation took more than " + SsdHealth.SLOW_MS + " ms");
            }
        }
    }

    /** The same for what may take long, as the work on a whole folder does. */
    <T> T callLong(Operation<T> operation) throws SsdFailure {
        try {
            return operation.run(store);
        } catch (IOException failure) {
            throw new SsdFailure(failure, SsdHealth.classify(failure), false);
        }
    }

    PageReader open(PageFile file) throws SsdFailure {
        return call(pages -> pages.open(file));
    }

    /** Nothing was written by it, so that nothing is lost. */
    void closeQuietly(@Nullable PageReader reader) {
        if (reader != null) {
            try {
                reader.close();
            } catch (IOException | RuntimeException | LinkageError unimportant) {
                // A store may throw anything; who closes it has more to close.
                LOG.debug("A file on the read cache's SSD could not be closed", unimportant);
            }
        }
    }

    long newFileId() {
        return store.newFileId();
    }

    /** Reads until the buffer is full; a store that has fewer bytes has lost some. */
    void readFully(PageReader reader, int page, int offset, ByteBuffer target) throws SsdFailure {
        int wanted = target.remaining();
        long start = nanos.getAsLong();
        int read = call(pages -> reader.get(page, offset, target));
        counts.add(Counter.SSD_NANOS, nanos.getAsLong() - start);
        if (read != wanted) {
            throw SsdFailure.corruption("a page is short: " + read + " of " + wanted + " bytes");
        }
    }

    /**
     * Counts a failure, pauses writing if the SSD is full, and opens the breaker if it has to be. An interrupt is not counted, nor what
     * the process has run out of.
     */
    void record(SsdFailure failure) {
        if (failure.isInterrupt()) {
            return;
        }
        if (failure.isFull()) {
            health.full(nowMs());
            warn(
                    "full",
                    "The SSD of the read cache is full; nothing is written to it for a minute: " + failure.failure());
            return;
        }
        if (failure.isOfProcess()) {
            warn(
                    "process",
                    "The DataNode has run out of open files or memory; the disk is read instead of the read cache's SSD: "
                            + failure.failure());
            return;
        }
        countError(failure.failure().toString());
    }

    /** Counts wrong bytes that an earlier process has left: a power cut loses pages, and the SSD is well. */
    void recordLostPages() {
        warn("lost", "A page that an earlier process had cached is not there; the disk has it");
    }

    private void countError(String what) {
        counts.add(Counter.SSD_ERRORS);
        warn("error", "The read cache's SSD failed; the disk is read instead: " + what);
        if (health.failed(nowMs())) {
            LOG.warn(
                    "The read cache is off for {} minutes: its SSD failed {} times within {} minutes, last with {}",
                    SsdHealth.PAUSE_MS / MS_PER_MINUTE,
                    SsdHealth.MOST_ERRORS,
                    SsdHealth.ERROR_WINDOW_MS / MS_PER_MINUTE,
                    what);
        }
    }

    private void warn(String kind, String message) {
        rateLimitedLogger.warn(kind, message, nowMs());
    }

    /** Switches the cache off if an operation hangs. Does no I/O. Called every {@link SsdHealth#TICK_MS}. */
    void watch() {
        long nowMs = nowMs();
        health.tick(nowMs);
        if (health.tripIfHung(nowMs)) {
            LOG.warn(
                    "The read cache is off for {} minutes: an operation on its SSD hangs for more than {} s",
                    SsdHealth.PAUSE_MS / MS_PER_MINUTE,
                    SsdHealth.HUNG_MS / 1_000);
        }
    }

    boolean isUsable() {
        return health.isUsable(nowMs());
    }

    boolean isWritable() {
        return health.isWritable(nowMs());
    }

    long trips() {
        return health.trips();
    }

    long nowMs() {
        return nanos.getAsLong() / NANOS_PER_MS;
    }

    long nanos() {
        return nanos.getAsLong();
    }
}
