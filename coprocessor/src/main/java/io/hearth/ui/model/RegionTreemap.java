// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.RegionState.StoreFileBytes;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.LoadDimension;
import java.util.ArrayList;
import java.util.List;

/**
 * Every region of the cluster as a cell of one picture, server by server. Immutable.
 *
 * @param firstOfServer the first cell of each server, in the order of the page's servers
 * @param regions the cells
 * @param left how many regions were left out because there are more than {@value #MAX_REGIONS}
 */
public record RegionTreemap(List<Integer> firstOfServer, List<RegionState> regions, int left) {

    /** More than this no screen can show. */
    public static final int MAX_REGIONS = 200_000;

    private static final int PERCENT = 100;

    public RegionTreemap {
        firstOfServer = List.copyOf(firstOfServer);
        regions = List.copyOf(regions);
    }

    /** The cells of these servers; where there are more than {@code most}, each server has its part of that. */
    static RegionTreemap of(List<ServerState> servers, int most) {
        int all = servers.stream().mapToInt(server -> server.regions().size()).sum();
        double part = all <= most ? 1 : (double) most / all;
        List<Integer> first = new ArrayList<>();
        List<RegionState> regions = new ArrayList<>();
        for (ServerState server : servers) {
            first.add(regions.size());
            int shown = (int) (server.regions().size() * part);
            regions.addAll(server.regions().subList(0, shown));
        }
        return new RegionTreemap(first, regions, all - regions.size());
    }

    /** Reads and writes a second of this cell over the long horizon; below 0 where heat is not known. */
    public static double requestsPerSecond(RegionState region) {
        return region.heatKnown()
                ? region.measuredLoad().get(LoadDimension.READS)
                        + region.measuredLoad().get(LoadDimension.WRITES)
                : -1;
    }

    /** The local percent of this cell's bytes, rounded down so that 100 means all of them; below 0 where nobody said. */
    public static long localPercent(RegionState region) {
        StoreFileBytes stored = region.reported().orElse(StoreFileBytes.NONE);
        return stored.blockBytes() <= 0
                ? -1
                : Math.min(stored.localBytes(), stored.blockBytes()) * PERCENT / stored.blockBytes();
    }
}
