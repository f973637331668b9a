package io.hearth.balancer.search;

import io.hearth.balancer.cost.ServerLoads;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.snapshot.RegionState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the next move or exchange on a simulated cluster. Scratch of one search; not thread-safe. */
final class MoveFinder {

    /** How many of a server's hottest regions are tried for an exchange. */
    private static final int SWAP_CANDIDATES = 8;

    /** How many of the coolest servers are tried for an exchange. */
    private static final int SWAP_SERVERS = 4;

    private final PlanSimulation simulation;
    private final ServerLoads loads;
    private final Set<RegionId> moved;

    /** @param moved the regions that this plan has moved already; they stay where they are */
    MoveFinder(PlanSimulation simulation, Set<RegionId> moved) {
        this.simulation = simulation;
        this.loads = simulation.loads();
        this.moved = moved;
    }

    /** One region on its way; the gain is in squared multiples of the mean, weighted, and may be negative. */
    record Candidate(RegionState region, int from, int to, double gain) {}

    /** Two regions that change places. */
    record Swap(RegionState given, RegionState taken, int to, double gain) {}

    /** Whether a server may be a target. */
    interface TargetRule {
        boolean allows(int to);
    }

    /** The move of one of this server's free regions that gains most, of those to an allowed target. */
    Optional<Candidate> best(int from, TargetRule rule) {
        Candidate best = null;
        for (int to = 0; to < simulation.servers(); to++) {
            if (to == from || !rule.allows(to)) {
                continue;
            }
            for (RegionState region : simulation.regionsOf(from)) {
                double gain = loads.gainOfMove(region.load(), from, to);
                if (isFree(region) && (best == null || gain > best.gain)) {
                    best = new Candidate(region, from, to, gain);
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /** The exchange that gains most, of this server's hottest regions in the dimension with the coolest servers. */
    Optional<Swap> bestSwap(int from, LoadDimension dimension) {
        Swap best = null;
        for (RegionState given : hottestFree(from, dimension)) {
            for (int to : coolestServers(from, dimension)) {
                for (RegionState taken : simulation.regionsOf(to)) {
                    double gain = loads.gainOfSwap(given.load(), taken.load(), from, to);
                    if (isFree(taken) && (best == null || gain > best.gain)) {
                        best = new Swap(given, taken, to, gain);
                    }
                }
            }
        }
        return Optional.ofNullable(best);
    }

    private boolean isFree(RegionState region) {
        return region.isFree() && !moved.contains(region.region());
    }

    private List<RegionState> hottestFree(int server, LoadDimension dimension) {
        return simulation.regionsOf(server).stream()
                .filter(this::isFree)
                .sorted(Comparator.comparingDouble(
                                (RegionState region) -> -region.load().get(dimension))
                        .thenComparing(RegionState::region))
                .limit(SWAP_CANDIDATES)
                .toList();
    }

    private List<Integer> coolestServers(int from, LoadDimension dimension) {
        List<Integer> servers = new ArrayList<>();
        for (int server = 0; server < simulation.servers(); server++) {
            if (server != from) {
                servers.add(server);
            }
        }
        servers.sort(Comparator.comparingDouble((Integer server) -> loads.share(server, dimension))
                .thenComparing(Comparator.naturalOrder()));
        return servers.subList(0, Math.min(SWAP_SERVERS, servers.size()));
    }
}
