// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.config.BalancerConfig.LocalityConfig;
import io.hearth.balancer.engine.MasterWork;
import io.hearth.balancer.hbase.ClusterMetricsReader;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.MasterMeter;
import io.hearth.balancer.heat.ingest.ReportReadScheduler;
import io.hearth.balancer.locality.BlocksMovedListener;
import io.hearth.balancer.locality.RefreshQueue;
import io.hearth.balancer.locality.RefreshQueue.Urgency;
import io.hearth.balancer.locality.StaleLocalityListener;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.common.model.EncodedRegionName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.balancer.BlockLocations.LocalityErrorHandler;
import org.apache.hadoop.hbase.master.balancer.BlockLocations.LocationSource;
import org.apache.hadoop.hbase.master.balancer.ServedRegions.Followed;
import org.jspecify.annotations.NullMarked;

/**
 * Where the blocks of each region are, for the locality costs of the stock search: the stock finder with a cache that is told
 * of block moves and outlives a reload of the configuration.
 *
 * <p>What it does otherwise than the stock finder (HBase 2.6.4): a NameNode that can't be asked is not cached as "no blocks
 * anywhere" for four hours, and is left alone for a time ({@link BlockLocations}); a region that was empty when it was first
 * looked at and has store files now is looked at again; an answer that was begun before a change does not land after it; every
 * region that is served is asked about before anybody wants to know; the NameNode is asked about so many regions a second,
 * each once however often it is due; the healer is told where the answer is not what the server reports.
 *
 * <p>An unknown region is an empty distribution to the stock costs, and neutral there: its weight is 0 on every server, in what
 * is local as in what could be. Thread-safe.
 */
@NullMarked
final class HearthRegionLocationFinder extends HBaseLocationFinderCompat implements BlocksMovedListener {

    /** Regions that are asked about at once when the master starts, as the stock finder does with all of them. */
    static final int ASKED_AT_START = 5_000;
    /** With more than this many regions to ask about, the stock search does not wait for the NameNode region by region. */
    static final int WAITED_FOR = 100;

    /**
     * The longest that a master that starts waits: it holds the balancer's lock meanwhile. A NameNode that answers within two milliseconds has
     * answered all by then. Milliseconds.
     */
    private static final long START_WAIT_MS = 2_000;

    private static final HDFSBlocksDistribution UNKNOWN = new HDFSBlocksDistribution();

    private final RefreshQueue<RegionInfo> queue = new RefreshQueue<>(LocalityConfig.DEFAULTS.regionsPerSecond());
    private final ServedRegions regions = new ServedRegions();
    private final LongSupplier nowMs;
    private final LocalityErrorHandler errorHandler;
    private final StaleLocalityListener staleLocality;
    private final BlockLocations locations;
    private final LocalityRefreshPool refreshPool;
    private final ReportReadScheduler<ServerName> readScheduler = new ReportReadScheduler<>();
    private volatile MasterMeter meter = MasterMeter.shared();
    private volatile long readEveryMs;
    private volatile double regionsPerSecond = LocalityConfig.DEFAULTS.regionsPerSecond();
    private volatile int stretch = 1;
    private long offeredMs;
    private volatile boolean isInUse = true;
    private long startWaitMs = START_WAIT_MS;
    private volatile long maxAgeMs = LocalityConfig.DEFAULTS.maxAgeMs();
    private volatile Supplier<? extends Collection<RegionInfo>> assignedRegions = List::of;
    private volatile Map<String, List<ServerName>> serversByHost = Map.of();

    /** @param staleLocality told of each region that the NameNode does not call local on the host that reports it to be */
    HearthRegionLocationFinder(
            LongSupplier nowMs, LocalityErrorHandler errorHandler, StaleLocalityListener staleLocality) {
        this(nowMs, errorHandler, staleLocality, Optional.empty(), LocalityRefreshPool.newThreads());
    }

    /**
     * @param nameNode asked in the place of the NameNode, where there is none
     * @param threads of those that ask in the background
     */
    HearthRegionLocationFinder(
            LongSupplier nowMs,
            LocalityErrorHandler errorHandler,
            StaleLocalityListener staleLocality,
            Optional<LocationSource> nameNode,
            ExecutorService threads) {
        this.nowMs = nowMs;
        this.errorHandler = errorHandler;
        this.staleLocality = staleLocality;
        locations = new BlockLocations(nameNode.orElse(this::ask), nowMs, errorHandler, this::compare);
        refreshPool = new LocalityRefreshPool(queue, locations, nowMs, threads);
    }

