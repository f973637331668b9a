// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.LoadDimension;
import io.hearth.sim.oracle.RegionCountLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Why a server above what is asked can't be cooled: the one rule or region that forbids it. Found by trying every move of its
 * regions and every exchange with a region of another server. What is asked of a server counts as kept where it ends no higher than
 * asked, or no higher than it was.
 *
 * <p>A server has a certificate where no move and no exchange that all rules allow cools it, and without one of the rules alone some
 * would; or where its hottest region alone is more than what is asked. The sentence names that rule or region. Not thread-safe.
 */
final class EvennessCertificate {

    private static final double ROUNDING = 1e-9;

    /** A rule that may be what forbids it. */
    private enum Rule {
        REGION_COUNT("the number of regions that a server may have"),
        REPLICA_ON_HOST("replicas on one host"),
        REPLICA_ON_RACK("replicas on one rack");

        private final String label;

        Rule(String label) {
            this.label = label;
        }
    }

    private final ClusterState cluster;
    private final RegionCountLimits counts;
    private final List<LoadDimension> dimensions;
    private final double[] asked;
    /** Shares by server and dimension. */
    private final double[][] share;
    /** What is fair for each server, by dimension. */
    private final double[][] fair;
    /** Load by server, region and dimension. */
    private final double[][][] loads;
    /** How many regions of each primary there are, and on which hosts and racks. */
    private final Map<Object, Map<String, Integer>> hosts = new HashMap<>();

    private final Map<Object, Map<String, Integer>> racks = new HashMap<>();
    private final Set<String> allRacks = new HashSet<>();

    /** @param askedOf max/mean that is good enough, of each dimension that counts */
    EvennessCertificate(ClusterState cluster, PlanGoals goals, Map<LoadDimension, Double> askedOf) {
        this.cluster = cluster;
        counts = RegionCountLimits.of(cluster, goals.counts());
        dimensions = askedOf.keySet().stream().sorted().toList();
        asked = dimensions.stream()
                .mapToDouble(dimension -> askedOf.getOrDefault(dimension, 1.0))
                .toArray();
        share = new double[cluster.servers().size()][dimensions.size()];
        fair = new double[share.length][dimensions.size()];
        for (int index = 0; index < asked.length; index++) {
            double[] loads = cluster.loadByServer(dimensions.get(index));
            double[] capacities = cluster.capacityByServer();
            double total = Arrays.stream(loads).sum();
            for (int server = 0; server < share.length; server++) {
                fair[server][index] = total / share.length * capacities[server];
                share[server][index] = loads[server] / fair[server][index];
            }
        }
        loads = cluster.servers().stream()
                .map(server -> server.regions().stream().map(this::load).toArray(double[][]::new))
                .toArray(double[][][]::new);
        for (ServerState server : cluster.servers()) {
            allRacks.add(server.rack());
            for (RegionState region : server.regions()) {
                hosts.computeIfAbsent(region.primary(), any -> new HashMap<>())
                        .merge(server.server().host(), 1, Integer::sum);
                racks.computeIfAbsent(region.primary(), any -> new HashMap<>()).merge(server.rack(), 1, Integer::sum);
            }
        }
    }

    /**
     * One server above what is asked in a dimension. Immutable.
     *
     * @param asked share that is good enough
     * @param why what forbids better, or that nothing does
     * @param isExcused whether that is a certificate
     */
    public record ServerAbove(
            String host, LoadDimension dimension, double share, double asked, String why, boolean isExcused) {

        /** Its share, what is asked and why, in a sentence without its full stop. */
        String text() {
            return String.format(
                    Locale.ROOT,
                    "%s has %.3f of its share of %s, asked is %.3f: %s",
                    host,
                    share,
                    dimension.label(),
                    asked,
                    why);
        }
    }

    /**
     * Every server above what is asked, in each dimension in which it is, the farthest above first.
     *
     * @param most of how many of them, at most, it is found out why; the others are not excused
     */
    List<ServerAbove> all(int most) {
        List<int[]> above = new ArrayList<>();
        for (int server = 0; server < share.length; server++) {
            for (int index = 0; index < asked.length; index++) {
                if (share[server][index] > asked[index] + ROUNDING) {
                    above.add(new int[] {server, index});
                }
            }
        }
        above.sort(Comparator.comparingDouble((int[] place) -> -share[place[0]][place[1]] / asked[place[1]]));
        List<ServerAbove> all = new ArrayList<>();
        for (int[] place : above) {
            all.add(
                    all.size() < most
                            ? above(place[0], place[1])
                            : above(place[0], place[1], false, "there are too many of these to find out why"));
        }
        return all;
    }

