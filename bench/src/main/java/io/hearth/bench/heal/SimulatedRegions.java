// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.spi.Assignments;
import io.hearth.healer.spi.Observed;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The regions of a cluster as its master sees them on simulated time: nobody moves them, and what a RegionServer reports of their
 * locality is as old as its last look at its open files, which comes every {@value #REPORT_MICROS} µs. Not thread-safe.
 */
final class SimulatedRegions implements Assignments {

    /** HBase's default of hbase.locality.inputstream.derive.cache.period, where deriving is switched on. */
    static final long REPORT_MICROS = 60_000_000;

    private final LargeCluster cluster;
    private final SimulatedTime time;
    private final Map<EncodedRegionName, ServedRegion> servedById = new LinkedHashMap<>();
    private final Map<EncodedRegionName, Long> localBytesById = new HashMap<>();
    private final Map<ServerId, Set<EncodedRegionName>> changedByServer = new HashMap<>();
    private final Set<EncodedRegionName> remoteRegions = new HashSet<>();
    private final Map<String, Long> remoteBytesByHost = new HashMap<>();
    private AssignmentSnapshot snapshot = AssignmentSnapshot.EMPTY;
    private boolean isStale = true;
    private int remoteBlocks;
    private long remoteBytes;
    private long localSinceMicros;

    SimulatedRegions(LargeCluster cluster, SimulatedTime time) {
        this.cluster = cluster;
        this.time = time;
        for (ServedRegion region : cluster.assignmentSnapshot().servedById().values()) {
            ReportedLocality written = region.reported().orElseThrow();
            servedById.put(
                    region.region(), written.nonLocalBytes() == 0 ? region : reassigned(region, written.totalBytes()));
        }
    }

    private ServedRegion reassigned(ServedRegion region, long totalBytes) {
        String host = region.server().host();
        long bytes = 0;
        for (StoreFile file : cluster.files(region.region())) {
            for (BlockReplicas block : file.blocks()) {
                if (!block.isLocalTo(host)) {
                    bytes += block.lengthBytes();
                    remoteBlocks++;
                }
            }
        }
        remoteBytes += bytes;
        remoteBytesByHost.merge(host, bytes, Long::sum);
        localBytesById.put(region.region(), totalBytes - bytes);
        if (bytes > 0) {
            remoteRegions.add(region.region());
        }
        return withLocality(region, totalBytes - bytes);
    }

    @Override
    public Observed<AssignmentSnapshot> snapshot() {
        if (isStale) {
            isStale = false;
            snapshot = AssignmentSnapshot.of(servedById.values(), List.of());
        }
        return Observed.known(snapshot);
    }

    @Override
    public RegionHeat heat(EncodedRegionName region) {
        return FullClusterPlanning.heat(cluster.readsPerSecond(region));
    }

    /** A replica has come to the host of its region's server. */
    void copied(BlockMove move) {
        localBytesById.merge(move.region(), move.lengthBytes(), Long::sum);
        localSinceMicros = time.nowMicros();
        ServerId server =
                Optional.ofNullable(servedById.get(move.region())).orElseThrow().server();
        changedByServer
                .computeIfAbsent(server, unused -> {
                    long phaseMicros = Math.floorMod(server.hashCode() * 31_337L, REPORT_MICROS);
                    long sinceMicros = Math.floorMod(time.nowMicros() - phaseMicros, REPORT_MICROS);
                    time.after(REPORT_MICROS - sinceMicros, () -> report(server));
                    return new LinkedHashSet<>();
                })
                .add(move.region());
    }

    /** The blocks that were not local in the beginning. */
    int remoteBlocks() {
        return remoteBlocks;
    }

    long remoteBytes() {
        return remoteBytes;
    }

    /** The regions that had such blocks. */
    Set<EncodedRegionName> remoteRegions() {
        return remoteRegions;
    }

    /** The bytes that were to come to each host in the beginning. */
    Map<String, Long> remoteBytesByHost() {
        return Collections.unmodifiableMap(remoteBytesByHost);
    }

    /** When the last copy came to its region. */
    long localSinceMicros() {
        return localSinceMicros;
    }

    private void report(ServerId server) {
        for (EncodedRegionName region :
                Optional.ofNullable(changedByServer.remove(server)).orElse(Set.of())) {
            servedById.computeIfPresent(
                    region, (id, known) -> withLocality(known, localBytesById.getOrDefault(id, 0L)));
        }
        isStale = true;
    }

    private static ServedRegion withLocality(ServedRegion region, long localBytes) {
        long totalBytes = region.reported().orElseThrow().totalBytes();
        return new ServedRegion(
                region.region(),
                region.table(),
                region.rank(),
                region.mode(),
                region.server(),
                Optional.of(new ReportedLocality(localBytes, totalBytes)));
    }
}