    /** Takes new settings, at once. */
    void configure(LocalityConfig config) {
        regionsPerSecond = config.regionsPerSecond();
        queue.setKeysPerSecond(regionsPerSecond / stretch);
        maxAgeMs = config.maxAgeMs();
    }

    /** Asks in the background about so many times fewer regions a second than set, at once. */
    void stretch(int times) {
        stretch = times;
        queue.setKeysPerSecond(regionsPerSecond / times);
    }

    /** Has a master that starts wait for so long at most, in milliseconds. */
    void waitAtStart(long ms) {
        startWaitMs = ms;
    }

    /** Has this measure what it takes of the HMaster, and not the meter of the process. */
    void measuredBy(MasterMeter another) {
        meter = another;
    }

    /** Takes how often the report of each server is read, in milliseconds; at 0 all of them are, each time. */
    void readEvery(long ms) {
        readEveryMs = ms;
    }

    /**
     * Says whether the balancer looks at locality ({@code hbase.master.balancer.uselocality}). While it does not, nobody tells
     * this finder of reports: where blocks are is unknown; what is known to be wrong is asked about later.
     */
    void setInUse(boolean nowInUse) {
        isInUse = nowInUse;
    }

    /** Says which regions are served, so that they are asked about before anybody wants to know. */
    void setAssignedRegions(Supplier<Collection<RegionInfo>> assigned) {
        assignedRegions = assigned;
    }

    /** Ends the threads; what is cached stays readable. */
    void close() {
        refreshPool.close();
    }

    /** Where this region's bytes are as far as that is cached; the NameNode is not asked. */
    LocalBytes localBytes(RegionInfo region) {
        Optional<CompactBlocksDistribution> known = isInUse ? locations.known(region) : Optional.empty();
        return known.map(CompactBlocksDistribution::local).orElse(LocalBytes.UNKNOWN);
    }

    /** Bytes of heap that the answers take, estimated. */
    long heapBytes() {
        return locations.heapBytes();
    }

    /** Everything that is remembered of regions and servers, so that its size can be measured. */
    List<Object> state() {
        return List.of(queue, regions, locations.state(), readScheduler, serversByHost);
    }

    @Override
    public void regionsChanged(Collection<EncodedRegionName> changed) {
        changed.forEach(id -> regions.get(id).map(Followed::region).ifPresent(this::hasChanged));
        if (isInUse) {
            refreshPool.work();
        }
    }

    private void hasChanged(RegionInfo region) {
        locations.changed(region);
        queue.offer(region, Urgency.CHANGED);
    }

    /**
     * Takes the servers' reports: regions whose locality changed, or that got their first files, are asked about again, and
     * regions that are new are asked about for the first time, before anybody wants to know.
     */
    @Override
    public void setClusterMetrics(ClusterMetrics metrics) {
        try {
            meter.underLock(MasterWork.REPORTS, () -> take(metrics));
        } catch (Throwable failure) {
            errorHandler.reportsNotRead(failure);
        }
    }

    private void take(ClusterMetrics metrics) {
        long now = nowMs.getAsLong();
        Map<ServerName, ServerMetrics> live = metrics.getLiveServerMetrics();
        Map<String, List<ServerName>> servers = new HashMap<>();
        live.keySet().forEach(server -> servers.computeIfAbsent(server.getHostname(), host -> new ArrayList<>())
                .add(server));
        serversByHost = servers;
        regions.retainServers(live.keySet());
        compare(live, readScheduler.due(ClusterMetricsReader.reportMsByServer(live), readEveryMs, now));
        if (regions.isTimeToForget(now) && regions.forget(reported(live), now)) {
            locations.retain(regions.all());
        }
        offerDue(now);
        refreshPool.work();
    }

    private void compare(Map<ServerName, ServerMetrics> live, Set<ServerName> due) {
        Set<EncodedRegionName> unknown = new HashSet<>();
        live.forEach((server, ofServer) -> {
            if (!due.contains(server)) {
                return;
            }
            regions.report(
                    server,
                    ofServer.getRegionMetrics().values(),
                    (followed, reported) -> compare(followed, reported, server.getHostname()),
                    unknown::add);
        });
        follow(unknown);
    }

