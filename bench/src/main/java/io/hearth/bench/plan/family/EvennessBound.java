// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.LoadDimension;
import io.hearth.sim.oracle.RegionCountLimits;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Max/mean below which no plan can bring a cluster, by dimension. Proven, though not always to be reached; found without the
 * planner's code. Used once; not thread-safe.
 *
 * <p>A load is in multiples of what is fair for a server of capacity 1. The bound is the largest of these:
 *
 * <ul>
 *   <li>1: every load is somewhere.
 *   <li>The hottest region on a server of the largest capacity, with as many of the coldest regions beside it as a server has to
 *       have at least.
 *   <li>Of the {@code k n + 1} hottest regions some of {@code n} servers has {@code k + 1}.
 *   <li>The servers up to some capacity, or from it, have so many regions together by the rule of counts; at best the coldest.
 *       Where dimensions of more weight have to be at their targets too, these can't be the coldest in one dimension alone:
 *       whatever prices {@code p} are put on the others, the regions have at least the least of {@code load + p other}, less
 *       {@code p} times what is allowed of the others (Lagrange's relaxation of that choice).
 * </ul>
 */
final class EvennessBound {

    private static final int ROUNDS = 3;
    private static final int STEPS = 24;
    private static final double HIGHEST_PRICE = 16;

    private final PlanGoals goals;
    private final RegionCountLimits counts;
    private final int regions;
    private final double[] capacity;
    private final Map<LoadDimension, double[]> loads = new EnumMap<>(LoadDimension.class);
    private final Map<LoadDimension, Double> bounds = new EnumMap<>(LoadDimension.class);

    private EvennessBound(ClusterState cluster, PlanGoals goals) {
        this.goals = goals;
        counts = RegionCountLimits.of(cluster, goals.counts());
        regions = cluster.regionCount();
        capacity = cluster.servers().stream()
                .mapToDouble(server -> server.capacity())
                .toArray();
        for (LoadDimension dimension : goals.goalByDimension().keySet()) {
            double[] load = cluster.servers().stream()
                    .flatMap(server -> server.regions().stream())
                    .map(RegionState::plannedLoad)
                    .mapToDouble(all -> all.get(dimension))
                    .toArray();
            double fair = Arrays.stream(load).sum() / Arrays.stream(capacity).sum();
            loads.put(dimension, Arrays.stream(load).map(of -> of / fair).toArray());
        }
    }

    /** The bound of each dimension that counts: those of most weight first, the others where these are at their targets. */
    static Map<LoadDimension, Double> of(ClusterState cluster, PlanGoals goals) {
        EvennessBound bound = new EvennessBound(cluster, goals);
        bound.dimensions().forEach(dimension -> bound.bounds.put(dimension, bound.of(dimension)));
        return bound.bounds;
    }

    private List<LoadDimension> dimensions() {
        return goals.goalByDimension().keySet().stream()
                .filter(dimension -> weight(dimension) > 0)
                .sorted(Comparator.comparingDouble((LoadDimension dimension) -> -weight(dimension))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private double weight(LoadDimension dimension) {
        DimensionGoal goal = goals.goalByDimension().get(dimension);
        return goal == null ? 0 : goal.weight();
    }

    private double of(LoadDimension dimension) {
        double[] sorted = load(dimension).clone();
        Arrays.sort(sorted);
        double largest = Arrays.stream(capacity).max().orElse(1);
        double bound = Math.max(1, withHottest(sorted) / largest);
        bound = Math.max(bound, together(sorted) / largest);
        for (double upTo : Arrays.stream(capacity).distinct().toArray()) {
            bound = Math.max(bound, ofServers(dimension, upTo, true));
            bound = Math.max(bound, ofServers(dimension, upTo, false));
        }
        return bound;
    }

    private double[] load(LoadDimension dimension) {
        double[] load = loads.get(dimension);
        if (load == null) {
            throw new IllegalArgumentException("There is no goal of " + dimension.label() + ".");
        }
        return load;
    }

    private double withHottest(double[] coldestFirst) {
        double load = coldestFirst.length == 0 ? 0 : coldestFirst[coldestFirst.length - 1];
        for (int region = 0; region < Math.min(counts.fewestOfAny(), coldestFirst.length) - 1; region++) {
            load += coldestFirst[region];
        }
        return load;
    }

    private double together(double[] coldestFirst) {
        double most = 0;
        for (int each = 1; each * capacity.length < coldestFirst.length; each++) {
            int first = coldestFirst.length - 1 - each * capacity.length;
            double load = 0;
            for (int region = first; region <= first + each; region++) {
                load += coldestFirst[region];
            }
            most = Math.max(most, load);
        }
        return most;
    }

    /** What the servers up to this capacity, or those from it, have to have of their fair share together. */
    private double ofServers(LoadDimension dimension, double of, boolean isUpTo) {
        int fewest = 0;
        int mostOfOthers = 0;
        double capacities = 0;
        for (int server = 0; server < capacity.length; server++) {
            boolean isIn = isUpTo ? capacity[server] <= of : capacity[server] >= of;
            fewest += isIn ? counts.fewest(server) : 0;
            mostOfOthers += isIn ? 0 : counts.most(server);
            capacities += isIn ? capacity[server] : 0;
        }
        boolean isAll = mostOfOthers == 0;
        int have = Math.min(regions, Math.max(fewest, regions - mostOfOthers));
        return isAll ? 1 : new Choice(dimension, have, capacities).least() / capacities;
    }

    /** The least load of so many regions, of those that keep the dimensions of more weight at what is allowed. */
    private final class Choice {

        private final double[] load;
        private final int have;
        private final double[][] others;
        private final double[] allowed;
        private final double[] prices;

        Choice(LoadDimension dimension, int have, double capacities) {
            load = load(dimension);
            this.have = have;
            List<LoadDimension> heavier = dimensions().stream()
                    .filter(other -> weight(other) > weight(dimension))
                    .toList();
            others = heavier.stream().map(EvennessBound.this::load).toArray(double[][]::new);
            allowed = heavier.stream()
                    .mapToDouble(other -> allowed(other) * capacities)
                    .toArray();
            prices = new double[others.length];
        }

        private double allowed(LoadDimension heavier) {
            DimensionGoal goal = goals.goalByDimension().get(heavier);
            return Math.max(bounds.getOrDefault(heavier, 1.0), goal == null ? 1 : goal.target());
        }

        /** The best price of one dimension after the other: the bound is concave in each, so halving finds it. */
        double least() {
            double best = bound();
            for (int round = 0; round < ROUNDS; round++) {
                for (int other = 0; other < others.length; other++) {
                    double low = 0;
                    double high = HIGHEST_PRICE;
                    for (int step = 0; step < STEPS; step++) {
                        prices[other] = (low + high) / 2;
                        best = Math.max(best, bound());
                        if (isTooCheap(other)) {
                            low = prices[other];
                        } else {
                            high = prices[other];
                        }
                    }
                }
            }
            return best;
        }

        private double bound() {
            double bound = Arrays.stream(priced()).sorted().limit(have).sum();
            for (int other = 0; other < others.length; other++) {
                bound -= prices[other] * allowed[other];
            }
            return bound;
        }

        /** Whether the regions chosen at these prices have more of the other dimension than is allowed. */
        private boolean isTooCheap(int other) {
            double[] priced = priced();
            double[] sorted = priced.clone();
            Arrays.sort(sorted);
            double last = have == 0 ? Double.NEGATIVE_INFINITY : sorted[have - 1];
            double sum = 0;
            for (int region = 0; region < regions; region++) {
                sum += priced[region] <= last ? others[other][region] : 0;
            }
            return sum > allowed[other];
        }

        private double[] priced() {
            double[] priced = load.clone();
            for (int other = 0; other < others.length; other++) {
                for (int region = 0; region < regions && prices[other] > 0; region++) {
                    priced[region] += prices[other] * others[other][region];
                }
            }
            return priced;
        }
    }
}
