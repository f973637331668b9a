// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

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
}
