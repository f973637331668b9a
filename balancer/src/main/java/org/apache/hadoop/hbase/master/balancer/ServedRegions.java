// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.heat.ingest.ReportOrder;
import io.hearth.common.model.EncodedRegionName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The regions that are followed, by name, with the host and the locality that were last reported of each: a report has the name
 * of a region and not what it takes to ask about it. A region that no server has reported, now and an hour ago, is forgotten:
 * those of a dead server are missing for minutes. Regions may be added and looked up by any thread; reports come one at a time.
 */
@NullMarked
final class ServedRegions {

    private static final long FORGET_EVERY_MS = TimeUnit.HOURS.toMillis(1);
    private static final float LEAST_CHANGE = 0.0001f;

    private final Map<EncodedRegionName, Followed> followedById = new ConcurrentHashMap<>();
    private final ReportOrder<ServerName, byte[], Followed> reportOrder =
            new ReportOrder<>((followed, name) -> Arrays.equals(followed.region.getRegionName(), name));
    private Set<EncodedRegionName> unreported = Set.of();
    private boolean hasLooked;
    private long lookedMs;

    /** A region that is followed, and what was last reported of it. */
    static final class Followed {

        private final RegionInfo region;
        private volatile @Nullable Reported reported;

        private Followed(RegionInfo region) {
            this.region = region;
        }

        RegionInfo region() {
            return region;
        }

        /**
         * Takes what was reported of it; says whether it is another locality than before.
         *
         * @param host of its server
         * @param locality local bytes per byte
         */
        boolean hasChanged(String host, float locality) {
            Reported before = reported;
            if (before == null
                    || before.locality() != locality
                    || !before.host().equals(host)) {
                reported = new Reported(host, locality);
            }
            return before != null && Math.abs(before.locality() - locality) > LEAST_CHANGE;
        }
    }

    private record Reported(String host, float locality) {}

    /** Follows this region; says whether it is new. */
    boolean add(RegionInfo region) {
        return followedById.putIfAbsent(HBaseNames.region(region), new Followed(region)) == null;
    }

    Optional<Followed> get(EncodedRegionName id) {
        return Optional.ofNullable(followedById.get(id));
    }

    Set<RegionInfo> all() {
        return followedById.values().stream().map(Followed::region).collect(Collectors.toSet());
    }

    /**
     * Takes a server's report.
     *
     * @param followed is shown each region that is followed, with what is reported of it
     * @param unknown takes the others
     */
    void report(
            ServerName server,
            Collection<RegionMetrics> report,
            BiConsumer<Followed, RegionMetrics> followed,
            Consumer<EncodedRegionName> unknown) {
        ReportOrder<ServerName, byte[], Followed>.Cursor cursor = reportOrder.of(server);
        List<Followed> inOrder = new ArrayList<>(report.size());
        for (RegionMetrics region : report) {
            Followed next = cursor.find(region.getRegionName());
            if (next == null) {
                EncodedRegionName id = HBaseNames.region(region.getRegionName());
                next = followedById.get(id);
                if (next == null) {
                    unknown.accept(id);
                    continue;
                }
            }
            inOrder.add(next);
            followed.accept(next, region);
        }
        reportOrder.put(server, inOrder);
    }

    /** Forgets the reports of every server that is not among these. */
    void retainServers(Set<ServerName> live) {
        reportOrder.retainServers(live);
    }

    /** The host whose server reports that all of this region is local, where this says that it is not. */
    Optional<String> hostWithStaleLocality(EncodedRegionName id, HDFSBlocksDistribution blocks) {
        return get(id).map(followed -> followed.reported)
                .filter(word -> word.locality() >= 1)
                .map(Reported::host)
                .filter(host -> blocks.getWeight(host) < blocks.getUniqueBlocksTotalWeight());
    }

    /** Whether {@link #forget} has something to do: once an hour. */
    boolean isTimeToForget(long nowMs) {
        return !hasLooked || nowMs < lookedMs || nowMs - lookedMs >= FORGET_EVERY_MS;
    }

    /** Forgets what is no longer served; says whether it was time. */
    boolean forget(Set<EncodedRegionName> reported, long nowMs) {
        if (!isTimeToForget(nowMs)) {
            return false;
        }
        hasLooked = true;
        lookedMs = nowMs;
        Set<EncodedRegionName> gone = new HashSet<>(followedById.keySet());
        gone.removeAll(reported);
        Set<EncodedRegionName> forgotten = new HashSet<>(gone);
        forgotten.retainAll(unreported);
        unreported = gone;
        if (followedById.keySet().removeAll(forgotten)) {
            reportOrder.clear();
        }
        return true;
    }
}
