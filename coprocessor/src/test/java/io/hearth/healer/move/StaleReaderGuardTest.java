// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import static io.hearth.healer.fakes.Racks.blockId;
import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.fakes.Racks;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode.StorageType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StaleReaderGuardTest {

    private static final long REFRESH_MS = 10_000;

    private final StaleReaderGuard readerGuard = new StaleReaderGuard();

    @Test
    void aBlockMovesOnceUntilReadersHaveRefreshed() {
        BlockMove move = move(1, "a1", "b1", "b2");
        run(move, 0);
        assertThat(readerGuard.allows(move)).isFalse();
        readerGuard.forgetRefreshed(REFRESH_MS - 1);
        assertThat(readerGuard.allows(move)).isFalse();
        readerGuard.forgetRefreshed(REFRESH_MS);
        assertThat(readerGuard.allows(move)).isTrue();
        assertThat(readerGuard.files()).isZero();
    }

    @Test
    void manyBlocksOfAFileMayLeaveOneDataNode() {
        for (int number = 1; number < 50; number++) {
            BlockMove move = move(number, "a1", "b1", "b2");
            assertThat(readerGuard.allows(move)).isTrue();
            readerGuard.started(move);
        }
    }

    @Test
    void aThirdSourceWaitsWhereItWouldLeaveAReaderWithoutAHolder() {
        readerGuard.started(move(1, "a1", "b1", "b2"));
        readerGuard.started(move(2, "b1", "a1", "b2"));

        assertThat(readerGuard.allows(move(3, "b2", "a1", "b1")))
                .as("block 3 itself, and 1 and 2 would be without")
                .isFalse();
        assertThat(readerGuard.allows(move(4, "b2", "d1", "d2")))
                .as("block 4 is safe, 1 and 2 are not")
                .isFalse();
        assertThat(readerGuard.allows(move(5, "d1", "a1", "d2"))).isTrue();
    }

    @Test
    void aBlockThatOnlyWaitsIsReadAsWell() {
        readerGuard.planned(move(9, "b2", "a1", "b1"));
        readerGuard.started(move(1, "a1", "d1", "d2"));
        readerGuard.started(move(2, "b1", "d1", "d2"));

        assertThat(readerGuard.allows(move(3, "b2", "d1", "d2")))
                .as("of block 9 no holder would be left")
                .isFalse();
    }

    @Test
    void aMoveUnderWayCountsForAsLongAsItTakes() {
        readerGuard.started(move(1, "a1", "b1", "b2"));
        readerGuard.forgetRefreshed(Long.MAX_VALUE - 1);
        assertThat(readerGuard.allows(move(1, "a1", "b1", "b2"))).isFalse();
    }

    @Test
    void aSingleReplicaLeavesOneDataNodeAtATime() {
        run(move(1, "a1"), 0);
        assertThat(readerGuard.allows(move(2, "a1"))).isTrue();
        assertThat(readerGuard.allows(move(3, "b1"))).isFalse();
        readerGuard.forgetRefreshed(REFRESH_MS);
        assertThat(readerGuard.allows(move(3, "b1"))).isTrue();
    }

    @Test
    void filesAreApart() {
        readerGuard.started(move(1, "a1"));
        BlockMove other = new BlockMove(
                new EncodedRegionName("r"),
                "/other",
                blockId(2),
                100,
                StorageType.DISK,
                node("b1"),
                List.of(node("b1")),
                node("c1"),
                1,
                1);
        assertThat(readerGuard.allows(other)).isTrue();
    }

    /** Random moves of one file: a reader always trusts a holder of every block, and all moves come to their turn. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void aReaderNeverRunsOutOfHoldersAndEveryMoveComesToItsTurn(long seed) {
        Random random = new Random(seed);
        List<BlockMove> waiting = new ArrayList<>();
        for (int number = 0; number < 40; number++) {
            List<String> names = new ArrayList<>(List.of("a1", "a2", "b1", "b2", "d1", "d2"));
            Collections.shuffle(names, random);
            BlockMove move = move(number, names.get(0), names.get(1), names.get(2));
            waiting.add(move);
            readerGuard.planned(move);
        }
        List<BlockMove> all = List.copyOf(waiting);
        Map<BlockId, Long> refreshedMs = new HashMap<>();
        List<BlockMove> running = new ArrayList<>();
        long nowMs = 0;
        for (int turn = 0; turn < 5_000 && !waiting.isEmpty(); turn++, nowMs += 500) {
            readerGuard.forgetRefreshed(nowMs);
            for (BlockMove move : List.copyOf(waiting)) {
                if (running.size() < 6 && readerGuard.allows(move)) {
                    waiting.remove(move);
                    running.add(move);
                    readerGuard.started(move);
                }
            }
            if (!running.isEmpty() && random.nextInt(3) == 0) {
                BlockMove done = running.remove(random.nextInt(running.size()));
                readerGuard.ended(done, true, nowMs + REFRESH_MS);
                refreshedMs.put(done.block(), nowMs + REFRESH_MS);
            }
            Set<String> dead = new HashSet<>();
            for (BlockMove move : all) {
                boolean stale = running.contains(move) || refreshedMs.getOrDefault(move.block(), 0L) > nowMs;
                if (stale) {
                    dead.add(move.source().host());
                }
            }
            for (BlockMove move : all) {
                boolean seen = waiting.contains(move)
                        || running.contains(move)
                        || refreshedMs.getOrDefault(move.block(), 0L) > nowMs;
                boolean trusted = move.proxies().stream().anyMatch(holder -> !dead.contains(holder.host()));
                assertThat(!seen || trusted)
                        .as("seed %s, turn %s: %s of %s", seed, turn, dead, move)
                        .isTrue();
            }
        }
        assertThat(waiting).as("seed %s", seed).isEmpty();
    }

    @Test
    void oneThatGaveMayGiveAgainWhereReadersKeepAHolder() {
        readerGuard.started(move(1, "a1", "d1", "d2"));
        assertThat(readerGuard.allows(move(6, "a1", "a1")))
                .as("the only one that gives")
                .isTrue();
        readerGuard.started(move(2, "b1", "d1", "d2"));

        assertThat(readerGuard.allows(move(3, "a1", "b1", "b2"))).isTrue();
        assertThat(readerGuard.allows(move(4, "a1", "b1")))
                .as("both have given")
                .isFalse();
        assertThat(readerGuard.allows(move(5, "e1", "d1", "d2"))).isTrue();
        assertThat(readerGuard.allows(move(5, "e1", "d1", "d2")))
                .as("asked again")
                .isTrue();
        assertThat(readerGuard.allows(move(7, "e1", "a1"))).isFalse();
        assertThat(readerGuard.allows(move(7, "e1", "a1"))).as("asked again").isFalse();
    }

    @Test
    void whatIsTakenBackIsForgotten() {
        readerGuard.planned(move(9, "b1", "a1"));
        readerGuard.started(move(1, "a1", "d1", "d2"));
        assertThat(readerGuard.allows(move(3, "b1", "d1", "d2"))).isFalse();
        readerGuard.cancelled(move(9, "b1", "a1"));

        assertThat(readerGuard.takeUnblockedFiles()).containsExactly("/f");
        assertThat(readerGuard.takeUnblockedFiles()).isEmpty();
        assertThat(readerGuard.allows(move(3, "b1", "d1", "d2"))).isTrue();
        assertThat(readerGuard.files()).isEqualTo(1);
        readerGuard.planned(move(1, "a1", "d1", "d2"));
        readerGuard.cancelled(move(1, "a1", "d1", "d2"));
        assertThat(readerGuard.allows(move(1, "a1", "d1", "d2")))
                .as("it is under way")
                .isFalse();
        assertThat(readerGuard.allows(move(4, "d1", "d2"))).isTrue();
        assertThat(readerGuard.allows(move(4, "d1", "a1"))).isFalse();
    }

    @Test
    void theLastThatIsTakenBackLeavesNothing() {
        readerGuard.planned(move(9, "b1", "a1"));
        assertThat(readerGuard.files()).isEqualTo(1);
        readerGuard.cancelled(move(9, "b1", "a1"));

        assertThat(readerGuard.files()).isZero();
        readerGuard.cancelled(move(9, "b1", "a1"));
        assertThat(readerGuard.takeUnblockedFiles()).containsExactly("/f");
    }

    @Test
    void aDataNodeCountsUntilItsLastBlockIsRefreshed() {
        run(move(1, "a1"), 0);
        run(move(2, "a1"), 5_000);
        readerGuard.forgetRefreshed(REFRESH_MS);
        assertThat(readerGuard.takeUnblockedFiles()).containsExactly("/f");
        assertThat(readerGuard.allows(move(3, "b1"))).as("block 2 is not").isFalse();
        readerGuard.forgetRefreshed(REFRESH_MS + 4_999);
        assertThat(readerGuard.takeUnblockedFiles()).isEmpty();
        readerGuard.forgetRefreshed(REFRESH_MS + 5_000);

        assertThat(readerGuard.takeUnblockedFiles()).containsExactly("/f");
        assertThat(readerGuard.allows(move(3, "b1"))).isTrue();
        assertThat(readerGuard.files()).isZero();
    }

    @Test
    void whatIsRefreshedCountsNoMoreWhileOthersStillDo() {
        run(move(1, "a1"), 0);
        run(move(2, "a1"), 0);
        readerGuard.started(move(5, "e1", "d1", "d2"));
        assertThat(readerGuard.allows(move(6, "e1"))).as("a1 and e1 have given").isFalse();
        assertThat(readerGuard.allows(move(7, "b1", "a1")))
                .as("and b1 would be the last")
                .isFalse();
        readerGuard.forgetRefreshed(REFRESH_MS);

        assertThat(readerGuard.allows(move(6, "e1"))).as("only e1 gives").isTrue();
        assertThat(readerGuard.allows(move(7, "b1", "a1")))
                .as("a1 is known again")
                .isTrue();
    }

    /** The first attempt gave up at a1, the second goes on from b1: readers look for the block where it is now. */
    @Test
    void aSecondAttemptReplacesTheFirst() {
        readerGuard.started(move(1, "a1"));
        readerGuard.ended(move(1, "a1"), false, REFRESH_MS);
        readerGuard.started(move(1, "b1"));

        assertThat(readerGuard.allows(move(2, "b1"))).as("only b1 gives").isTrue();
        assertThat(readerGuard.allows(move(2, "a1"))).isFalse();
        readerGuard.forgetRefreshed(REFRESH_MS);
        assertThat(readerGuard.takeUnblockedFiles()).as("it is under way").isEmpty();
    }

    /** Not over, it is still to move: its readers count until it is taken back. */
    @Test
    void aFailedAttemptIsRememberedAsPlanned() {
        BlockMove move = move(1, "a1", "b1");
        readerGuard.started(move);
        readerGuard.ended(move, false, REFRESH_MS);
        readerGuard.forgetRefreshed(REFRESH_MS);
        assertThat(readerGuard.files()).isEqualTo(1);
        readerGuard.started(move(2, "a1", "d1"));
        assertThat(readerGuard.allows(move(3, "b1", "d1")))
                .as("block 1 would be without")
                .isFalse();
        readerGuard.cancelled(move);

        assertThat(readerGuard.allows(move(3, "b1", "d1"))).isTrue();
    }

    private void run(BlockMove move, long endMs) {
        readerGuard.started(move);
        readerGuard.ended(move, true, endMs + REFRESH_MS);
    }

    /** A block on these DataNodes, of which the first gives its replica up. */
    private static BlockMove move(long number, String... holders) {
        return new BlockMove(
                new EncodedRegionName("r"),
                "/f",
                blockId(number),
                100,
                StorageType.DISK,
                node(holders[0]),
                Arrays.stream(holders).map(Racks::node).toList(),
                node("c1"),
                holders.length,
                2);
    }
}