    private ServerAbove above(int server, int index) {
        double bound = best(server, index, Optional.empty());
        if (bound < share[server][index] - ROUNDING) {
            return above(server, index, false, "a move or an exchange would bring it to %.3f", bound);
        }
        RegionState hottest = cluster.regionsOf(server).stream()
                .max(Comparator.comparingDouble(region -> load(region)[index]))
                .orElseThrow(() -> new IllegalArgumentException("A server without regions has a load."));
        double alone = load(hottest)[index] / fair[server][index];
        if (alone > asked[index]) {
            return above(server, index, true, "its region %s alone is %.3f", hottest.region(), alone);
        }
        for (Rule rule : Rule.values()) {
            double relaxed = best(server, index, Optional.of(rule));
            if (relaxed < bound - ROUNDING) {
                return above(server, index, true, "%s forbids what would bring it to %.3f", rule.label, relaxed);
            }
        }
        return above(server, index, false, "no move or exchange cools it, and no rule alone is why");
    }

    private ServerAbove above(int server, int index, boolean isExcused, String why, Object... values) {
        return new ServerAbove(
                cluster.serverId(server).host(),
                dimensions.get(index),
                share[server][index],
                asked[index],
                String.format(Locale.ROOT, why, values),
                isExcused);
    }

    private double[] load(RegionState region) {
        return dimensions.stream().mapToDouble(region.plannedLoad()::get).toArray();
    }

    /** The least share that one move or exchange leaves this server, or what it has. */
    private double best(int server, int index, Optional<Rule> relaxed) {
        double best = share[server][index];
        for (int given = 0; given < loads[server].length; given++) {
            RegionState region = cluster.regionsOf(server).get(given);
            for (int other = 0; region.isFree() && other < share.length; other++) {
                if (other == server || !cluster.server(other).mayReceiveRegions()) {
                    continue;
                }
                best = Math.min(best, withMove(server, given, other, index, best, relaxed));
                for (int taken = 0; taken < loads[other].length; taken++) {
                    best = Math.min(best, withExchange(server, given, other, taken, index, best, relaxed));
                }
            }
        }
        return best;
    }

    /** What the server has after a move that is allowed and leaves it less than the best; infinite after any other. */
    private double withMove(int server, int given, int other, int index, double best, Optional<Rule> relaxed) {
        double[] change = loads[server][given];
        double after = share[server][index] - change[index] / fair[server][index];
        boolean isBetter = after < best - ROUNDING
                && keepsCounts(server, other, relaxed)
                && areAsAsked(server, other, change)
                && keepsReplicas(cluster.regionsOf(server).get(given), server, other, relaxed);
        return isBetter ? after : Double.POSITIVE_INFINITY;
    }

    private double withExchange(
            int server, int given, int other, int taken, int index, double best, Optional<Rule> relaxed) {
        double[] gives = loads[server][given];
        double[] takes = loads[other][taken];
        double after = share[server][index] - (gives[index] - takes[index]) / fair[server][index];
        if (after >= best - ROUNDING) {
            return Double.POSITIVE_INFINITY;
        }
        double[] change = gives.clone();
        for (int each = 0; each < change.length; each++) {
            change[each] -= takes[each];
        }
        RegionState back = cluster.regionsOf(other).get(taken);
        boolean isBetter = back.isFree()
                && areAsAsked(server, other, change)
                && keepsReplicas(cluster.regionsOf(server).get(given), server, other, relaxed)
                && keepsReplicas(back, other, server, relaxed);
        return isBetter ? after : Double.POSITIVE_INFINITY;
    }

    private boolean keepsCounts(int from, int to, Optional<Rule> relaxed) {
        return relaxed.equals(Optional.of(Rule.REGION_COUNT))
                || (cluster.regionsOf(from).size() > counts.fewest(from)
                        && cluster.regionsOf(to).size() < counts.most(to));
    }

    private boolean keepsReplicas(RegionState region, int from, int to, Optional<Rule> relaxed) {
        return (relaxed.equals(Optional.of(Rule.REPLICA_ON_HOST)) || keepsHosts(region, from, to))
                && (relaxed.equals(Optional.of(Rule.REPLICA_ON_RACK)) || keepsRacks(region, from, to));
    }

    private boolean keepsHosts(RegionState region, int from, int to) {
        String host = cluster.serverId(to).host();
        int there = hosts.getOrDefault(region.primary(), Map.of()).getOrDefault(host, 0);
        return there == 0 || (there == 1 && cluster.serverId(from).host().equals(host));
    }

    private boolean keepsRacks(RegionState region, int from, int to) {
        Map<String, Integer> used = racks.getOrDefault(region.primary(), Map.of());
        int replicas = used.values().stream().mapToInt(Integer::intValue).sum();
        String rack = cluster.server(to).rack();
        int there = used.getOrDefault(rack, 0);
        return replicas > allRacks.size()
                || there == 0
                || (there == 1 && cluster.server(from).rack().equals(rack));
    }

    /** Whether both are as they are asked to be, or no farther above, when the first gives this to the other. */
    private boolean areAsAsked(int server, int other, double[] change) {
        for (int index = 0; index < asked.length; index++) {
            if (isAbove(server, index, -change[index]) || isAbove(other, index, change[index])) {
                return false;
            }
        }
        return true;
    }

    private boolean isAbove(int server, int index, double change) {
        return share[server][index] + change / fair[server][index]
                > Math.max(asked[index], share[server][index]) + ROUNDING;
    }
}
