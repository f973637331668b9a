// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.healer.core.HealerServices.ReadProbe;
import io.hearth.healer.hbase.AssignmentSnapshotBuilder.RegionLocation;
import io.hearth.healer.hbase.HealerRuntime.KnownRegions;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.throttle.ReadTurns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ServerName;
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
 * Reads one row of one region after the other on the hosts that it is asked for, since RegionServers tell the master no read
 * latency: the first cell of the first row, which no bloom filter spares a data block, past the block cache's admission. {@link ReadTurns}
 * says whose turn it is and how many hosts are read at a time. A read that takes longer than {@value #LONGEST_MS} ms counts as one of so
 * long, whether it fails or is still under way, if its region is open where it was. Any other failure says nothing, nor does a read during
 * which its region moves. Thread-safe.
 *
 * <p>A read is never the load. It is raw, so that the first cell is the first in the files, be it one of a million tombstones. Where
 * no cell may be returned at all, those of a column family whose time to live is over, the server gives up after half of the
 * call's timeout, and so do we. A region that is slow by itself is left alone ({@link SlowRegions}).
 */
final class ReadLatencyProbe implements ReadProbe {

    static final int LONGEST_MS = 2_000;

    private static final long NANOS_PER_MS = 1_000_000;
    private static final long LONGEST_MICROS = LONGEST_MS * 1_000L;

    /** A server that finds no cell for half of the longest time says so then ({@code RSRpcServices.getTimeLimit}). */
    private static final long SLOW_MICROS = LONGEST_MICROS / 4;

    /** Going through a million regions takes a while; one that has moved since is noticed at its turn. */
    private static final long INDEX_NANOS = 30_000 * NANOS_PER_MS;

    private record Read(RegionInfo region, ServerName server, long startNanos) {}

    private record CompletedRead(String host, long micros, long endNanos) {}

    private record RegionIndex(Map<String, List<RegionLocation>> openByHost, long builtNanos) {}

    private final KnownRegions regions;
    private final Supplier<Connection> connection;
    private final Executor threads;
    private final LongSupplier nanoClock;
    private final Queue<CompletedRead> completed = new ConcurrentLinkedQueue<>();
    private final ReadTurns turns = new ReadTurns();
    private final Map<String, HostProbe> probeByHost = new HashMap<>();
    private final Object indexLock = new Object();
    private @Nullable RegionIndex index;

    ReadLatencyProbe(HealerRuntime runtime, Executor threads) {
        this(runtime.regions(), runtime::connection, threads, System::nanoTime);
    }

    ReadLatencyProbe(KnownRegions regions, Supplier<Connection> connection, Executor threads, LongSupplier nanoClock) {
        this.regions = regions;
        this.connection = connection;
        this.threads = threads;
        this.nanoClock = nanoClock;
    }

    @Override
    public synchronized List<Sample> takeSamples(Collection<DataNode> touched) {
        long nowNanos = nanoClock.getAsLong();
        List<Sample> taken = new ArrayList<>();
        for (CompletedRead read = completed.poll(); read != null; read = completed.poll()) {
            taken.add(new Sample(read.host(), read.micros(), (nowNanos - read.endNanos()) / NANOS_PER_MS));
        }
        for (HostProbe probe : probeByHost.values()) {
            probe.hanging(nowNanos).ifPresent(read -> taken.add(new Sample(host(read.server()), LONGEST_MICROS, 0)));
        }
        start(touched, nowNanos);
        probeByHost.keySet().removeIf(host -> !turns.isKnown(host));
        return taken;
    }

    /** Each host once, by the name under which its DataNode registered; {@link #openOn} knows its address too. */
    private void start(Collection<DataNode> touched, long nowNanos) {
        Map<String, DataNode> nodeByHost = new LinkedHashMap<>();
        touched.forEach(node -> nodeByHost.putIfAbsent(node.host(), node));
        for (String host : turns.start(nodeByHost.keySet(), nowNanos / NANOS_PER_MS)) {
            HostProbe probe = probeByHost.computeIfAbsent(host, first -> new HostProbe());
            DataNode node = Objects.requireNonNull(nodeByHost.get(host));
            try {
                threads.execute(() -> read(node, probe));
            } catch (RuntimeException stopping) {
                ended(node, probe);
            }
        }
    }

    private synchronized void ended(DataNode node, HostProbe probe) {
        probe.current = null;
        turns.ended(node.host());
    }

    private void read(DataNode node, HostProbe probe) {
        try {
            Optional<RegionLocation> next = probe.next(openOn(node), nanoClock.getAsLong());
            if (next.isPresent()) {
                ServerName server = next.get().openOn().orElseThrow();
                Read read = new Read(next.get().region(), server, nanoClock.getAsLong());
                if (isOpen(read)) {
                    read(read, probe);
                }
            }
        } finally {
            ended(node, probe);
        }
    }

    private void read(Read read, HostProbe probe) {
        probe.current = read;
        try {
            readFirstCell(read.region());
            completed(read, elapsedMicros(read));
        } catch (IOException | RuntimeException failure) {
            // A client gives up a little before its time is over if its next attempt would not fit in.
            if (elapsedMicros(read) >= LONGEST_MICROS / 2) {
                completed(read, LONGEST_MICROS);
            }
        }
        probe.slowRegions.ended(read.region(), elapsedMicros(read) >= SLOW_MICROS, nanoClock.getAsLong());
    }

    private void completed(Read read, long micros) {
        if (isOpen(read)) {
            completed.add(new CompletedRead(host(read.server()), micros, nanoClock.getAsLong()));
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

    private boolean isOpen(Read read) {
        return regions.openOn(read.region()).filter(read.server()::equals).isPresent();
    }

    /** The user regions that are, or were half a minute ago, open on the host of this DataNode, which has a name and an address. */
    private List<RegionLocation> openOn(DataNode node) {
        Map<String, List<RegionLocation>> openByHost = index().openByHost();
        return Stream.of(node.host().toLowerCase(Locale.ROOT), node.ipAddress())
                .distinct()
                .flatMap(name -> openByHost.getOrDefault(name, List.of()).stream())
                .toList();
    }

    private RegionIndex index() {
        synchronized (indexLock) {
            long nowNanos = nanoClock.getAsLong();
            if (index == null || nowNanos - index.builtNanos() > INDEX_NANOS) {
                Map<String, List<RegionLocation>> openByHost = regions.open().stream()
                        .filter(location -> isRead(location.region()))
                        .collect(Collectors.groupingBy(ReadLatencyProbe::host));
                index = new RegionIndex(openByHost, nowNanos);
            }
            return index;
        }
    }

    private static String host(RegionLocation location) {
        return host(location.openOn().orElseThrow());
    }

    private static String host(ServerName server) {
        return server.getHostname().toLowerCase(Locale.ROOT);
    }

    private static boolean isRead(RegionInfo region) {
        return !region.getTable().isSystemTable() && RegionReplicaUtil.isDefaultReplica(region);
    }

    /** The reads of one host's regions, one at a time. Its thread and whoever asks for samples see {@code volatile} fields alone. */
    private final class HostProbe {

        private final SlowRegions slowRegions = new SlowRegions();
        private volatile @Nullable Read current;
        private OptionalLong hungNanos = OptionalLong.empty();
        private int turn;

        /** Its read if that takes too long already, which is said as often as a read would be made. */
        Optional<Read> hanging(long nowNanos) {
            Optional<Read> hanging = Optional.ofNullable(current)
                    .filter(read -> elapsedMicros(read) >= LONGEST_MICROS)
                    .filter(read ->
                            hungNanos.isEmpty() || nowNanos - hungNanos.getAsLong() >= ReadTurns.EACH_MS * NANOS_PER_MS)
                    .filter(ReadLatencyProbe.this::isOpen);
            hungNanos = hanging.isPresent() ? OptionalLong.of(nowNanos) : hungNanos;
            return hanging;
        }

        /** The region whose turn it is. */
        Optional<RegionLocation> next(List<RegionLocation> open, long nowNanos) {
            List<RegionLocation> candidates = open.stream()
                    .filter(location -> !slowRegions.skips(location.region(), nowNanos))
                    .toList();
            turn = Math.floorMod(turn + 1, Math.max(1, candidates.size()));
            return candidates.isEmpty() ? Optional.empty() : Optional.of(candidates.get(turn));
        }
    }

    /**
     * The regions of a host whose first cell was slow to read {@value #OFTEN} times while another region's was not: what is slow there
     * is the region, not HDFS, and a read of ours would only be a burden to it. A region without others is compared with its own past.
     * Each is left alone for an hour. Where all regions are slow none is left out, since that is what the reads are for. Not
     * thread-safe.
     */
    private static final class SlowRegions {

        static final int OFTEN = 2;
        static final long SKIP_NANOS = 3_600_000_000_000L;

        private record Slow(int times, long lastNanos) {}

        private final Map<RegionInfo, Slow> slowByRegion = new HashMap<>();
        private @Nullable RegionInfo last;
        private boolean lastWasSlow;
        private boolean lastWasQuickBefore;

        /** Whether this region is not to be read now. */
        boolean skips(RegionInfo region, long nowNanos) {
            Slow slow = slowByRegion.get(region);
            return slow != null && slow.times() >= OFTEN && nowNanos - slow.lastNanos() < SKIP_NANOS;
        }

        /** A read of this region has ended. */
        void ended(RegionInfo region, boolean slow, long nowNanos) {
            slowByRegion.values().removeIf(old -> nowNanos - old.lastNanos() >= SKIP_NANOS);
            boolean isAlone = region.equals(last);
            boolean isSlowByItself = isAlone ? !lastWasQuickBefore : !lastWasSlow;
            if (!slow) {
                slowByRegion.remove(region);
            } else if (isSlowByItself) {
                slowByRegion.merge(
                        region, new Slow(1, nowNanos), (before, one) -> new Slow(before.times() + 1, one.lastNanos()));
            }
            lastWasQuickBefore = !slow || (isAlone && lastWasQuickBefore);
            last = region;
            lastWasSlow = slow;
        }
    }
}
