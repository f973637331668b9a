// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.util.List;

/**
 * What HBase knows of itself as a whole. Immutable.
 *
 * @param backupMasters those that wait to become active
 * @param deadServers as {@code host:port}, RegionServers that the HMaster counts as dead, and in whose place none serves
 * @param balancerOn what {@code balance_switch} was last told
 * @param replicatedTables tables whose regions have replicas
 * @param hotRegions those with more requests than a server's fair share, the hottest first
 */
public record ProbedHBase(
        List<ProbedMaster> backupMasters,
        List<String> deadServers,
        ProbeResult<Boolean> balancerOn,
        ProbeResult<List<String>> replicatedTables,
        ProbeResult<List<HotRegion>> hotRegions) {

    public ProbedHBase {
        backupMasters = List.copyOf(backupMasters);
        deadServers = deadServers.stream().sorted().toList();
    }

    /**
     * A region that no balancer can make room for.
     *
     * @param share of the requests that a server should have: 1 is fair
     */
    public record HotRegion(String region, String table, String host, double requestsPerSecond, double share) {}

    /**
     * An HMaster. Immutable.
     *
     * @param java the version of its Java, as {@code 17}
     * @param loadedCoprocessors the classes that it has loaded, each by the last part of its name, which is all that HBase tells
     */
    public record ProbedMaster(
            String host,
            String version,
            ProbeResult<String> java,
            ProbeResult<ProcessConfig> settings,
            ProbeResult<List<String>> loadedCoprocessors) {

        /** A backup HMaster, which loads coprocessors only when it becomes active. */
        public ProbedMaster(
                String host, String version, ProbeResult<String> java, ProbeResult<ProcessConfig> settings) {
            this(host, version, java, settings, ProbeResult.unknown("it is not active"));
        }
    }

    /**
     * A RegionServer that serves. Immutable.
     *
     * @param rack as the HMaster has it
     * @param heapBytes the most that its heap can grow to
     * @param stores of all its regions: regions times families
     * @param mostStoreFilesOfAStore of the region with the most files for each of its stores, rounded up
     * @param counters what it has counted since it started
     * @param recentLocalReads what it read from its own host while the doctor watched
     * @param clockSkewMs how far its clock is ahead of the HMaster's, to a second; below 0 behind
     */
    public record ProbedRegionServer(
            String host,
            ProbeResult<String> version,
            ProbeResult<String> rack,
            ProbeResult<ProcessConfig> settings,
            long heapBytes,
            int regions,
            int stores,
            int storeFiles,
            int mostStoreFilesOfAStore,
            long memstoreBytes,
            ProbeResult<ServerCounters> counters,
            ProbeResult<LocalReads> recentLocalReads,
            ProbeResult<Long> clockSkewMs) {}

    /**
     * What a RegionServer counts about itself, from its {@code /jmx} page; since it started where nothing else is said. Immutable.
     *
     * @param localBytesRead read from replicas on the same host
     * @param shortCircuitBytesRead those of them that were read without the DataNode
     * @param meanFlushBytes the mean of the last flushes, by HBase's histogram; 0 where there was none
     * @param compactionQueue compactions that wait just now
     * @param hedgedReads second requests that a hedged read has sent
     * @param hedgedWins those of them that were faster than the first
     */
    public record ServerCounters(
            long localBytesRead,
            long shortCircuitBytesRead,
            long flushes,
            long meanFlushBytes,
            long compactionQueue,
            long hedgedReads,
            long hedgedWins) {}

    /**
     * What a RegionServer read from the replicas of its own host while the doctor watched. Immutable.
     *
     * @param shortCircuitBytes those of the bytes that were read without the DataNode
     */
    public record LocalReads(long bytes, long shortCircuitBytes, long overMs) {}
}
