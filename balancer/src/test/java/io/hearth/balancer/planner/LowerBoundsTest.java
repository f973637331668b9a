// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToIntFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Each of the bounds of a plan's moves by itself, held against every assignment of at most seven regions to two to four servers.
 * None may claim more than the best of them needs; how much each claims is its strength.
 */
class LowerBoundsTest {

    private static final int REPETITIONS = Integer.getInteger("hearth.test.repetitions", 1);

    private static final List<Tiny> CLUSTERS =
            LongStream.rangeClosed(1, 800L * REPETITIONS).mapToObj(Tiny::new).toList();

    /** Healthy: 554 of 615 moves. */
    @Test
    void regionByRegion() {
        assertThat(claimed(
                        tiny -> new PerRegionLowerBound(tiny.servers(), tiny.limitWithOversized, tiny.limit).least()))
                .isGreaterThanOrEqualTo(healthy(554));
    }

    /** Healthy: 602 of 615. */
    @Test
    void byDealingOutTheLargest() {
        assertThat(claimed(tiny -> new SubsetLowerBound(tiny.servers(), tiny.limitWithOversized, tiny.limit).least()))
                .isGreaterThanOrEqualTo(healthy(602));
    }

    /** Healthy: 455 of 615: it claims nothing where no region is above a fair share. */
    @Test
    void besideAnOversizedRegion() {
        assertThat(claimed(tiny -> new OversizedRegionLowerBound(
                                tiny.servers(), tiny.limitWithOversized, tiny.limit, tiny.fewestRegions, tiny.largest())
                        .least()))
                .isGreaterThanOrEqualTo(healthy(455));
    }

    /** Of the moves of the first 800 clusters; of more of them nearly as large a part. */
    private static int healthy(int ofFirst) {
        return REPETITIONS == 1 ? ofFirst : ofFirst * REPETITIONS * 9 / 10;
    }

    private static int claimed(ToIntFunction<Tiny> bound) {
        int claimed = 0;
        for (Tiny tiny : CLUSTERS) {
            int ofCluster = bound.applyAsInt(tiny);
            assertThat(ofCluster).as(tiny.toString()).isBetween(0, tiny.least);
            claimed += ofCluster;
        }
        return claimed;
    }

    /** A cluster, and the limits that a random assignment of its regions keeps. */
    private static final class Tiny {

        final double limit;
        final double limitWithOversized;
        final int fewestRegions;
        /** The fewest moves of all assignments that keep the limits. */
        final int least;

        private final long seed;
        private final double[] capacity;
        private final double[] load;
        private final boolean[] isPinned;
        private final int[] initialServer;
        private final List<int[]> allowed = new ArrayList<>();

        Tiny(long seed) {
            this.seed = seed;
            Random random = new Random(seed);
            int servers = 2 + random.nextInt(3);
            int regions = servers + random.nextInt(8 - servers);
            capacity = random.doubles(servers, 1, random.nextBoolean() ? 1.0001 : 2)
                    .toArray();
            load = random.ints(regions, 0, 3)
                    .mapToDouble(kind -> Math.exp(kind * 1.2 + random.nextGaussian()))
                    .toArray();
            if (seed % 2 == 0) {
                load[0] = Arrays.stream(load).sum() * (0.3 + random.nextDouble());
            }
            double fair = Arrays.stream(load).sum() / Arrays.stream(capacity).sum();
            for (int region = 0; region < regions; region++) {
                load[region] /= fair;
            }
            initialServer = random.ints(regions, 0, servers).toArray();
            isPinned = new boolean[regions];
            for (int region = 0; region < regions; region++) {
                isPinned[region] = random.nextInt(10) == 0;
            }
            fewestRegions = random.nextInt(3) == 0 ? 0 : Math.min(fewest(initialServer), regions / servers);
            list(new int[regions], 0);
            int[] reached = allowed.get(random.nextInt(allowed.size()));
            limit = share(reached, false);
            limitWithOversized = Math.max(limit, share(reached, true));
            int fewestMoves = moves(reached);
            for (int[] assignment : allowed) {
                if (moves(assignment) < fewestMoves && keepsTheLimits(assignment)) {
                    fewestMoves = moves(assignment);
                }
            }
            least = fewestMoves;
        }

        private boolean keepsTheLimits(int[] assignment) {
            return share(assignment, false) <= limit + 1e-9 && share(assignment, true) <= limitWithOversized + 1e-9;
        }

        private void list(int[] assignment, int region) {
            if (region == load.length) {
                if (fewest(assignment) >= fewestRegions) {
                    allowed.add(assignment.clone());
                }
                return;
            }
            for (int server = 0; server < capacity.length; server++) {
                if (!isPinned[region] || server == initialServer[region]) {
                    assignment[region] = server;
                    list(assignment, region + 1);
                }
            }
        }

        private int fewest(int[] assignment) {
            int[] count = new int[capacity.length];
            for (int server : assignment) {
                count[server]++;
            }
            return Arrays.stream(count).min().orElseThrow();
        }

        private int moves(int[] assignment) {
            int moves = 0;
            for (int region = 0; region < load.length; region++) {
                moves += assignment[region] == initialServer[region] ? 0 : 1;
            }
            return moves;
        }

        double largest() {
            return Arrays.stream(capacity).max().orElseThrow();
        }

        /** The largest share of the servers that have a region above the largest server's fair share, or of the others; at least 1. */
        private double share(int[] assignment, boolean ofOversized) {
            double most = 1;
            for (int server = 0; server < capacity.length; server++) {
                double sum = 0;
                boolean hasOversized = false;
                for (int region = 0; region < load.length; region++) {
                    if (assignment[region] == server) {
                        sum += load[region];
                        hasOversized |= load[region] > largest();
                    }
                }
                most = hasOversized == ofOversized ? Math.max(most, sum / capacity[server]) : most;
            }
            return most;
        }

        List<ServerLoads> servers() {
            List<ServerLoads> servers = new ArrayList<>();
            for (int server = 0; server < capacity.length; server++) {
                List<Double> movable = new ArrayList<>();
                double pinned = 0;
                double hottestPinned = 0;
                int regions = 0;
                for (int region = 0; region < load.length; region++) {
                    if (initialServer[region] == server) {
                        regions++;
                        pinned += isPinned[region] ? load[region] : 0;
                        hottestPinned = isPinned[region] ? Math.max(hottestPinned, load[region]) : hottestPinned;
                        if (!isPinned[region]) {
                            movable.add(load[region]);
                        }
                    }
                }
                servers.add(new ServerLoads(
                        capacity[server],
                        regions,
                        movable.stream().mapToDouble(Double::doubleValue).toArray(),
                        pinned,
                        hottestPinned));
            }
            return servers;
        }

        @Override
        public String toString() {
            return "seed %d: capacities %s, loads %s, pinned %s, servers %s, limits %s and %s, no fewer than %d regions"
                    .formatted(
                            seed,
                            Arrays.toString(capacity),
                            Arrays.toString(load),
                            Arrays.toString(isPinned),
                            Arrays.toString(initialServer),
                            limit,
                            limitWithOversized,
                            fewestRegions);
        }
    }
}
