// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.engine.BalanceEngine.PlanInput;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a plan was made from, in half of its memory: it is kept until the next plan that has moves, and hardly ever read. A region
 * takes some 170 bytes here, and 360 in a {@link ClusterState}. What servers reported of store files, which no plan's state has, is not
 * kept. Immutable.
 */
final class CompactPlanInput {

    private final ClusterState withoutRegions;
    private final List<ServerRegions> regionsByServer = new ArrayList<>();
    private final PlanGoals goals;
    private final long atMs;

    CompactPlanInput(PlanInput input) {
        goals = input.goals();
        atMs = input.atMs();
        List<ServerState> servers = new ArrayList<>();
        for (ServerState server : input.snapshot().servers()) {
            regionsByServer.add(new ServerRegions(server.regions()));
            servers.add(server.withRegions(List.of()));
        }
        withoutRegions = with(input.snapshot(), servers);
    }

    /** The same as it was, made anew at each call. */
    PlanInput planInput() {
        List<ServerState> servers = new ArrayList<>();
        for (int server = 0; server < regionsByServer.size(); server++) {
            servers.add(withoutRegions
                    .server(server)
                    .withRegions(regionsByServer.get(server).states()));
        }
        return new PlanInput(with(withoutRegions, servers), goals, atMs);
    }

    private static ClusterState with(ClusterState state, List<ServerState> servers) {
        return new ClusterState(state.atMs(), state.source(), state.hbaseVersion(), servers);
    }

    /** The regions of one server, with a column for each thing that is known of them. */
    private static final class ServerRegions {

        private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

        // Of known heat: what a read costs, and four loads.
        private static final int LOAD = 1;
        private static final int RECENT = LOAD + DIMENSIONS.length;
        private static final int LAST = RECENT + DIMENSIONS.length;
        private static final int PLANNED = LAST + DIMENSIONS.length;
        private static final int NUMBERS = PLANNED + DIMENSIONS.length;

        private final EncodedRegionName[] names;
        private final EncodedRegionName[] primaries;
        private final TableId[] tables;
        private final Pin[] pins;
        private final LocalBytes[] blocks;
        private final double[] heats;
        private final Map<Integer, RegionHeat> unknownHeats = new HashMap<>();

        ServerRegions(List<RegionState> regions) {
            names = regions.stream().map(RegionState::region).toArray(EncodedRegionName[]::new);
            primaries = regions.stream().allMatch(region -> region.primary().equals(region.region()))
                    ? names
                    : regions.stream().map(RegionState::primary).toArray(EncodedRegionName[]::new);
            tables = regions.stream().map(RegionState::table).toArray(TableId[]::new);
            pins = regions.stream().map(RegionState::pin).toArray(Pin[]::new);
            blocks = regions.stream().map(RegionState::bytesByHost).toArray(LocalBytes[]::new);
            heats = new double[NUMBERS * regions.size()];
            for (int region = 0; region < names.length; region++) {
                put(region, regions.get(region).heat());
            }
        }

        private void put(int region, RegionHeat heat) {
            if (heat instanceof RegionHeat.Known known) {
                heats[NUMBERS * region] = known.readCost();
                put(region, LOAD, known.load());
                put(region, RECENT, known.recent());
                put(region, LAST, known.last());
                put(region, PLANNED, known.planned());
            } else {
                unknownHeats.put(region, heat);
            }
        }

        private void put(int region, int which, LoadVector load) {
            for (LoadDimension dimension : DIMENSIONS) {
                heats[NUMBERS * region + which + dimension.ordinal()] = load.get(dimension);
            }
        }

        Collection<RegionState> states() {
            List<RegionState> states = new ArrayList<>(names.length);
            for (int region = 0; region < names.length; region++) {
                states.add(new RegionState(
                        names[region],
                        primaries[region],
                        tables[region],
                        heat(region),
                        pins[region],
                        blocks[region],
                        Optional.empty()));
            }
            return states;
        }

        private RegionHeat heat(int region) {
            RegionHeat unknown = unknownHeats.get(region);
            return unknown != null
                    ? unknown
                    : new RegionHeat.Known(
                            load(region, LOAD),
                            load(region, RECENT),
                            load(region, LAST),
                            heats[NUMBERS * region],
                            load(region, PLANNED));
        }

        private LoadVector load(int region, int which) {
            return LoadVector.of(dimension -> heats[NUMBERS * region + which + dimension.ordinal()]);
        }
    }
}
