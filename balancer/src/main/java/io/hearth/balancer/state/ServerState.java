// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.state;

import io.hearth.balancer.state.RegionState.StoreFileBytes;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One server with the regions that it serves. Immutable.
 *
 * @param rack the rack that its host is in; {@link #UNKNOWN_RACK} where it is not known, which tells nothing apart
 * @param capacity how much of every load it can take against the other servers, above 0: a server of capacity 2 has twice
 *     the fair share of a server of capacity 1
 * @param mayReceiveRegions whether it may be given regions; it may always give them away
 * @param draining whether it is decommissioned or on the draining list: it has no fair share, and plans do not count it
 * @param regions sorted by encoded name; none where only {@code totalsAlone} are known
 * @param totalsAlone the totals where the regions were left out; empty where {@code regions} has them
 */
public record ServerState(
        ServerId server,
        String rack,
        double capacity,
        boolean mayReceiveRegions,
        boolean draining,
        List<RegionState> regions,
        Optional<ServerTotals> totalsAlone) {

    /** The rack of a host that nobody has said anything about. */
    public static final String UNKNOWN_RACK = "";

    private static final Comparator<RegionState> BY_REGION = Comparator.comparing(RegionState::region);

    public ServerState {
        if (!(capacity > 0) || Double.isInfinite(capacity)) {
            throw new IllegalArgumentException(
                    "The capacity of " + server + " is " + capacity + ": it must be finite and above 0.");
        }
        regions = isSorted(regions) ? List.copyOf(regions) : sorted(regions);
    }

    /** A server that may be given regions and has none yet. */
    public ServerState(ServerId server, String rack, double capacity) {
        this(server, rack, capacity, true);
    }

    /** A server that has no regions yet. */
    public ServerState(ServerId server, String rack, double capacity, boolean mayReceiveRegions) {
        this(server, rack, capacity, mayReceiveRegions, false, List.of(), Optional.empty());
    }

    /** A server like any other, in a rack that is not known, without regions. */
    public static ServerState of(ServerId server) {
        return new ServerState(server, UNKNOWN_RACK, 1);
    }

    private static boolean isSorted(List<RegionState> regions) {
        for (int index = 1; index < regions.size(); index++) {
            if (BY_REGION.compare(regions.get(index - 1), regions.get(index)) > 0) {
                return false;
            }
        }
        return true;
    }

    private static List<RegionState> sorted(Collection<RegionState> regions) {
        RegionState[] sorted = regions.toArray(RegionState[]::new);
        Arrays.sort(sorted, BY_REGION);
        return List.of(sorted);
    }

    /** The same server, which may only give regions away. */
    public ServerState receivingNone() {
        return new ServerState(server, rack, capacity, false, draining, regions, totalsAlone);
    }

    /** The same server, which is being emptied. */
    public ServerState beingDrained() {
        return new ServerState(server, rack, capacity, mayReceiveRegions, true, regions, totalsAlone);
    }

    /** The same server with these regions, in any order. */
    public ServerState withRegions(Collection<RegionState> served) {
        return new ServerState(server, rack, capacity, mayReceiveRegions, draining, sorted(served), Optional.empty());
    }

    /** The same server with these totals alone. */
    public ServerState withTotals(ServerTotals totals) {
        return new ServerState(server, rack, capacity, mayReceiveRegions, draining, List.of(), Optional.of(totals));
    }

    /** What its regions come to; added up at each call where the regions are known. */
    public ServerTotals totals() {
        return totalsAlone.orElseGet(() -> ServerTotals.of(regions));
    }

    /**
     * What all regions of one server come to. Immutable.
     *
     * @param regions how many there are
     * @param unknownHeat of how many the heat is not known
     * @param plannedLoad what plans count
     * @param measuredLoad what was measured, with the first rates of regions whose heat is not known yet
     * @param recentRequestsPerSecond reads and writes by the recent rates
     * @param reported what the server reported of their store files
     */
    public record ServerTotals(
            int regions,
            int unknownHeat,
            LoadVector plannedLoad,
            LoadVector measuredLoad,
            double recentRequestsPerSecond,
            StoreFileBytes reported) {

        /** What these regions come to. */
        public static ServerTotals of(Collection<RegionState> regions) {
            double[] planned = new double[LoadDimension.values().length];
            double[] measured = new double[planned.length];
            int unknown = 0;
            double recent = 0;
            StoreFileBytes reported = StoreFileBytes.NONE;
            for (RegionState region : regions) {
                add(planned, region.plannedLoad());
                add(measured, region.measuredLoad());
                unknown += region.heatKnown() ? 0 : 1;
                recent += region.recentRequestsPerSecond().orElse(0);
                reported = reported.plus(region.reported().orElse(StoreFileBytes.NONE));
            }
            return new ServerTotals(
                    regions.size(),
                    unknown,
                    LoadVector.of(dimension -> planned[dimension.ordinal()]),
                    LoadVector.of(dimension -> measured[dimension.ordinal()]),
                    recent,
                    reported);
        }

        private static void add(double[] sums, LoadVector load) {
            for (LoadDimension dimension : LoadDimension.values()) {
                sums[dimension.ordinal()] += load.get(dimension);
            }
        }
    }
}