    private static Set<EncodedRegionName> reported(Map<ServerName, ServerMetrics> live) {
        Set<EncodedRegionName> reported = new HashSet<>();
        live.values()
                .forEach(ofServer ->
                        ofServer.getRegionMetrics().keySet().forEach(name -> reported.add(HBaseNames.region(name))));
        return reported;
    }

    /** Looks at every region, so not at each look at the cluster. */
    private void offerDue(long now) {
        if (Math.abs(now - offeredMs) < readEveryMs) {
            return;
        }
        offeredMs = now;
        locations
                .due(maxAgeMs)
                .forEach(region ->
                        queue.offer(region, locations.known(region).isPresent() ? Urgency.OLD : Urgency.MISSING));
    }

    private void compare(Followed known, RegionMetrics reported, String host) {
        RegionInfo region = known.region();
        boolean gotFiles = reported.getStoreFileSize().get(Size.Unit.MEGABYTE) > 0
                && locations
                        .known(region)
                        .map(HDFSBlocksDistribution::getUniqueBlocksTotalWeight)
                        .filter(bytes -> bytes == 0)
                        .isPresent();
        if (known.hasChanged(host, reported.getDataLocality()) || gotFiles) {
            hasChanged(region);
        }
    }

    /** A server that trusts the replicas it knows of does not notice that one on its host has gone until it reads it. */
    private void compare(RegionInfo region, CompactBlocksDistribution answer) {
        EncodedRegionName id = HBaseNames.region(region);
        regions.hostWithStaleLocality(id, answer).ifPresent(host -> staleLocality.localityStale(id, host));
    }

    /** Asks about these regions, which were never asked about: a report does not hold what it takes to ask. */
    private void follow(Set<EncodedRegionName> unknown) {
        if (unknown.isEmpty()) {
            return;
        }
        for (RegionInfo region : assignedRegions.get()) {
            if (unknown.contains(HBaseNames.region(region)) && regions.add(region)) {
                queue.offer(region, Urgency.MISSING);
            }
        }
    }

    /**
     * Of the search with the balancer's lock held, and of the stock balancer's assignments without: also where Hearth rests, until the
     * next run gives that its own finder back. What left it would end the only thread that assigns regions.
     */
    @Override
    public HDFSBlocksDistribution getBlockDistribution(RegionInfo region) {
        try {
            Optional<CompactBlocksDistribution> cached = locations.known(region);
            return cached.isPresent()
                    ? cached.get()
                    : meter.underLockIfHeld(MasterWork.LOCALITY, () -> missing(region));
        } catch (LinkageError | RuntimeException failure) {
            errorHandler.reportsNotRead(failure);
            return UNKNOWN;
        }
    }

    private HDFSBlocksDistribution missing(RegionInfo region) {
        regions.add(region);
        if (queue.size() <= WAITED_FOR && locations.isAskable()) {
            locations.ask(region);
        } else {
            queue.offer(region, Urgency.MISSING);
            refreshPool.work();
        }
        return locations
                .known(region)
                .<HDFSBlocksDistribution>map(known -> known)
                .orElse(UNKNOWN);
    }

    /**
     * Asks about the first {@value #ASKED_AT_START} of these regions and waits for that, but no longer than {@value
     * #START_WAIT_MS} ms; the rest follow at their pace. The master starts meanwhile, and an Error would end it: HBase catches none here
     * ({@code BaseLoadBalancer.postMasterStartupInitialize}).
     */
    @Override
    public void refreshAndWait(Collection<RegionInfo> all) {
        try {
            meter.lockedCallBegins();
            meter.underLock(MasterWork.LOCALITY, () -> refresh(all));
        } catch (Throwable failure) {
            errorHandler.reportsNotRead(failure);
        }
    }

    private void refresh(Collection<RegionInfo> all) {
        List<RegionInfo> given = new ArrayList<>(all);
        given.forEach(regions::add);
        int first = Math.min(ASKED_AT_START, given.size());
        List<RegionInfo> left = new StartupLocalityLoader(given.subList(0, first), locations).waitFor(startWaitMs);
        left.forEach(region -> queue.offer(region, Urgency.MISSING));
        given.subList(first, given.size()).forEach(region -> queue.offer(region, Urgency.MISSING));
        refreshPool.work();
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
}
