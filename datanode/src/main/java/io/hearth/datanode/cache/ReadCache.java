// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.cache.BlockAdmission.Footprint;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.cache.ShadowCache.ShadowRead;
import io.hearth.datanode.cache.ShadowCache.ShadowResult;
import io.hearth.datanode.cache.SsdCache.SsdStatus;
import io.hearth.datanode.config.ReadCacheSettings.Admission;
import io.hearth.datanode.config.ReadCacheSettings.Mode;
import io.hearth.datanode.config.ReadCacheSettings.ReadCacheConfig;
import io.hearth.datanode.config.ReadCacheSettings.ShadowVariant;
import io.hearth.datanode.config.ReadCacheSettings.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The read cache of one DataNode: which reads count, which of them the SSD serves, and what other caches would do.
 *
 * <p>Modes: off, nothing is asked and nothing is counted, but copies go with their replicas; shadow, reads are counted and simulated;
 * on, they are served too. The mode and all else that is configured may change at any time: another admission begins with no counts,
 * and other variants of the shadow begin empty. Both count with one counter, which begins anew where variants need one that counts
 * further or longer.
 *
 * <p>Thread-safe. {@link #open}, {@link #drop} and {@link #dropBlockPool} wait for no SSD, but for the first copy of a block's meta
 * file, in {@link #open}.
 */
public final class ReadCache {

    /** For the counts of accesses, of admission and shadow together: 10 million blocks that are read once within an hour take 163 MB. */
    private static final long COUNTER_BYTES = 256L << 20;

    private static final long NANOS_PER_MS = 1_000_000;
    private static final long NANOS_PER_MINUTE = 60_000 * NANOS_PER_MS;

    private final Supplier<ReadCacheConfig> config;
    private final LongSupplier nanos;
    private final ReadCacheCounts counts = new ReadCacheCounts();
    private final LastDay day = new LastDay(counts, 0);
    /** What may be written to each folder: one that is opened again, as after a failure of its SSD, has no new day's budget. */
    private final Map<Path, WriteBudget> budgetByFolder = new ConcurrentHashMap<>();

    private volatile Optional<SsdCache> ssd = Optional.empty();
    private volatile InUse inUse;

    /**
     * What decides about reads, as it is configured.
     *
     * @param accesses the counts of admission and shadow, which differ in what they make of them
     */
    private record InUse(
            Admission parameters,
            List<ShadowVariant> variants,
            Storage storage,
            BlockAccessCounter accesses,
            BlockAdmission admission,
            ShadowCache shadow) {

        static InUse of(ReadCacheConfig now) {
            BlockAccessCounter accesses = counter(now);
            return new InUse(
                    now.admission(),
                    now.shadowVariants(),
                    now.storage(),
                    accesses,
                    new BucketTimeRateLimit(now.admission(), accesses),
                    new ShadowCache(now.shadowVariants(), now.storage()));
        }

        private static BlockAccessCounter counter(ReadCacheConfig now) {
            int reads = now.admission().reads();
            int minutes = now.admission().minutes();
            for (ShadowVariant variant : now.shadowVariants()) {
                reads = Math.max(reads, variant.admission().reads());
                minutes = Math.max(minutes, variant.admission().minutes());
            }
            return new BlockAccessCounter(reads + 1, minutes, COUNTER_BYTES);
        }

        boolean is(ReadCacheConfig now) {
            return parameters.equals(now.admission()) && isShadowOf(now);
        }

        private boolean isShadowOf(ReadCacheConfig now) {
            return variants.equals(now.shadowVariants()) && storage.equals(now.storage());
        }

        /** What is configured now, with whatever of this can be kept. */
        InUse changedTo(ReadCacheConfig now) {
            InUse fresh = of(now);
            boolean isAdmissionKept = parameters.equals(now.admission())
                    && accesses.maxCount() == fresh.accesses.maxCount()
                    && accesses.windowMinutes() == fresh.accesses.windowMinutes();
            return new InUse(
                    fresh.parameters,
                    fresh.variants,
                    fresh.storage,
                    isAdmissionKept ? accesses : fresh.accesses,
                    isAdmissionKept ? admission : fresh.admission,
                    isShadowOf(now) ? shadow : fresh.shadow);
        }
    }

    /** @param nanoTime a monotonic clock in nanoseconds, such as {@link System#nanoTime} */
    public ReadCache(Supplier<ReadCacheConfig> config, LongSupplier nanoTime) {
        this.config = config;
        long startNanos = nanoTime.getAsLong();
        this.nanos = () -> nanoTime.getAsLong() - startNanos;
        this.inUse = InUse.of(config.get());
    }

    /** Opens a cache in this folder of an SSD, which is to be restored and then handed to {@link #use}. */
    public SsdCache openFolder(Path folder, PageStoreFactory stores) throws IOException {
        WriteBudget budget = budgetByFolder.computeIfAbsent(folder, first -> new WriteBudget());
        return SsdCache.open(folder, stores, () -> config.get().storage(), counts, nanos, budget);
    }

    /** The same with files of the local file system. */
    public SsdCache openFolder(Path folder) throws IOException {
        return openFolder(folder, LocalPageStore::open);
    }

    /** The same with a store that is open; the folder has the restart index. */
    public SsdCache openFolder(Path folder, PageStore store) {
        return new SsdCache(folder, store, () -> config.get().storage(), counts, nanos);
    }

    /** Serves from this cache from now on, and closes the one before. */
    public void use(SsdCache fresh) throws IOException {
        replace(Optional.of(fresh));
    }

    /** Serves from no SSD from now on, and closes the one before. */
    public void close() throws IOException {
        replace(Optional.empty());
    }

    private void replace(Optional<SsdCache> fresh) throws IOException {
        Optional<SsdCache> before;
        synchronized (this) {
            before = ssd;
            ssd = fresh;
        }
        if (before.isPresent() && !before.equals(fresh)) {
            before.get().close();
        }
    }

    /** The cache that is in use. */
    public Optional<SsdCache> ssd() {
        return ssd;
    }

    /** A client opens this replica; empty where it is read as if there were no cache, uncounted. */
    public Optional<ClientRead> open(DiskReplica replica) {
        ReadCacheConfig now = config.get();
        if (now.mode() == Mode.OFF) {
            return Optional.empty();
        }
        counts.add(Counter.READS);
        InUse deciding = inUse(now);
        boolean isAdmitted = deciding.admission().admits(replica.version().key(), minute());
        ShadowCache simulated = deciding.shadow();
        ShadowRead shadowRead = simulated.opened(deciding.accesses(), replica.version(), minute(), nowMs());
        Optional<CachedRead> cached =
                now.mode() == Mode.ON ? ssd.flatMap(cache -> cache.open(replica, isAdmitted)) : Optional.empty();
        return Optional.of(new ClientRead(cached, simulated, shadowRead));
    }

    /** A thread that is not known to serve a client opens a replica. */
    public void openedByOther() {
        if (config.get().mode() != Mode.OFF) {
            counts.add(Counter.NOT_A_CLIENT);
        }
    }

    private InUse inUse(ReadCacheConfig now) {
        InUse current = inUse;
        if (current.is(now)) {
            return current;
        }
        synchronized (this) {
            if (!inUse.is(now)) {
                inUse = inUse.changedTo(now);
            }
            return inUse;
        }
    }

    /** One read of a client. For one thread. */
    public final class ClientRead implements AutoCloseable {

        private final Optional<CachedRead> cached;
        private final ShadowCache simulated;
        private final ShadowRead shadowRead;
        /** What was delivered, without gaps, and is not told yet. */
        private long from;

        private long to;

        private ClientRead(Optional<CachedRead> cached, ShadowCache simulated, ShadowRead shadowRead) {
            this.cached = cached;
            this.simulated = simulated;
            this.shadowRead = shadowRead;
        }

        /** How the SSD serves it; empty where the disk is read as without a cache. */
        public Optional<CachedRead> cached() {
            return cached;
        }

        /** This read where the SSD can't serve it after all: the disk is read as without a cache, and its bytes are counted here. */
        public ClientRead fromDisk() {
            return new ClientRead(Optional.empty(), simulated, shadowRead);
        }

        /** The client has got so many bytes from this position on; those of an uncached read are counted here. */
        public void delivered(long position, long bytes) {
            if (bytes <= 0) {
                return;
            }
            if (cached.isEmpty()) {
                counts.add(Counter.DISK_BYTES, bytes);
            }
            if (position != to) {
                tell();
                from = position;
            }
            to = position + bytes;
        }

        private void tell() {
            if (to > from) {
                simulated.delivered(shadowRead, from, to, nowMs());
            }
            from = to;
        }

        @Override
        public void close() {
            tell();
        }
    }

    /** The replica of this block has gone or changed, which the volume map shows already. Does no I/O. */
    public void drop(BlockKey key) {
        ssd.ifPresent(cache -> cache.drop(key));
        inUse.shadow().drop(key);
    }

    /** The block pool has gone for good. Does no I/O. */
    public void dropBlockPool(String blockPool) {
        ssd.ifPresent(cache -> cache.dropBlockPool(blockPool));
        inUse.shadow().dropBlockPool(blockPool);
        inUse.admission().forgetBlockPool(blockPool);
    }

    /** Gives up what no longer counts: accesses, and what was done more than a day ago; called about once a minute. */
    public void sweepCounts() {
        day.turn(nowMs());
        inUse.admission().sweep(minute());
    }

    public ReadCacheCounts counts() {
        return counts;
    }

    /** What there is to show. */
    public ReadCacheStatus status() {
        InUse deciding = inUse;
        return new ReadCacheStatus(
                config.get(),
                ssd.map(SsdCache::status),
                deciding.admission().footprint(),
                deciding.shadow().results(),
                day.activity(nowMs()));
    }

    /**
     * The state of the read cache, besides its {@link ReadCacheCounts}. Immutable.
     *
     * @param config what is configured now
     * @param ssd the cache on the SSD; empty where none is open
     * @param admission the counts of accesses, for admission and shadow
     * @param shadow what other caches would have done
     * @param lastDay what was done within the last day
     */
    public record ReadCacheStatus(
            ReadCacheConfig config,
            Optional<SsdStatus> ssd,
            Footprint admission,
            List<ShadowResult> shadow,
            LastDay.Activity lastDay) {}

    private int minute() {
        return (int) (nanos.getAsLong() / NANOS_PER_MINUTE);
    }

    private long nowMs() {
        return nanos.getAsLong() / NANOS_PER_MS;
    }
}
