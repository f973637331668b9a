package io.hearth.balancer.search;

import io.hearth.balancer.cost.ServerLoads;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.search.MoveFinder.Candidate;
import io.hearth.balancer.search.MoveFinder.Swap;
import io.hearth.balancer.search.NotMoved.Reason;
import io.hearth.balancer.search.PlanGoals.DimensionGoal;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.RegionState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One run of the {@link DirectedPlanner}: its scratch and its result so far. Not thread-safe; used once. */
final class PlanSearch {

    /** A gain below this (in squared multiples of the mean, times the weight) is not worth a region's dip. */
    private static final double LEAST_GAIN = 1e-4;

    private final ClusterSnapshot snapshot;
    private final PlanGoals goals;
    private final PlanSimulation simulation;
    private final ServerLoads loads;
    private final Set<RegionId> moved = new HashSet<>();
    private final MoveFinder finder;
    private final List<PlannedMove> moves = new ArrayList<>();
    private final Map<HotSpot, NotMoved> leftByHotSpot = new HashMap<>();

    PlanSearch(ClusterSnapshot snapshot, PlanGoals goals) {
        this.snapshot = snapshot;
        this.goals = goals;
        simulation = new PlanSimulation(snapshot, goals);
        loads = simulation.loads();
        finder = new MoveFinder(simulation, moved);
    }

    /** A server that is above its share in a dimension. */
    private record HotSpot(int server, LoadDimension dimension) {}

    Plan run() {
        Map<LoadDimension, Double> before = loads.maxOverMean();
        if (isTriggered()) {
            bringCountsIntoSlop();
            evenOut();
        }
        return new Plan(moves, before, loads.maxOverMean(), stillHot());
    }

    private boolean isTriggered() {
        return countedGoals().stream()
                .anyMatch(goal ->
                        loads.maxOverMean(goal.getKey()) > goal.getValue().trigger());
    }

    private List<Map.Entry<LoadDimension, DimensionGoal>> countedGoals() {
        return goals.goalByDimension().entrySet().stream()
                .filter(goal -> loads.counts(goal.getKey()))
                .sorted(Map.Entry.comparingByKey())
                .toList();
    }

    private void bringCountsIntoSlop() {
        for (int server = 0; server < simulation.servers(); server++) {
            boolean goesOn = true;
            while (goesOn && hasRoom(1) && simulation.hasTooMany(server)) {
                goesOn = apply(finder.best(server, simulation::mayTake));
            }
            while (goesOn && hasRoom(1) && simulation.hasTooFew(server)) {
                goesOn = apply(bestFor(server));
            }
        }
    }

    /** The move to this server that gains most, from any that may give. */
    private Optional<Candidate> bestFor(int to) {
        Optional<Candidate> best = Optional.empty();
        for (int from = 0; from < simulation.servers(); from++) {
            if (from != to && simulation.mayGive(from)) {
                Optional<Candidate> other = finder.best(from, target -> target == to);
                if (other.isPresent()
                        && (best.isEmpty() || other.get().gain() > best.get().gain())) {
                    best = other;
                }
            }
        }
        return best;
    }

    private void evenOut() {
        Optional<HotSpot> hot = hottest();
        while (hot.isPresent()) {
            if (!hasRoom(1)) {
                leave(hot.get(), Reason.MOVE_LIMIT);
            } else if (!moveFrom(hot.get()) && !swapFrom(hot.get())) {
                leave(hot.get(), Reason.NO_GAIN);
            }
            hot = hottest();
        }
    }

    /** The server and dimension with the largest weighted excess above the target, of those not given up. */
    private Optional<HotSpot> hottest() {
        HotSpot hottest = null;
        double most = 0;
        for (Map.Entry<LoadDimension, DimensionGoal> goal : countedGoals()) {
            LoadDimension dimension = goal.getKey();
            for (int server = 0; server < simulation.servers(); server++) {
                double share = loads.share(server, dimension);
                double excess = loads.weight(dimension) * (share - 1);
                HotSpot hot = new HotSpot(server, dimension);
                if (share > goal.getValue().target() && excess > most && !leftByHotSpot.containsKey(hot)) {
                    hottest = hot;
                    most = excess;
                }
            }
        }
        return Optional.ofNullable(hottest);
    }

