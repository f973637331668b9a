package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.hbase.Names;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.locality.LocalityCache;
import io.hearth.balancer.locality.LocalityRefresh;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
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
 * it. Thread-safe.
 */
final class HearthRegionLocationFinder extends HBaseLineLocationFinder implements LocalityRefresh {

    static final long RETRY_AFTER_MS = 60_000;
    private static final long OLDEST_MS = TimeUnit.HOURS.toMillis(4);
    private static final long FORGET_EVERY_MS = TimeUnit.HOURS.toMillis(1);
    private static final int THREADS = 5;
    private static final int IDLE_SECONDS = 10;
    private static final float LEAST_CHANGE = 0.0001f;
    private static final HDFSBlocksDistribution UNKNOWN = new HDFSBlocksDistribution();

    private final LocalityCache<RegionInfo, HDFSBlocksDistribution> cache = new LocalityCache<>(RETRY_AFTER_MS);
    private final Map<RegionId, RegionInfo> regionById = new ConcurrentHashMap<>();
    private final Map<RegionId, Float> reportedLocalityByRegion = new ConcurrentHashMap<>();
    private final LongSupplier nowMs;
    private final Consumer<Throwable> onFailure;
    private final ExecutorService executor;
    private volatile Map<String, List<ServerName>> serversByHost = Map.of();
    private volatile long forgetFromMs = Long.MIN_VALUE;
    private volatile long askNameNodeFromMs = Long.MIN_VALUE;

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

    /** Ends the threads; what is cached stays readable. */
    void close() {
        executor.shutdownNow();
    }

    @Override
    public void regionsChanged(Collection<RegionId> regions) {
        regions.forEach(this::regionChanged);
    }

    private void regionChanged(RegionId id) {
        RegionInfo region = regionById.get(id);
        if (region != null) {
            cache.invalidate(region);
            refresh(region);
        }
    }

    /** Takes the servers' reports: regions whose locality changed, or that got their first files, are asked for again. */
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
        metrics.getLiveServerMetrics().forEach((server, ofServer) -> {
            servers.computeIfAbsent(server.getHostname(), host -> new ArrayList<>())
                    .add(server);
            ofServer.getRegionMetrics().values().forEach(this::compare);
        });
        serversByHost = servers;
        long now = nowMs.getAsLong();
        if (now >= forgetFromMs) {
            retain(metrics);
            forgetFromMs = now + FORGET_EVERY_MS;
        }
        cache.due(now, now - OLDEST_MS).forEach(this::refresh);
    }

    private void compare(RegionMetrics reported) {
        RegionId id = Names.region(reported.getRegionName());
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
        }
    }

    @Override
    public HDFSBlocksDistribution getBlockDistribution(RegionInfo region) {
        Optional<HDFSBlocksDistribution> cached = cache.get(region);
        if (cached.isEmpty()) {
            load(region);
            cached = cache.get(region);
        }
        return cached.orElse(UNKNOWN);
    }

    @Override
    public void refreshAndWait(Collection<RegionInfo> regions) {
        CountDownLatch done = new CountDownLatch(regions.size());
        for (RegionInfo region : regions) {
            try {
                executor.execute(() -> {
                    load(region);
                    done.countDown();
                });
            } catch (RejectedExecutionException closed) {
                return;
            }
        }
        try {
            done.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
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

    /** Forgets regions that nobody reports any more. */
    private void retain(ClusterMetrics metrics) {
        Set<RegionId> reported = new HashSet<>();
        metrics.getLiveServerMetrics().values().forEach(server -> server.getRegionMetrics()
                .values()
                .forEach(region -> reported.add(Names.region(region.getRegionName()))));
        regionById.keySet().retainAll(reported);
        reportedLocalityByRegion.keySet().retainAll(reported);
        cache.retain(new HashSet<>(regionById.values()));
    }

    private void refresh(RegionInfo region) {
        try {
            executor.execute(() -> load(region));
        } catch (RejectedExecutionException closed) {
            // The balancer was stopped: nobody will ask.
        }
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
