// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.placement;

import io.hearth.balancer.placement.Placement.PlacedRegion;
import io.hearth.balancer.placement.Placement.Reason;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Gives each region without a server to the server that holds most of its bytes and has room for it.
 *
 * <p><b>Goals.</b> As many bytes as can be are local from the first read on, so that little is left to heal; the heat of a dead
 * hot server spreads.
 *
 * <p><b>Constraints.</b> Every region lands on one of the given servers. While any server has room for a region, it lands on
 * one with room: below the caps on load (a multiple of the fair share, by capacity) and on the number of regions. A server
 * takes at most {@code intakeFactor} times its even share of what is placed at once (or 4), while others have room: an empty
 * server is cold, and to open everything there at once would be slow. The same input in any order gives the same placement.
 *
 * <p><b>Algorithm.</b> Regions in the order of their largest share of a server's fair load, hottest first, as small ones fit
 * into what room is left. Each goes to the server with room that holds most of its bytes; where none holds any, or nobody
 * knows, to the one with room that stays farthest below its caps ({@link HeadroomIndex#utilization}); where no server has room, to the
 * one that does so among those below the cap on the number of regions, of which there always is one. One look at each host
 * with bytes, or at each server where those are full.
 *
 * <p><b>Example.</b> A (heat 10), B (10) and C (0) are to take regions of heat 6, 3 and 1, whose bytes are all on A, at a cap of
 * 1.2. The fair share is (10 + 10 + 0 + 6 + 3 + 1) / 3 = 10, the cap 12. The region of 6 does not fit on A, nor on B, and goes
 * to C; the region of 3 fits on C only; the region of 1 goes to A, where its bytes are.
 *
 * <p>A pure function; thread-safe.
 */
public final class RegionPlacer {

    private RegionPlacer() {}

    /**
     * Where these regions land.
     *
     * @throws IllegalArgumentException if there are no servers
     */
    public static Placement place(
            Collection<ServerHeadroom> servers, Collection<UnassignedRegion> regions, PlacementConstraints rules) {
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("There are no servers to place " + regions.size() + " regions on.");
        }
        HeadroomIndex headrooms = new HeadroomIndex(servers, regions, rules);
        List<PlacedRegion> placed = new ArrayList<>(regions.size());
        for (UnassignedRegion region : hottestFirst(regions, headrooms)) {
            placed.add(place(region, headrooms));
        }
        return new Placement(placed);
    }

    private static List<UnassignedRegion> hottestFirst(Collection<UnassignedRegion> regions, HeadroomIndex headrooms) {
        record Ranked(UnassignedRegion region, double share) {}
        return regions.stream()
                .map(region -> new Ranked(region, headrooms.largestShare(region.load())))
                .sorted(Comparator.comparingDouble(Ranked::share).reversed().thenComparing(ranked -> ranked.region()
                        .region()))
                .map(Ranked::region)
                .toList();
    }

    private static PlacedRegion place(UnassignedRegion region, HeadroomIndex headrooms) {
        OptionalInt best = mostBytes(region, headrooms);
        Reason reason = Reason.MOST_BYTES;
        if (best.isEmpty()) {
            best = headrooms.mostRoom(region.load());
            reason = Reason.MOST_HEADROOM;
        }
        int server = best.orElseGet(() -> headrooms.leastFull(region.load()));
        headrooms.add(server, region.load());
        return placed(region, headrooms.server(server), best.isPresent() ? reason : Reason.NO_HEADROOM);
    }

    private static OptionalInt mostBytes(UnassignedRegion region, HeadroomIndex headrooms) {
        int best = -1;
        long bestBytes = 0;
        for (Map.Entry<String, Long> host : region.local().bytesByHost().entrySet()) {
            long bytes = host.getValue();
            if (bytes == 0 || bytes < bestBytes) {
                continue;
            }
            for (int server : headrooms.serversOn(host.getKey())) {
                if (headrooms.hasRoom(server, region.load())
                        && (bytes > bestBytes || headrooms.isLessFull(server, best, region.load()))) {
                    best = server;
                    bestBytes = bytes;
                }
            }
        }
        return best < 0 ? OptionalInt.empty() : OptionalInt.of(best);
    }

    private static PlacedRegion placed(UnassignedRegion region, ServerId server, Reason reason) {
        return new PlacedRegion(
                region.region(),
                server,
                reason,
                region.local().on(server.host()).orElse(0),
                region.local().totalBytes().orElse(0));
    }
}