    private boolean moveFrom(HotSpot hot) {
        if (!simulation.mayGive(hot.server)) {
            return false;
        }
        return finder.best(hot.server, to -> simulation.mayTake(to) && isCooler(to, hot))
                .filter(candidate -> candidate.gain() >= LEAST_GAIN)
                .map(candidate -> apply(candidate, hot.dimension))
                .orElse(false);
    }

    private boolean isCooler(int server, HotSpot hot) {
        return loads.share(server, hot.dimension) < loads.share(hot.server, hot.dimension);
    }

    private boolean swapFrom(HotSpot hot) {
        Optional<Swap> swap = finder.bestSwap(hot.server, hot.dimension).filter(found -> found.gain() >= LEAST_GAIN);
        if (swap.isEmpty() || !hasRoom(2)) {
            return false;
        }
        Swap found = swap.get();
        apply(new Candidate(found.given(), hot.server, found.to(), found.gain()), hot.dimension);
        return apply(new Candidate(found.taken(), found.to(), hot.server, found.gain()), hot.dimension);
    }

    private boolean hasRoom(int moreMoves) {
        return moves.size() + moreMoves <= goals.maxMoves();
    }

    /** A move for the sake of region counts is put down to the dimension in which its source is fullest. */
    private boolean apply(Optional<Candidate> candidate) {
        return candidate
                .map(found -> apply(found, fullestDimension(found.from())))
                .orElse(false);
    }

    private LoadDimension fullestDimension(int server) {
        LoadDimension fullest = LoadDimension.READS;
        for (LoadDimension dimension : LoadDimension.values()) {
            if (loads.share(server, dimension) > loads.share(server, fullest)) {
                fullest = dimension;
            }
        }
        return fullest;
    }

    private boolean apply(Candidate candidate, LoadDimension because) {
        RegionState region = candidate.region();
        simulation.move(region, candidate.from(), candidate.to());
        moved.add(region.region());
        moves.add(new PlannedMove(
                region.region(),
                region.table(),
                region.load(),
                server(candidate.from()),
                server(candidate.to()),
                because));
        return true;
    }

    private ServerId server(int index) {
        return snapshot.servers().get(index);
    }

    /** Gives up on this hot spot, with the reason for its hottest region. */
    private void leave(HotSpot hot, Reason otherwise) {
        RegionState hottest = simulation.regionsOf(hot.server).stream()
                .max(Comparator.comparingDouble(
                                (RegionState region) -> region.load().get(hot.dimension))
                        .thenComparing(RegionState::region))
                .orElseThrow(() -> new IllegalStateException("A server above its share has no regions: " + hot));
        double share = loads.share(hottest.load(), hot.dimension);
        leftByHotSpot.put(
                hot,
                new NotMoved(
                        hottest.region(),
                        hottest.table(),
                        server(hot.server),
                        hot.dimension,
                        share,
                        reason(hottest, share, otherwise),
                        hottest.pin()));
    }

    private static Reason reason(RegionState region, double share, Reason otherwise) {
        if (!region.isFree()) {
            return Reason.PINNED;
        }
        return share > 1 ? Reason.ABOVE_FAIR_SHARE : otherwise;
    }

    /** What was given up and is above its target to the end. */
    private List<NotMoved> stillHot() {
        List<NotMoved> hot = new ArrayList<>();
        for (Map.Entry<LoadDimension, DimensionGoal> goal : countedGoals()) {
            for (int server = 0; server < simulation.servers(); server++) {
                NotMoved left = leftByHotSpot.get(new HotSpot(server, goal.getKey()));
                if (left != null
                        && loads.share(server, goal.getKey()) > goal.getValue().target()) {
                    hot.add(left);
                }
            }
        }
        return hot;
    }
}
