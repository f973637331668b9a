// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Which regions of some tables each server has, as {@code hbase:meta} says: those of a server that has died are its own until another one
 * serves them. Replicas are left out. Immutable.
 *
 * @param regionsByServer in the order of their keys, by {@code host:port}
 */
record RegionsByServer(Map<String, List<RegionInfo>> regionsByServer) {

    static final RegionsByServer NONE = new RegionsByServer(Map.of());

    static RegionsByServer of(List<HRegionLocation> locations) {
        Map<String, List<RegionInfo>> regions = new TreeMap<>();
        locations.stream()
                .filter(location -> location.getServerName() != null)
                .filter(location -> location.getRegion().getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID)
                .sorted(Comparator.comparing(HRegionLocation::getRegion, RegionInfo.COMPARATOR))
                .forEach(location -> regions.computeIfAbsent(
                                target(location.getServerName()), server -> new ArrayList<>())
                        .add(location.getRegion()));
        return new RegionsByServer(regions);
    }

    /** The name of this server as a target of probes: the same after it was restarted. */
    static String target(ServerName server) {
        return server.getHostname() + ":" + server.getPort();
    }

    Set<String> servers() {
        return regionsByServer.keySet();
    }

    /** Those of this server; none if it has none. */
    List<RegionInfo> of(String server) {
        return regionsByServer.getOrDefault(server, List.of());
    }
}
