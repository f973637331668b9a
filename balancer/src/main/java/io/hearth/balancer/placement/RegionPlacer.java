// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.placement;

import io.hearth.balancer.placement.Placement.PlacedRegion;
import io.hearth.balancer.placement.Placement.Reason;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
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

    /**
     * What a placement keeps to. Immutable.
     *
     * @param capByDimension one cap for each dimension of load that matters
     * @param regionCountSlop how far a server's number of regions may be above the mean, as a share of it; below 0 means that the
     *     number does not matter (HBase's {@code hbase.regions.slop})
     * @param maxBurstFactor how many times its even share of the regions placed at once one server may take, at least 1
     */
    public record PlacementConstraints(
            Map<LoadDimension, LoadCap> capByDimension, double regionCountSlop, double maxBurstFactor) {

        public PlacementConstraints {
            capByDimension = Map.copyOf(capByDimension);
            if (!(maxBurstFactor >= 1)) {
                throw new IllegalArgumentException(
                        "The intake factor is " + maxBurstFactor + ": it must be at least 1.");
            }
        }

        /**
         * The cap in one dimension. Immutable.
         *
         * @param overFairShare how many times its fair share a server may come to, at least 1
         * @param minMean mean load of a server below which the dimension does not matter, in the dimension's unit
         */
        public record LoadCap(double overFairShare, double minMean) {

            public LoadCap {
                if (!(overFairShare >= 1)) {
                    throw new IllegalArgumentException("A cap of " + overFairShare
                            + " times the fair share can't be kept: it must be at least 1.");
                }
            }
        }
    }

    /**
     * A server that may be given regions, with what it has. Immutable.
     *
     * @param load the load of the regions that it has
     * @param regions how many regions it has
     * @param arrivals how many of them were given to it so lately that its last report does not show them
     * @param capacity how much load it can take against the other servers, above 0
     * @param hottest the loads of its hottest regions: one that is above a fair share alone says nothing of what is fair for others
     */
    public record ServerHeadroom(
            ServerId server, LoadVector load, int regions, int arrivals, double capacity, List<LoadVector> hottest) {

        /** A server without a region that is above a fair share alone. */
        public ServerHeadroom(ServerId server, LoadVector load, int regions, int arrivals, double capacity) {
            this(server, load, regions, arrivals, capacity, List.of());
        }

        /** A server of capacity 1 to which nothing was given lately. */
        public ServerHeadroom(ServerId server, LoadVector load, int regions) {
            this(server, load, regions, 0, 1);
        }

        public ServerHeadroom {
            hottest = List.copyOf(hottest);
            if (!(capacity > 0) || Double.isInfinite(capacity)) {
                throw new IllegalArgumentException(
                        "The capacity of " + server + " is " + capacity + ": it must be finite and above 0.");
            }
        }
    }

    /**
     * A region without a server. Immutable.
     *
     * @param load the load that it will bring, as it counts
     * @param local which host holds how many of its bytes
     */
    public record UnassignedRegion(EncodedRegionName region, LoadVector load, LocalBytes local) {}
}
