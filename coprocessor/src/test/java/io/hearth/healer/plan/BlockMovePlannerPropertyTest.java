// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.plan.PlanRequest.SharedFileReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The planner on random worlds in which several regions read the same files. The seed names the world. */
class BlockMovePlannerPropertyTest {

    private static final int WORLDS = 500 * Integer.getInteger("hearth.test.repetitions", 1);

    /** Worlds grow with the seed: fewer of them are as large. */
    private static final int BETWEEN_SEEDS = Math.max(1, 2_000 / WORLDS);

    /** Half of the worlds, of every size. */
    static LongStream seeds() {
        return worlds().filter(seed -> seed / BETWEEN_SEEDS % 2 == 0);
    }

    private static LongStream worlds() {
        return LongStream.range(0, WORLDS).map(cluster -> cluster * BETWEEN_SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyMoveKeepsWhatMustBeKept(long seed) {
        ClusterModel cluster = RandomClusterModel.of(seed);
        Map<BlockId, BlockReplicas> before = cluster.blocks();
        for (ClusterModel.Region region : cluster.regions()) {
            MovePlan plan = cluster.plan(region, block -> false);
            assertThat(plan.bytesToMove()).as("seed %d", seed).isLessThanOrEqualTo(region.budgetBytes());
            for (BlockMove move : plan.moves()) {
                BlockReplicas was = Objects.requireNonNull(before.get(move.block()));
                String what = "seed " + seed + ": " + move + " of " + was + " for " + region;
                assertThat(was.isHeldBy(move.source().id())).as(what).isTrue();
                assertThat(was.isHeldBy(move.target().id())).as(what).isFalse();
                assertThat(move.target().isOn(region.host())).as(what).isTrue();
                assertThat(move.target().state()).as(what).isEqualTo(ServiceState.IN_SERVICE);
                assertThat(was.replicas()).as(what).hasSize(move.replication());
                assertThat(move.proxies())
                        .as(what)
                        .isNotEmpty()
                        .allMatch(proxy -> was.isHeldBy(proxy.id()) && proxy.state() == ServiceState.IN_SERVICE);
                ClusterModel after = cluster.copy();
                after.apply(move);
                ClusterInvariants.check(cluster, after, what);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void thePlanIsTheNaiveOne(long seed) {
        ClusterModel cluster = RandomClusterModel.of(seed);
        for (ClusterModel.Region region : cluster.regions()) {
            MovePlan plan = cluster.plan(region, block -> false);
            NaivePlanner naive = new NaivePlanner(cluster, region);

            Map<BlockId, NaivePlanner.Pick> picks = new LinkedHashMap<>();
            plan.moves()
                    .forEach(move -> picks.put(
                            move.block(),
                            new NaivePlanner.Pick(
                                    move.source().id().uuid(),
                                    move.proxy(0).id().uuid())));
            assertThat(picks).as("seed %d: %s in %s", seed, region, cluster).isEqualTo(naive.pickByBlock);
            assertThat(plan.skippedByReason())
                    .as("seed %d: %s in %s", seed, region, cluster)
                    .isEqualTo(naive.skipped);
            assertThat(plan.localBytes()).as("seed %d: %s", seed, region).isEqualTo(cluster.localBytes(region));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theOrderOfTheInputDoesNotMatter(long seed) {
        ClusterModel cluster = RandomClusterModel.of(seed);
        ClusterModel shuffled = cluster.shuffled(new Random(~seed));
        for (ClusterModel.Region region : cluster.regions()) {
            assertThat(shuffled.plan(region, block -> false))
                    .as("seed %d: %s in %s", seed, region, cluster)
                    .isEqualTo(cluster.plan(region, block -> false));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void planningWhatThePlanAchievedYieldsNoMove(long seed) {
        ClusterModel cluster = RandomClusterModel.of(seed);
        for (ClusterModel.Region region : cluster.regions()) {
            ClusterModel after = cluster.copy();
            MovePlan plan = cluster.plan(region, block -> false);
            plan.moves().forEach(after::apply);

            MovePlan again = after.plan(region, block -> false);
            if (plan.skipped(SkipReason.OVER_BUDGET) == 0) {
                assertThat(again.moves())
                        .as("seed %d: %s in %s", seed, region, cluster)
                        .isEmpty();
            }
            assertThat(again.localBytes()).as("seed %d", seed).isEqualTo(plan.localBytes() + plan.bytesToMove());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatFailedIsPlannedAgainAndNothingElse(long seed) {
        ClusterModel cluster = RandomClusterModel.of(seed);
        Random luck = new Random(~seed);
        for (ClusterModel.Region region : cluster.regions()) {
            ClusterModel after = cluster.copy();
            MovePlan plan = cluster.plan(region, block -> false);
            List<BlockId> failed = new ArrayList<>();
            for (BlockMove move : plan.moves()) {
                if (luck.nextBoolean()) {
                    after.apply(move);
                } else {
                    failed.add(move.block());
                }
            }
            // What failed leaves room, for which a block that found none is first in line.
            if (plan.skipped(SkipReason.OVER_BUDGET) + plan.skipped(SkipReason.TARGET_FULL) == 0) {
                assertThat(after.plan(region, block -> false).moves().stream().map(BlockMove::block))
                        .as("seed %d: %s in %s", seed, region, cluster)
                        .isEqualTo(failed);
            }
        }
    }

    /**
     * All regions are planned, as the loop does it: a block that has a move is under way for the next region. The moves end
     * in any order, some of them badly, and some stay open while others are planned again, until nothing is left to do.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whateverFailsInWhateverOrderNobodyLosesAndItComesToAnEnd(long seed) {
        ClusterModel start = RandomClusterModel.of(seed);
        ClusterModel cluster = start.copy();
        Random luck = new Random(~seed);
        Map<BlockId, BlockMove> open = new TreeMap<>();
        Set<String> movedBlocks = new HashSet<>();
        int rounds = 0;
        for (boolean work = true; work; rounds++) {
            assertThat(rounds).as("rounds with seed %d", seed).isLessThan(200);
            work = false;
            for (ClusterModel.Region region : ClusterModel.shuffled(start.regions(), luck)) {
                for (BlockMove move : cluster.plan(region, open::containsKey).moves()) {
                    assertThat(open.put(move.block(), move))
                            .as("a second move of %s with seed %d", move.block(), seed)
                            .isNull();
                    work = true;
                }
            }
            for (BlockMove move : ClusterModel.shuffled(List.copyOf(open.values()), luck)) {
                work = true;
                int fate = luck.nextInt(4);
                if (fate > 0) {
                    open.remove(move.block());
                }
                if (fate > 1) {
                    ClusterModel before = cluster.copy();
                    cluster.apply(move);
                    String what = "seed " + seed + ", round " + rounds + ": " + move;
                    ClusterInvariants.check(before, cluster, what);
                    assertThat(movedBlocks.add(move.region() + " " + move.block()))
                            .as("no block is moved twice to one region; %s", what)
                            .isTrue();
                }
            }
        }
        ClusterInvariants.check(start, cluster, "at the end with seed " + seed);
    }

    /** Guards the generator: a property of an empty plan proves nothing, nor does a reason that never comes up. */
    @Test
    void theWorldsCallForMovesAndKnowEveryReason() {
        int withMoves = 0;
        int moves = 0;
        int sharedMoves = 0;
        Map<SkipReason, Long> seen = new HashMap<>();
        for (long seed : worlds().toArray()) {
            ClusterModel cluster = RandomClusterModel.of(seed);
            int before = moves;
            for (ClusterModel.Region region : cluster.regions()) {
                MovePlan plan = cluster.plan(region, block -> false);
                moves += plan.moves().size();
                Map<String, List<SharedFileReader>> others = cluster.others(region);
                sharedMoves += (int) plan.moves().stream()
                        .filter(move ->
                                others.containsKey(cluster.file(move.filePath()).name()))
                        .count();
                plan.skippedByReason().forEach((reason, count) -> seen.merge(reason, count, Long::sum));
            }
            withMoves += moves > before ? 1 : 0;
        }

        assertThat(withMoves).isGreaterThan(WORLDS * 2 / 3);
        assertThat(moves).isGreaterThan(5 * WORLDS);
        assertThat(sharedMoves).isGreaterThan(WORLDS * 5 / 2);
        assertThat(seen.keySet())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(SkipReason.values())
                        .filter(reason -> !Set.of(
                                        SkipReason.COMPACTION_PENDING,
                                        SkipReason.NO_DATANODE_ON_HOST,
                                        SkipReason.PINNED,
                                        SkipReason.DANGLING_REFERENCE,
                                        SkipReason.UNOWNED_MOB)
                                .contains(reason))
                        .toList());
        assertThat(seen)
                .allSatisfy(
                        (reason, count) -> assertThat(count).as(reason.name()).isGreaterThan(20));
    }
}
