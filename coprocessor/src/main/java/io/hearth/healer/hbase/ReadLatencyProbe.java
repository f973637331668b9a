// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.healer.core.HealerServices.ReadProbe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.jspecify.annotations.Nullable;

/**
 * Reads one row of one region after the other, since RegionServers tell the master no read latency: the first cell of the first
 * row, which no bloom filter spares a data block, past the block cache's admission, one read at a time and one for each asking. A
 * read that takes longer than {@value #LONGEST_MS} ms counts as one of so long, whether it fails or is still under way, if its
 * region is open then as it was before. Any other failure says nothing: regions move. Thread-safe.
 *
 * <p>A read is never the load. It is raw, so that the first cell is the first in the files, be it one of a million tombstones. Where
 * no cell may be returned at all, those of a column family whose time to live is over, the server gives up after half of the
 * call's timeout, and so do we. A region that is slow by itself is left alone ({@link SlowRegions}).
 */
final class ReadLatencyProbe implements ReadProbe {

    static final int LONGEST_MS = 2_000;

    private static final long LONGEST_MICROS = LONGEST_MS * 1_000L;

    /** A server that finds no cell for half of the longest time says so then ({@code RSRpcServices.getTimeLimit}). */
    private static final long SLOW_MICROS = LONGEST_MICROS / 4;

    /** Coprime to any usual number of regions, so that the regions of all servers come to their turn. */
    private static final int STRIDE = 7_919;

    private record Read(RegionInfo region, long startNanos) {}

    private final Supplier<Collection<RegionInfo>> openRegions;
    private final Supplier<Connection> connection;
    private final Executor threads;
    private final LongSupplier nanoClock;
    private final Queue<Long> micros = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean underWay = new AtomicBoolean();
    private final AtomicReference<Read> current = new AtomicReference<>();
    private final SlowRegions slowRegions = new SlowRegions();
    private int turn;

    ReadLatencyProbe(HealerRuntime runtime, Executor threads) {
        this(() -> runtime.regions().open(), runtime::connection, threads, System::nanoTime);
    }

    ReadLatencyProbe(
            Supplier<Collection<RegionInfo>> openRegions,
            Supplier<Connection> connection,
            Executor threads,
            LongSupplier nanoClock) {
        this.openRegions = openRegions;
        this.connection = connection;
        this.threads = threads;
        this.nanoClock = nanoClock;
    }

    @Override
    public List<Long> takeLatenciesMicros() {
        List<Long> taken = new ArrayList<>();
        for (Long next = micros.poll(); next != null; next = micros.poll()) {
            taken.add(next);
        }
        Read read = current.get();
        if (read != null && elapsedMicros(read) >= LONGEST_MICROS && isOpen(read.region())) {
            taken.add(LONGEST_MICROS);
        }
        if (underWay.compareAndSet(false, true)) {
            try {
                threads.execute(this::read);
            } catch (RuntimeException stopping) {
                underWay.set(false);
            }
        }
        return taken;
    }

    private void read() {
        try {
            RegionInfo region = nextRegion();
            if (region != null) {
                read(new Read(region, nanoClock.getAsLong()));
            }
        } finally {
            current.set(null);
            underWay.set(false);
        }
    }

    private void read(Read read) {
        current.set(read);
        try {
            readFirstCell(read.region());
            micros.add(elapsedMicros(read));
        } catch (IOException | RuntimeException failure) {
            // A client gives up a little before its time is over if its next attempt would not fit in.
            if (elapsedMicros(read) >= LONGEST_MICROS / 2 && isOpen(read.region())) {
                micros.add(LONGEST_MICROS);
            }
        } finally {
            slowRegions.ended(read.region(), elapsedMicros(read) >= SLOW_MICROS, nanoClock.getAsLong());
        }
    }

    private void readFirstCell(RegionInfo region) throws IOException {
        Scan scan = new Scan()
                .withStartRow(region.getStartKey())
                .withStopRow(region.getEndKey())
                .setRaw(true)
                .setOneRowLimit()
                .setCaching(1)
                .setNeedCursorResult(true)
                .setCacheBlocks(false)
                .setFilter(new FirstKeyOnlyFilter());
        try (Table table = connection
                        .get()
                        .getTableBuilder(region.getTable(), null)
                        .setOperationTimeout(LONGEST_MS)
                        .setReadRpcTimeout(LONGEST_MS)
                        .build();
                ResultScanner rows = table.getScanner(scan)) {
            // Either the cell, or how far the server has come without one.
            Result unused = rows.next();
        }
    }

    private long elapsedMicros(Read read) {
        return (nanoClock.getAsLong() - read.startNanos()) / 1_000;
    }

    private boolean isOpen(RegionInfo region) {
        return openRegions.get().contains(region);
    }

    private synchronized @Nullable RegionInfo nextRegion() {
        long nowNanos = nanoClock.getAsLong();
        List<RegionInfo> open = openRegions.get().stream()
                .filter(region -> !region.getTable().isSystemTable() && RegionReplicaUtil.isDefaultReplica(region))
                .filter(region -> !slowRegions.skips(region, nowNanos))
                .toList();
        turn = Math.floorMod(turn + STRIDE, Math.max(1, open.size()));
        return open.isEmpty() ? null : open.get(turn);
    }

    /**
     * The regions whose first cell was slow to read {@value #OFTEN} times while another region's was not: what is slow there is the
     * region, not HDFS, and a read of ours would only be a burden to it. Each is left alone for an hour. Where all regions are slow none
     * is left out, since that is what the reads are for. Thread-safe.
     */
    private static final class SlowRegions {

        static final int OFTEN = 2;
        static final long SKIP_NANOS = 3_600_000_000_000L;

        private record Slow(int times, long lastNanos) {}

        private final Map<RegionInfo, Slow> slowByRegion = new HashMap<>();
        private @Nullable RegionInfo last;
        private boolean lastWasSlow;

        /** Whether this region is not to be read now. */
        synchronized boolean skips(RegionInfo region, long nowNanos) {
            Slow slow = slowByRegion.get(region);
            return slow != null && slow.times() >= OFTEN && nowNanos - slow.lastNanos() < SKIP_NANOS;
        }

        /** A read of this region has ended. */
        synchronized void ended(RegionInfo region, boolean slow, long nowNanos) {
            slowByRegion.values().removeIf(old -> nowNanos - old.lastNanos() >= SKIP_NANOS);
            boolean othersAreSlowToo = lastWasSlow && !region.equals(last);
            if (!slow) {
                slowByRegion.remove(region);
            } else if (!othersAreSlowToo) {
                slowByRegion.merge(
                        region, new Slow(1, nowNanos), (before, one) -> new Slow(before.times() + 1, one.lastNanos()));
            }
            last = region;
            lastWasSlow = slow;
        }
    }
}
