// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import static io.hearth.balancer.tracking.TrackerSteps.GROUP;
import static io.hearth.balancer.tracking.TrackerSteps.MINUTE;
import static io.hearth.balancer.tracking.TrackerSteps.T0;

import io.hearth.balancer.heat.RegionLoads;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A small cluster on simulated time: a report of every server each minute, a run of a greedy balancer each five, and a master
 * that takes two minutes for a move. The balancer is on purpose too eager, so that what keeps it steady is move tracking alone.
 */
final class FakeCluster {

    /** The heat of each region at each time. */
    interface Heat {
        double at(int region, long nowMs);
    }

    /** A move that the balancer made, with when. */
    record Made(long atMs, PlannedMove move) {}

    private static final long MOVE_TAKES_MS = 2 * MINUTE;

    private final List<ServerId> servers;
    private final Map<EncodedRegionName, Integer> numberByRegion = new TreeMap<>();
    private final Map<EncodedRegionName, ServerId> serverByRegion = new TreeMap<>();
    private final List<Made> underWay = new ArrayList<>();
    private final Heat heat;
    private final MoveTracker tracker;
    private final double trigger;
    final List<Made> made = new ArrayList<>();

    FakeCluster(int servers, int regionsPerServer, Heat heat, MoveTracker tracker, double trigger) {
        this.servers = IntStream.range(0, servers)
                .mapToObj(number -> TrackerSteps.server("s" + number))
                .toList();
        for (int region = 0; region < servers * regionsPerServer; region++) {
            numberByRegion.put(TrackerSteps.region(region), region);
            serverByRegion.put(TrackerSteps.region(region), this.servers.get(region / regionsPerServer));
        }
        this.heat = heat;
        this.tracker = tracker;
        this.trigger = trigger;
    }

    FakeCluster run(long durationMs) {
        return run(T0, T0 + durationMs);
    }

    int number(EncodedRegionName region) {
        return numberByRegion.get(region);
    }

    /** Goes on from the first time to the second. */
    FakeCluster run(long fromMs, long untilMs) {
        for (long now = fromMs; now < untilMs; now += MINUTE) {
            carryOut(now);
            tracker.observed(reports(now), reader(now), now);
            if ((now - T0) % (5 * MINUTE) == 0) {
                balance(now);
            }
        }
        return this;
    }

    private RegionRequestRates reader(long nowMs) {
        return region -> OptionalDouble.of(heatOf(region, nowMs));
    }

    private double heatOf(EncodedRegionName region, long nowMs) {
        return heat.at(numberByRegion.get(region), nowMs);
    }

    private void carryOut(long nowMs) {
        underWay.removeIf(move -> {
            boolean isDone = nowMs >= move.atMs() + MOVE_TAKES_MS;
            if (isDone) {
                serverByRegion.put(move.move().region(), move.move().to());
            }
            return isDone;
        });
    }

    private List<ServerReport> reports(long nowMs) {
        return servers.stream()
                .map(server -> TrackerSteps.report(
                        server,
                        nowMs,
                        serverByRegion.entrySet().stream()
                                .filter(entry -> entry.getValue().equals(server))
                                .map(Map.Entry::getKey)
                                .toArray(EncodedRegionName[]::new)))
                .toList();
    }

