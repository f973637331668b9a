// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.heat.HeatModel;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.RegionState.StoreFileBytes;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The state of a cluster in the making, at one time. It makes the state of each region of what is known of it then: its heat,
 * and whether it may be moved.
 *
 * <p>What is added is kept by server and table, so that the snapshot of one table costs no look at the regions of the others:
 * they are one region a server, with the sum of their loads, that may not be moved. A server of doubtful heat is given nothing.
 * Confined to one run.
 */
public final class ClusterStateBuilder {

    private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

    /** A server is given regions while the heat of no more than one in so many of its own is unknown. */
    private static final int MOST_UNKNOWN_ONE_IN = 4;

    private final Function<EncodedRegionName, RegionHeat> heat;
    private final Predicate<EncodedRegionName> isActive;
    private final Map<EncodedRegionName, Pin> remembered;
    private final Map<ServerId, ServerState> servers = new HashMap<>();
    private final Map<ServerId, Map<TableId, List<RegionState>>> regionsByServer = new HashMap<>();
    private final Map<ServerId, double[]> loadByServer = new HashMap<>();
    private final Map<ServerId, HeatCoverage> coverageByServer = new HashMap<>();
    /** What a server has for a table of which it has nothing, as long as it stays so: of thousands of tables that is most often so. */
    private final Map<ServerId, RegionState> otherTablesByServer = new HashMap<>();

    /** How many of a server's regions there are, and of how many the heat is not known. */
    private static final class HeatCoverage {

        private int regions;
        private int unknown;

        /** A server whose heat is not known to a good part looks cooler than it is. */
        private boolean isDoubtful() {
            return unknown * MOST_UNKNOWN_ONE_IN > regions;
        }
    }

    /** Of a cluster whose heat nobody follows: none of it is known. */
    public ClusterStateBuilder() {
        this(region -> new RegionHeat.Unknown(RegionHeat.Reason.NEVER_REPORTED), region -> false, Map.of());
    }

    /** @param remembered why regions stay where they are, of those that do */
    ClusterStateBuilder(HeatModel heat, Map<EncodedRegionName, Pin> remembered) {
        this(heat::heat, heat::isActive, remembered);
    }

    private ClusterStateBuilder(
            Function<EncodedRegionName, RegionHeat> heat,
            Predicate<EncodedRegionName> isActive,
            Map<EncodedRegionName, Pin> remembered) {
        this.heat = heat;
        this.isActive = isActive;
        this.remembered = remembered;
    }

    /** The state of this region for a plan, which is not added by that. */
    public RegionState region(EncodedRegionName region, EncodedRegionName primary, TableId table, LocalBytes local) {
        return region(region, primary, table, local, Optional.empty());
    }

    /**
     * The same, not only for a plan.
     *
     * @param reported what its server reported of its store files
     */
    public RegionState region(
            EncodedRegionName region,
            EncodedRegionName primary,
            TableId table,
            LocalBytes local,
            Optional<StoreFileBytes> reported) {
        RegionHeat ofRegion = heat.apply(region);
        return new RegionState(region, primary, table, ofRegion, pin(region, table, ofRegion), local, reported);
    }

    private Pin pin(EncodedRegionName region, TableId table, RegionHeat ofRegion) {
        if (table.isSystemTable()) {
            return Pin.SYSTEM_TABLE;
        }
        Pin known = remembered.get(region);
        if (known != null) {
            return known;
        }
        if (!(ofRegion instanceof RegionHeat.Known)) {
            return Pin.HEAT_UNKNOWN;
        }
        return isActive.test(region) ? Pin.FREE : Pin.INACTIVE;
    }

    /** There is this server; servers come before their regions. */
    public void add(ServerState server) {
        servers.put(server.server(), server);
        regionsByServer.put(server.server(), new HashMap<>());
        loadByServer.put(server.server(), new double[DIMENSIONS.length]);
        coverageByServer.put(server.server(), new HeatCoverage());
    }

    /** This server has this region. */
    public void add(ServerId server, RegionState region) {
        regionsByServer
                .getOrDefault(server, new HashMap<>())
                .computeIfAbsent(region.table(), first -> new ArrayList<>())
                .add(region);
        change(server, region, 1);
    }

    /** A region was moved by a plan of this run. */
    public void move(EncodedRegionName region, TableId table, ServerId from, ServerId to) {
        List<RegionState> source = regionsByServer.getOrDefault(from, Map.of()).getOrDefault(table, List.of());
        for (int index = 0; index < source.size(); index++) {
            RegionState state = source.get(index);
            if (state.region().equals(region) && regionsByServer.containsKey(to)) {
                source.remove(index);
                change(from, state, -1);
                add(to, state);
                return;
            }
        }
    }

    private void change(ServerId server, RegionState region, int sign) {
        otherTablesByServer.remove(server);
        HeatCoverage coverage = coverage(server);
        coverage.regions += sign;
        coverage.unknown += region.heatKnown() ? 0 : sign;
        double[] sum = load(server);
        for (LoadDimension dimension : DIMENSIONS) {
            sum[dimension.ordinal()] += sign * region.plannedLoad().get(dimension);
        }
    }

    private HeatCoverage coverage(ServerId server) {
        return coverageByServer.computeIfAbsent(server, added -> new HeatCoverage());
    }

    private double[] load(ServerId server) {
        return loadByServer.computeIfAbsent(server, added -> new double[DIMENSIONS.length]);
    }

    private Map<ServerId, ServerState> states() {
        Map<ServerId, ServerState> states = new HashMap<>(servers);
        states.replaceAll((server, state) -> coverage(server).isDoubtful() ? state.receivingNone() : state);
        return states;
    }

    /** All tables at once. */
    public ClusterState all() {
        Map<ServerId, List<RegionState>> regions = new HashMap<>();
        regionsByServer.forEach((server, byTable) -> {
            List<RegionState> ofServer = new ArrayList<>();
            byTable.values().forEach(ofServer::addAll);
            regions.put(server, ofServer);
        });
        return ClusterState.of(regions, states());
    }

    /** One table; what else a server has counts and stays. */
    public ClusterState of(TableId table) {
        Map<ServerId, List<RegionState>> regions = new HashMap<>();
        regionsByServer.forEach((server, byTable) -> {
            List<RegionState> ofServer = new ArrayList<>(byTable.getOrDefault(table, List.of()));
            ofServer.add(
                    ofServer.isEmpty()
                            ? otherTablesByServer.computeIfAbsent(server, first -> others(first, List.of()))
                            : others(server, ofServer));
            regions.put(server, ofServer);
        });
        return ClusterState.of(regions, states());
    }

    private RegionState others(ServerId server, List<RegionState> ofTable) {
        double[] rest = load(server).clone();
        for (RegionState region : ofTable) {
            for (LoadDimension dimension : DIMENSIONS) {
                rest[dimension.ordinal()] -= region.plannedLoad().get(dimension);
            }
        }
        // A difference of sums may come out just below 0.
        LoadVector load = LoadVector.of(dimension -> Math.max(0, rest[dimension.ordinal()]));
        EncodedRegionName name = new EncodedRegionName("other tables on " + server);
        return new RegionState(name, name, new TableId("(other tables)"), load, Pin.OTHER_TABLE, LocalBytes.UNKNOWN);
    }
}
