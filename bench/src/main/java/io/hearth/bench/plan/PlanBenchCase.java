// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.MoveCosts;
import io.hearth.balancer.plan.PlanGoals.PlanLimits;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One row of the benchmark: a kind and size of cluster, what is asked of a plan for it, and the thresholds that Hearth's must hold.
 * Immutable.
 *
 * @param kind which loads the cluster has
 * @param servers servers, with {@value SyntheticCluster#REGIONS_PER_SERVER} regions each
 * @param evennessThreshold most max/mean of each dimension, in multiples of its lower bound
 * @param movesThreshold most moves, in multiples of the fewest that the same evenness needs; 0 where there is no such threshold
 * @param millisThreshold longest time from a warm snapshot to a plan, in milliseconds
 * @param snapshotMillisThreshold longest time to build the snapshot, in milliseconds; 0 where there is no such threshold
 * @param hasStock whether the stock balancer is tried too
 */
public record PlanBenchCase(
        Kind kind,
        int servers,
        Map<LoadDimension, Double> evennessThreshold,
        double movesThreshold,
        long millisThreshold,
        long snapshotMillisThreshold,
        boolean hasStock) {

    /** How far a server's number of regions may be from the mean (HBase's default of {@code hbase.regions.slop}). */
    public static final double SLOP = 0.2;

    /** The part of a threshold's distance from 1 that the planner is told to reach. */
    private static final double SHARE_OF_THRESHOLD = 0.85;

    /** Which loads a cluster has. */
    public enum Kind {
        /** Reads alone. */
        READS("one"),
        /** Reads, writes and bytes, drawn independently, and blocks. */
        EVERYTHING("several");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** The number of its dimensions, in a word. */
        public String label() {
            return label;
        }
    }

    public PlanBenchCase {
        evennessThreshold = Map.copyOf(evennessThreshold);
    }

    /** Every row, the smallest first. */
    public static List<PlanBenchCase> all() {
        return List.of(
                reads(20, 1.02, 1.10, 20, true),
                reads(100, 1.02, 1.10, 60, true),
                reads(500, 1.02, 1.25, 300, true),
                reads(1_000, 1.02, 1.25, 1_000, true),
                reads(7_000, 1.05, 0, 10_000, false),
                everything(20, 60),
                everything(100, 180),
                everything(500, 900),
                everything(1_000, 1_000));
    }

    private static PlanBenchCase reads(int servers, double evenness, double moves, long millis, boolean hasStock) {
        return new PlanBenchCase(
                Kind.READS,
                servers,
                Map.of(LoadDimension.READS, evenness),
                moves,
                millis,
                servers == 1_000 ? 1_000 : 0,
                hasStock);
    }

    private static PlanBenchCase everything(int servers, long millis) {
        return new PlanBenchCase(
                Kind.EVERYTHING,
                servers,
                Map.of(
                        LoadDimension.READS, 1.05,
                        LoadDimension.WRITES, 1.05,
                        LoadDimension.STORE_SIZE, 1.10),
                0,
                millis,
                servers == 1_000 ? 1_000 : 0,
                true);
    }

    /** The name of the row: {@code 100 x 10,000, one}. */
    public String title() {
        return String.format(Locale.ROOT, "%,d x %,d, %s", servers, regions(), kind.label());
    }

    public int regions() {
        return servers * SyntheticCluster.REGIONS_PER_SERVER;
    }

    Map<ServerId, List<RegionState>> cluster(long seed) {
        return switch (kind) {
            case READS -> SyntheticCluster.withReadsOnly(servers, seed);
            case EVERYTHING -> SyntheticCluster.withEverything(servers, seed);
        };
    }

    /** What the planner is asked for: a little more than the thresholds, for it drops the last moves that gain next to nothing. */
    PlanGoals goals() {
        Map<LoadDimension, Double> targets = new EnumMap<>(LoadDimension.class);
        evennessThreshold.forEach(
                (dimension, threshold) -> targets.put(dimension, 1 + (threshold - 1) * SHARE_OF_THRESHOLD));
        return goals(targets);
    }

    /** What the planner is asked for to reach these max/mean, whatever the moves cost. */
    PlanGoals goalsAtAnyCost(Map<LoadDimension, Double> targets) {
        return goals(targets)
                .withMoveCosts(MoveCosts.NONE)
                .withLimits(new PlanLimits(regions(), Map.of(), 0, PlanLimits.DEFAULT.minHotspotReduction(), 0));
    }

    private PlanGoals goals(Map<LoadDimension, Double> targets) {
        Map<LoadDimension, DimensionGoal> goals = new EnumMap<>(LoadDimension.class);
        targets.forEach((dimension, target) -> goals.put(
                dimension, new DimensionGoal(dimension == LoadDimension.STORE_SIZE ? 35 : 200, target, target, 0)));
        return PlanGoals.of(goals).withCounts(RegionCountGoal.DEFAULT.withSlop(SLOP));
    }
}
