package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.config.LocalityConfig;
import io.hearth.balancer.hbase.Names;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.locality.LocalityCache;
import io.hearth.balancer.locality.LocalityRefresh;
import io.hearth.balancer.locality.RefreshQueue;
import io.hearth.balancer.locality.RefreshQueue.Urgency;
import io.hearth.balancer.snapshot.LocalBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;

/**
 * Where the blocks of each region are, for the locality costs of the stock search: the stock finder with a cache that is told
 * of block moves and outlives a reload of the configuration.
 *
 * <p>What it does otherwise than the stock finder (HBase 2.6.4): a NameNode that can't be asked is not cached as "no blocks
 * anywhere" for four hours, and is not asked again for {@value #RETRY_AFTER_MS} ms; a region that was empty when it was
 * first looked at and has store files now is looked at again; an answer that was begun before a change does not land after
 * it; every region that is served is asked about before anybody wants to know; the NameNode is asked about so many regions a
 * second, each once however often it is due.
 *
 * <p>An unknown region is an empty distribution to the stock costs, and neutral there: its weight is 0 on every server, in what
 * is local as in what could be. Thread-safe.
 */
final class HearthRegionLocationFinder extends HBaseLineLocationFinder implements LocalityRefresh {

    static final long RETRY_AFTER_MS = 60_000;
    /** Regions that are asked about at once when the master starts, as the stock finder does with all of them. */
    static final int ASKED_AT_START = 5_000;
    /** With more than this many regions to ask about, the stock search does not wait for the NameNode region by region. */
    static final int WAITED_FOR = 100;

    private static final long FORGET_EVERY_MS = TimeUnit.HOURS.toMillis(1);
    private static final int THREADS = 5;
    private static final int IDLE_SECONDS = 10;
    private static final float LEAST_CHANGE = 0.0001f;
    private static final HDFSBlocksDistribution UNKNOWN = new HDFSBlocksDistribution();

    private final LocalityCache<RegionInfo, HDFSBlocksDistribution> cache = new LocalityCache<>(RETRY_AFTER_MS);
    private final RefreshQueue<RegionInfo> queue = new RefreshQueue<>(LocalityConfig.DEFAULTS.regionsPerSecond());
    private final Map<RegionId, RegionInfo> regionById = new ConcurrentHashMap<>();
    private final Map<RegionId, Float> reportedLocalityByRegion = new ConcurrentHashMap<>();
    private final AtomicInteger workers = new AtomicInteger();
    private final LongSupplier nowMs;
    private final Consumer<Throwable> onFailure;
    private final ExecutorService executor;
    private volatile long maxAgeMs = LocalityConfig.DEFAULTS.maxAgeMs();
    private volatile Supplier<? extends Collection<RegionInfo>> assignedRegions = List::of;
    private volatile Map<String, List<ServerName>> serversByHost = Map.of();
    private volatile long forgetFromMs = Long.MIN_VALUE;
    private volatile long askNameNodeFromMs = Long.MIN_VALUE;
    private Set<RegionId> unreported = Set.of();

