// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import io.hearth.bench.cache.ReplayResult.Totals;
import io.hearth.datanode.cache.CachedBlockReader;
import io.hearth.datanode.cache.ReadCache;
import io.hearth.datanode.cache.ReadCache.ClientRead;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.cache.ShadowCache.ShadowResult;
import io.hearth.datanode.cache.SsdCache;
import io.hearth.datanode.config.ReadCacheSettings.Admission;
import io.hearth.datanode.config.ReadCacheSettings.Mode;
import io.hearth.datanode.config.ReadCacheSettings.ReadCacheConfig;
import io.hearth.datanode.config.ReadCacheSettings.ShadowVariant;
import io.hearth.datanode.config.ReadCacheSettings.Storage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileUtil;

/**
 * Plays a trace to the read cache that ships, on simulated time: to its shadow alone, or to all of it with {@link ZeroBlocks}.
 *
 * <p>All of it verifies each byte. So lengths are divided by {@link #SCALE} there: blocks, reads, pages and the SSD. Chunks stay 512
 * bytes, and a meta file the same share of its block. For one thread.
 */
final class CacheReplay {

    /** What lengths are divided by where bytes are verified: a page of 1 MiB becomes one of 4 KiB, the shortest there is. */
    static final int SCALE = 256;

    private static final long MOST_BLOCKS = 100_000;
    private static final int PAGE_BYTES = 1 << 20;
    private static final int ADMISSION_MINUTES = 60;
    private static final long MINUTE_MS = 60_000;
    private static final int MINUTES_PER_HOUR = 60;
    private static final long NANOS_PER_MS = 1_000_000;

    private final HotBlockTrace trace;
    private final CacheSetup setup;
    private final int scale;
    private final ZeroBlocks blocks;
    private final ReadCache cache;
    private Optional<SsdCache> ssd = Optional.empty();
    private long nowMs;
    private long minute;

    /**
     * What is played, and to which cache. Immutable.
     *
     * @param ssdBytes the size of the cache
     * @param wholeBlocks whether it caches whole blocks, not pages of 1 MiB
     * @param hours of the trace
     * @param warmUpHours those of them after which the steady state begins
     */
    record CacheSetup(long ssdBytes, boolean wholeBlocks, int hours, int warmUpHours) {}

    /**
     * What the cache has done, and what its own shadow said about it. Immutable.
     *
     * @param overBudget writes that the write budget refused
     * @param storedBytes what the SSD was given to write
     */
    record RealResult(ReplayResult cache, ReplayResult shadow, long overBudget, long storedBytes) {}

    private CacheReplay(HotBlockTrace trace, CacheSetup setup, int scale, ReadCacheConfig config) {
        this.trace = trace;
        this.setup = setup;
        this.scale = scale;
        this.blocks = new ZeroBlocks(HotBlockTrace.BLOCK_BYTES / scale);
        this.cache = new ReadCache(() -> config, () -> nowMs * NANOS_PER_MS);
    }

    private static ReadCacheConfig config(Mode mode, CacheSetup setup, int scale, List<Integer> reads) {
        long ssdBytes = setup.ssdBytes() / scale;
        long pageBytes = setup.wholeBlocks() ? 0 : PAGE_BYTES / scale;
        List<ShadowVariant> variants = reads.stream()
                .map(more -> new ShadowVariant(new Admission(more, ADMISSION_MINUTES), ssdBytes))
                .toList();
        return new ReadCacheConfig(
                mode,
                Optional.empty(),
                new Storage(ssdBytes, 0, MOST_BLOCKS, pageBytes, 1),
                variants.get(0).admission(),
                variants);
    }

    /**
     * What caches would do that admit a block after more than so many reads within an hour, by the shadow.
     *
     * @param reads those of each cache
     */
    static List<ReplayResult> ofShadow(HotBlockTrace trace, CacheSetup setup, List<Integer> reads) {
        CacheReplay replay = new CacheReplay(trace, setup, 1, config(Mode.SHADOW, setup, 1, reads));
        List<Totals> warmUp = new ArrayList<>();
        replay.play(() -> replay.shadow().forEach(result -> warmUp.add(Totals.of(result))));
        return results(warmUp, replay.shadow());
    }

    private static List<ReplayResult> results(List<Totals> warmUp, List<ShadowResult> end) {
        List<ReplayResult> results = new ArrayList<>();
        for (int i = 0; i < end.size(); i++) {
            results.add(new ReplayResult(
                    warmUp.get(i), Totals.of(end.get(i)), end.get(i).usedBytes()));
        }
        return results;
    }

    /** What the cache does that admits a block after more than so many reads within an hour. */
    static RealResult ofCache(HotBlockTrace trace, CacheSetup setup, int reads) throws IOException {
        Path folder = Files.createTempDirectory("hearth-bench-read-cache");
        CacheReplay replay = new CacheReplay(trace, setup, SCALE, config(Mode.ON, setup, SCALE, List.of(reads)));
        try {
            return replay.playToSsd(folder);
        } finally {
            replay.cache.close();
            FileUtil.fullyDelete(folder.toFile());
        }
    }

    private RealResult playToSsd(Path folder) throws IOException {
        ZeroBlocks.CountingStore store = blocks.newStore();
        SsdCache fresh = cache.openFolder(folder, store);
        if (!fresh.restore(() -> false)) {
            throw new IOException("the read cache has not begun to serve");
        }
        cache.use(fresh);
        ssd = Optional.of(fresh);
        List<Totals> warmUp = new ArrayList<>();
        play(() -> {
            warmUp.add(Totals.of(cache.counts()));
            shadow().forEach(result -> warmUp.add(Totals.of(result)));
        });
        ReplayResult real = new ReplayResult(
                warmUp.get(0), Totals.of(cache.counts()), fresh.status().bytes());
        return new RealResult(
                real,
                results(warmUp.subList(1, warmUp.size()), shadow()).get(0),
                cache.counts().get(Counter.REJECTED_BUDGET),
                store.writtenBytes());
    }

    private List<ShadowResult> shadow() {
        return cache.status().shadow();
    }

    private void play(Runnable afterWarmUp) {
        trace.play(setup.hours(), (readMs, block, position, length) -> {
            nowMs = readMs;
            while (minute < readMs / MINUTE_MS) {
                minute++;
                if (minute == (long) setup.warmUpHours() * MINUTES_PER_HOUR) {
                    afterWarmUp.run();
                }
                cache.sweepCounts();
                ssd.ifPresent(SsdCache::turn);
            }
            read(block, position / scale, Math.max(1, length / scale));
        });
    }

    private void read(long block, long position, long length) {
        try (ClientRead read = cache.open(blocks.replica(block)).orElseThrow()) {
            if (read.cached().isEmpty()) {
                read.delivered(position, length);
                return;
            }
            try (CachedBlockReader data = read.cached().get().openData()) {
                long end = position + length;
                for (long at = position; at < end; ) {
                    long sent = data.transferTo(at, end - at, Nowhere.CHANNEL);
                    read.delivered(at, sent);
                    at += sent;
                }
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException("blocks of zeros can be read", impossible);
        }
        ssd.ifPresent(cached -> cached.fillNextBlock(() -> false));
    }

    /** Takes everything. */
    private enum Nowhere implements WritableByteChannel {
        CHANNEL;

        @Override
        public int write(ByteBuffer bytes) {
            int count = bytes.remaining();
            bytes.position(bytes.limit());
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }
}