    private void balance(long nowMs) {
        tracker.runStarted(nowMs);
        Map<EncodedRegionName, Pin> pins = tracker.pins(nowMs);
        Map<EncodedRegionName, ServerId> assignment = new TreeMap<>(serverByRegion);
        assignment.putAll(TrackerSteps.targets(tracker, nowMs));
        double before = maxOverMean(loads(assignment, nowMs));
        int most = tracker.maxHeatMoves(GROUP, nowMs).orElse(Integer.MAX_VALUE);
        List<PlannedMove> moves = before > trigger ? greedy(assignment, pins, nowMs, most) : List.of();
        double after = maxOverMean(loads(assignment, nowMs));
        RegionLoads currentLoads = region -> Optional.of(LoadVector.ofWrites(heatOf(region, nowMs)));
        tracker.measured(GROUP, Map.of(LoadDimension.WRITES, before), currentLoads, nowMs);
        if (!moves.isEmpty() && tracker.adviseOnly().isEmpty()) {
            Plan plan = TrackerSteps.plan(before, after, moves.toArray(PlannedMove[]::new));
            tracker.planned(
                    plan,
                    GROUP,
                    Map.of(LoadDimension.WRITES, trigger),
                    placement(assignment, moves, nowMs),
                    currentLoads,
                    nowMs);
            moves.forEach(move -> {
                underWay.add(new Made(nowMs, move));
                made.add(new Made(nowMs, move));
            });
        }
    }

    private PlannedPlacement placement(
            Map<EncodedRegionName, ServerId> assignment, List<PlannedMove> moves, long nowMs) {
        Map<ServerId, List<RegionState>> states = new TreeMap<>();
        servers.forEach(server -> states.put(server, new ArrayList<>()));
        assignment.forEach((region, server) -> states.get(server)
                .add(new RegionState(
                        region, TrackerSteps.TABLE, LoadVector.ofWrites(heatOf(region, nowMs)), Pin.FREE)));
        return PlannedPlacement.of(ClusterState.of(states), TrackerSteps.plan(moves.toArray(PlannedMove[]::new)));
    }

    /** From the hottest server to the coolest, whatever region brings the two nearest, for as long as that gains anything. */
    private List<PlannedMove> greedy(
            Map<EncodedRegionName, ServerId> assignment, Map<EncodedRegionName, Pin> pins, long nowMs, int most) {
        List<PlannedMove> moves = new ArrayList<>();
        for (int step = 0; step < Math.min(most, numberByRegion.size()); step++) {
            Map<ServerId, Double> loads = loads(assignment, nowMs);
            ServerId hottest = extreme(loads, 1);
            ServerId coolest = extreme(loads, -1);
            double gap = loads.get(hottest) - loads.get(coolest);
            EncodedRegionName best = null;
            for (EncodedRegionName region : numberByRegion.keySet()) {
                boolean isOfIt = assignment.get(region).equals(hottest) && !pins.containsKey(region);
                boolean isMovedAlready =
                        moves.stream().anyMatch(move -> move.region().equals(region));
                double left = Math.abs(gap - 2 * heatOf(region, nowMs));
                if (isOfIt
                        && !isMovedAlready
                        && left < 0.999 * gap
                        && (best == null || left < Math.abs(gap - 2 * heatOf(best, nowMs)))) {
                    best = region;
                }
            }
            if (best == null) {
                return moves;
            }
            moves.add(TrackerSteps.move(best, hottest, coolest));
            assignment.put(best, coolest);
        }
        return moves;
    }

    private static ServerId extreme(Map<ServerId, Double> loads, int sign) {
        return loads.entrySet().stream()
                .max((one, other) -> sign * Double.compare(one.getValue(), other.getValue()))
                .orElseThrow()
                .getKey();
    }

    private Map<ServerId, Double> loads(Map<EncodedRegionName, ServerId> assignment, long nowMs) {
        Map<ServerId, Double> loads = new TreeMap<>();
        servers.forEach(server -> loads.put(server, 0.0));
        assignment.forEach((region, server) -> loads.merge(server, heatOf(region, nowMs), Double::sum));
        return loads;
    }

    private static double maxOverMean(Map<ServerId, Double> loads) {
        double sum = loads.values().stream().mapToDouble(Double::doubleValue).sum();
        return loads.values().stream().mapToDouble(Double::doubleValue).max().orElseThrow() / (sum / loads.size());
    }

    double maxOverMeanAt(long nowMs) {
        return maxOverMean(loads(serverByRegion, nowMs));
    }
}