    HearthRegionLocationFinder(LongSupplier nowMs, Consumer<Throwable> onFailure) {
        this.nowMs = nowMs;
        this.onFailure = onFailure;
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new ThreadFactoryBuilder()
                        .setDaemon(true)
                        .setNameFormat("hearth-locality-%d")
                        .build());
        pool.allowCoreThreadTimeOut(true);
        executor = pool;
    }

    /** Takes new settings, at once. */
    void configure(LocalityConfig config) {
        queue.setKeysPerSecond(config.regionsPerSecond());
        maxAgeMs = config.maxAgeMs();
    }

    /** Says which regions are served, so that they are asked about before anybody wants to know. */
    void setAssignedRegions(Supplier<Collection<RegionInfo>> regions) {
        assignedRegions = regions;
    }

    /** Ends the threads; what is cached stays readable. */
    void close() {
        executor.shutdownNow();
    }

    /** Where this region's bytes are as far as that is cached; the NameNode is not asked. */
    LocalBytes localBytes(RegionInfo region) {
        return cache.get(region).map(HearthRegionLocationFinder::localBytes).orElse(LocalBytes.UNKNOWN);
    }

    static LocalBytes localBytes(HDFSBlocksDistribution blocks) {
        long totalBytes = blocks.getUniqueBlocksTotalWeight();
        Map<String, Long> bytesByHost = new HashMap<>();
        blocks.getHostAndWeights()
                .forEach((host, weight) -> bytesByHost.put(host, Math.min(weight.getWeight(), totalBytes)));
        return LocalBytes.of(totalBytes, bytesByHost);
    }

    @Override
    public void regionsChanged(Collection<RegionId> regions) {
        regions.forEach(this::regionChanged);
    }

    private void regionChanged(RegionId id) {
        RegionInfo region = regionById.get(id);
        if (region != null) {
            cache.invalidate(region);
            refresh(region, Urgency.CHANGED);
        }
    }

    /**
     * Takes the servers' reports: regions whose locality changed, or that got their first files, are asked about again, and
     * regions that are new are asked about for the first time, before anybody wants to know.
     */
    @Override
    public void setClusterMetrics(ClusterMetrics metrics) {
        try {
            take(metrics);
        } catch (Throwable failure) {
            onFailure.accept(failure);
        }
    }

    private void take(ClusterMetrics metrics) {
        Map<String, List<ServerName>> servers = new HashMap<>();
        Set<RegionId> reported = new HashSet<>();
        metrics.getLiveServerMetrics().forEach((server, ofServer) -> {
            servers.computeIfAbsent(server.getHostname(), host -> new ArrayList<>())
                    .add(server);
            ofServer.getRegionMetrics().values().forEach(region -> {
                RegionId id = Names.region(region.getRegionName());
                reported.add(id);
                compare(id, region);
            });
        });
        serversByHost = servers;
        follow(reported);
        long now = nowMs.getAsLong();
        if (now >= forgetFromMs) {
            forget(reported);
            forgetFromMs = now + FORGET_EVERY_MS;
        }
        cache.due(now, now - maxAgeMs)
                .forEach(region -> queue.offer(region, cache.get(region).isPresent() ? Urgency.OLD : Urgency.MISSING));
        work();
    }

    private void compare(RegionId id, RegionMetrics reported) {
        RegionInfo region = regionById.get(id);
        if (region == null) {
            return;
        }
        Float before = reportedLocalityByRegion.put(id, reported.getDataLocality());
        boolean hasChanged = before != null && Math.abs(before - reported.getDataLocality()) > LEAST_CHANGE;
        boolean gotFiles = reported.getStoreFileSize().get(Size.Unit.BYTE) > 0
                && cache.get(region)
                        .map(HDFSBlocksDistribution::getUniqueBlocksTotalWeight)
                        .filter(bytes -> bytes == 0)
                        .isPresent();
        if (hasChanged || gotFiles) {
            cache.invalidate(region);
            queue.offer(region, Urgency.CHANGED);
        }
    }

    /** Asks about every reported region that was never asked about: a report does not hold what it takes to ask. */
    private void follow(Set<RegionId> reported) {
        if (regionById.keySet().containsAll(reported)) {
            return;
        }
        for (RegionInfo region : assignedRegions.get()) {
            if (reported.contains(Names.region(region))
                    && regionById.putIfAbsent(Names.region(region), region) == null) {
                queue.offer(region, Urgency.MISSING);
            }
        }
    }

    @Override
    public HDFSBlocksDistribution getBlockDistribution(RegionInfo region) {
        Optional<HDFSBlocksDistribution> cached = cache.get(region);
        if (cached.isEmpty()) {
            if (queue.size() > WAITED_FOR) {
                refresh(region, Urgency.MISSING);
            } else {
                load(region);
            }
            cached = cache.get(region);
        }
        return cached.orElse(UNKNOWN);
    }

    /** Asks about the first {@value #ASKED_AT_START} of these regions and waits for that; the rest follow at their pace. */
    @Override
    public void refreshAndWait(Collection<RegionInfo> regions) {
        Queue<RegionInfo> first = new ConcurrentLinkedQueue<>();
        int asked = 0;
        for (RegionInfo region : regions) {
            if (asked++ < ASKED_AT_START) {
                first.add(region);
            } else {
                regionById.putIfAbsent(Names.region(region), region);
                queue.offer(region, Urgency.MISSING);
            }
        }
        CountDownLatch done = new CountDownLatch(THREADS);
        for (int thread = 0; thread < THREADS; thread++) {
            try {
                executor.execute(() -> loadAll(first, done));
            } catch (RejectedExecutionException closed) {
                return;
            }
        }
        try {
            done.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        work();
    }

    private void loadAll(Queue<RegionInfo> regions, CountDownLatch done) {
        try {
            RegionInfo region = regions.poll();
            while (region != null && !Thread.currentThread().isInterrupted()) {
                load(region);
                region = regions.poll();
            }
        } finally {
            done.countDown();
        }
    }

    @Override
    List<ServerName> mapHostNameToServerName(List<String> hosts) {
        Map<String, List<ServerName>> servers = serversByHost;
        List<ServerName> found = new ArrayList<>();
        if (hosts != null) {
            hosts.forEach(host -> found.addAll(servers.getOrDefault(host, List.of())));
        }
        return found;
    }

    /** Forgets regions that nobody reported, now and an hour ago: those of a dead server are missing for minutes. */
    private void forget(Set<RegionId> reported) {
        Set<RegionId> gone = new HashSet<>(regionById.keySet());
        gone.removeAll(reported);
        Set<RegionId> forgotten = new HashSet<>(gone);
        forgotten.retainAll(unreported);
        unreported = gone;
        regionById.keySet().removeAll(forgotten);
        reportedLocalityByRegion.keySet().removeAll(forgotten);
        cache.retain(new HashSet<>(regionById.values()));
    }

    private void refresh(RegionInfo region, Urgency urgency) {
        queue.offer(region, urgency);
        work();
    }

    /** Sees to it that there are threads at work on the queue, never more than {@value #THREADS}. */
    private void work() {
        int wanted = Math.min(THREADS, queue.size());
        for (int running = workers.get(); running < wanted; running = workers.get()) {
            if (workers.compareAndSet(running, running + 1)) {
                try {
                    executor.execute(this::workOff);
                } catch (RejectedExecutionException closed) {
                    // The balancer was stopped: nobody will ask.
                    workers.decrementAndGet();
                    return;
                }
            }
        }
    }

    private void workOff() {
        try {
            while (queue.size() > 0 && !executor.isShutdown()) {
                queue.take(nowMs.getAsLong()).ifPresent(this::load);
                long waitMs = queue.waitMs(nowMs.getAsLong());
                if (waitMs > 0) {
                    TimeUnit.MILLISECONDS.sleep(waitMs);
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } finally {
            workers.decrementAndGet();
        }
        // What was offered while this thread was leaving.
        work();
    }

    private void load(RegionInfo region) {
        regionById.putIfAbsent(Names.region(region), region);
        if (nowMs.getAsLong() < askNameNodeFromMs) {
            return;
        }
        cache.begin(region, nowMs.getAsLong()).ifPresent(load -> {
            try {
                cache.finish(load, ask(region), nowMs.getAsLong());
            } catch (Throwable failure) {
                long now = nowMs.getAsLong();
                cache.fail(load, now);
                askNameNodeFromMs = failure instanceof IOException ? now + RETRY_AFTER_MS : askNameNodeFromMs;
                onFailure.accept(failure);
            }
        });
    }
}
