// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** The servers and regions of a simulated cluster as they are now. Mutable; confined to one {@link Simulation}. */
final class SimCluster {

    private final List<SimServer> servers = new ArrayList<>();
    private final Map<EncodedRegionName, SimRegion> regionById = new TreeMap<>();

    void add(SimServer server) {
        servers.add(server);
    }

    void add(SimRegion region) {
        regionById.put(region.id, region);
    }

    void remove(SimRegion region) {
        regionById.remove(region.id);
    }

    int size() {
        return servers.size();
    }

    /** The server with this number, from 1. */
    SimServer server(int number) {
        return servers.get(number - 1);
    }

    Optional<SimServer> server(ServerId id) {
        return live().stream().filter(server -> server.id().equals(id)).findFirst();
    }

    List<SimServer> live() {
        return servers.stream().filter(SimServer::isAlive).toList();
    }

    Optional<SimRegion> region(EncodedRegionName id) {
        return Optional.ofNullable(regionById.get(id));
    }

    /** The regions that are open on this server, sorted. */
    List<SimRegion> regionsOf(SimServer server) {
        List<SimRegion> regions = new ArrayList<>();
        for (SimRegion region : regionById.values()) {
            if (region.isOn(server)) {
                regions.add(region);
            }
        }
        return regions;
    }

    boolean hasRegionOnItsWay() {
        return regionById.values().stream().anyMatch(region -> region.server().isEmpty());
    }

    /** The report that a server made at this time, at most seconds ago, with the regions that were open there then. */
    ServerReport report(SimServer server, long timeMs) {
        List<RegionReport> regions = new ArrayList<>();
        for (SimRegion region : regionById.values()) {
            region.report(server, timeMs).ifPresent(regions::add);
        }
        return new ServerReport(server.id(), SimServer.EPOCH_MS + timeMs, regions);
    }

    /**
     * Which live server serves which regions, as the master knows it: nothing of what they serve.
     *
     * @param localBytes what is known of where a region's bytes are
     */
    ClusterState assignments(Function<SimRegion, LocalBytes> localBytes) {
        return new ClusterState(
                0,
                "the simulator",
                ClusterState.UNKNOWN,
                live().stream()
                        .map(server -> server.state().withRegions(assigned(server, localBytes)))
                        .toList());
    }

    private List<RegionState> assigned(SimServer server, Function<SimRegion, LocalBytes> localBytes) {
        return regionsOf(server).stream()
                .map(region -> new RegionState(
                        region.id,
                        region.primary,
                        region.table,
                        LoadVector.ZERO,
                        Pin.HEAT_UNKNOWN,
                        localBytes.apply(region)))
                .toList();
    }

    /** The true max/mean over the live servers, each against its capacity. */
    Map<LoadDimension, Double> maxOverMean(long nowMs) {
        Map<SimServer, double[]> loads = new HashMap<>();
        live().forEach(server -> loads.put(server, new double[LoadDimension.values().length]));
        for (SimRegion region : regionById.values()) {
            region.server().map(loads::get).ifPresent(load -> {
                for (LoadDimension dimension : LoadDimension.values()) {
                    load[dimension.ordinal()] += region.load(dimension, nowMs);
                }
            });
        }
        Map<LoadDimension, Double> all = new EnumMap<>(LoadDimension.class);
        for (LoadDimension dimension : LoadDimension.values()) {
            all.put(dimension, maxOverMean(loads, dimension.ordinal()));
        }
        return all;
    }

    private static double maxOverMean(Map<SimServer, double[]> loads, int dimension) {
        double load = 0;
        double capacity = 0;
        for (Map.Entry<SimServer, double[]> server : loads.entrySet()) {
            load += server.getValue()[dimension];
            capacity += server.getKey().capacity();
        }
        double largest = 1;
        for (Map.Entry<SimServer, double[]> server : loads.entrySet()) {
            if (load > 0) {
                largest = Math.max(
                        largest, server.getValue()[dimension] / server.getKey().capacity() / (load / capacity));
            }
        }
        return largest;
    }

    /** Whether some server serves two regions of one primary. */
    boolean hasReplicasTogether() {
        for (SimServer server : live()) {
            Set<EncodedRegionName> primaries = new HashSet<>();
            for (SimRegion region : regionsOf(server)) {
                if (!primaries.add(region.primary)) {
                    return true;
                }
            }
        }
        return false;
    }
}
