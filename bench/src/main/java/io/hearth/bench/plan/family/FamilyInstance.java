// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.LoadDimension;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One cluster of a family, and what is asked of a plan for it: the defaults of a master. Immutable.
 *
 * @param size of the whole cluster; a group's servers are a part of it
 * @param seed at least 0
 */
public record FamilyInstance(ClusterFamily family, Size size, long seed) {

    private static final double HEAT_WEIGHT = 200;
    private static final double BYTES_WEIGHT = 35;

    /** Servers, and how many regions they have on average. */
    public record Size(int servers, int regionsPerServer) {

        private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,3})x([1-9][0-9]{0,3})");

        /** The sizes that are measured unless others are asked for. */
        public static final List<Size> DEFAULTS = List.of(new Size(60, 80), new Size(500, 100), new Size(1_000, 100));

        /** A size such as {@code 60x80}; empty where the text is none, or has fewer than the three servers of the smallest group. */
        public static Optional<Size> read(String text) {
            Matcher form = FORM.matcher(text);
            return form.matches() && Integer.parseInt(form.group(1)) >= 3
                    ? Optional.of(new Size(Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2))))
                    : Optional.empty();
        }

        @Override
        public String toString() {
            return servers + "x" + regionsPerServer;
        }
    }

    /** The same size and seed with random heat: as many servers, planned together. */
    FamilyInstance withRandomHeat() {
        return new FamilyInstance(
                ClusterFamily.SIGMA1, new Size(family.plannedServers(size.servers), size.regionsPerServer), seed);
    }

    /** The name of the row: {@code fast20 60x80 seed 1}. */
    public String title() {
        return String.format(Locale.ROOT, "%s %s seed %d", family.label(), size, seed);
    }

    /** The cluster; made at each call. */
    ClusterState cluster() {
        return FamilyCluster.of(family, size.servers, size.regionsPerServer, seed);
    }

    /** What is asked: for the solver's figures to be comparable, as it was asked of the solver. */
    PlanGoals goals() {
        double ofOthers = family == ClusterFamily.READS1 ? 0 : 1;
        return PlanGoals.of(Map.of(
                        LoadDimension.READS, heat(HEAT_WEIGHT),
                        LoadDimension.WRITES, heat(HEAT_WEIGHT * ofOthers),
                        LoadDimension.STORE_SIZE, new DimensionGoal(BYTES_WEIGHT * ofOthers, 1.3, 1.2, 1e6)))
                .withCounts(RegionCountGoal.DEFAULT);
    }

    private static DimensionGoal heat(double weight) {
        return new DimensionGoal(weight, 1.1, 1.03, 1);
    }

    /** The dimensions that count, in their order. */
    List<LoadDimension> dimensions() {
        return goals().goalByDimension().entrySet().stream()
                .filter(goal -> goal.getValue().weight() > 0)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }
}
