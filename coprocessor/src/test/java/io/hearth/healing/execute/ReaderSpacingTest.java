package io.hearth.healing.execute;

import static io.hearth.healing.fakes.Racks.blockId;
import static io.hearth.healing.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.fakes.Racks;
import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.StorageType;
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

class ReaderSpacingTest {

    private static final long REFRESH_MS = 10_000;

    private final ReaderSpacing spacing = new ReaderSpacing();

    @Test
    void aBlockMovesOnceUntilReadersHaveRefreshed() {
        BlockMove move = move(1, "a1", "b1", "b2");
        run(move, 0);
        assertThat(spacing.allows(move)).isFalse();
        spacing.forgetRefreshed(REFRESH_MS - 1);
        assertThat(spacing.allows(move)).isFalse();
        spacing.forgetRefreshed(REFRESH_MS);
        assertThat(spacing.allows(move)).isTrue();
        assertThat(spacing.files()).isZero();
    }

    @Test
    void manyBlocksOfAFileMayLeaveOneDataNode() {
        for (int number = 1; number < 50; number++) {
            BlockMove move = move(number, "a1", "b1", "b2");
            assertThat(spacing.allows(move)).isTrue();
            spacing.started(move);
        }
    }

    @Test
    void aThirdGiverWaitsWhereItWouldLeaveAReaderWithoutAHolder() {
        spacing.started(move(1, "a1", "b1", "b2"));
        spacing.started(move(2, "b1", "a1", "b2"));

        assertThat(spacing.allows(move(3, "b2", "a1", "b1")))
                .as("block 3 itself, and 1 and 2 would be without")
                .isFalse();
        assertThat(spacing.allows(move(4, "b2", "d1", "d2")))
                .as("block 4 is safe, 1 and 2 are not")
                .isFalse();
        assertThat(spacing.allows(move(5, "d1", "a1", "d2"))).isTrue();
    }

    @Test
    void aBlockThatOnlyWaitsIsReadAsWell() {
        spacing.planned(move(9, "b2", "a1", "b1"));
        spacing.started(move(1, "a1", "d1", "d2"));
        spacing.started(move(2, "b1", "d1", "d2"));

        assertThat(spacing.allows(move(3, "b2", "d1", "d2")))
                .as("of block 9 no holder would be left")
                .isFalse();
    }

    @Test
    void aMoveUnderWayCountsForAsLongAsItTakes() {
        spacing.started(move(1, "a1", "b1", "b2"));
        spacing.forgetRefreshed(Long.MAX_VALUE - 1);
        assertThat(spacing.allows(move(1, "a1", "b1", "b2"))).isFalse();
    }

    @Test
    void aSingleReplicaLeavesOneDataNodeAtATime() {
        run(move(1, "a1"), 0);
        assertThat(spacing.allows(move(2, "a1"))).isTrue();
        assertThat(spacing.allows(move(3, "b1"))).isFalse();
        spacing.forgetRefreshed(REFRESH_MS);
        assertThat(spacing.allows(move(3, "b1"))).isTrue();
    }

    @Test
    void filesAreApart() {
        spacing.started(move(1, "a1"));
        BlockMove other = new BlockMove(
                new RegionId("r"),
                "/other",
                blockId(2),
                100,
                StorageType.DISK,
                node("b1"),
                List.of(node("b1")),
                node("c1"),
                1,
                1);
        assertThat(spacing.allows(other)).isTrue();
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
            spacing.planned(move);
        }
        List<BlockMove> all = List.copyOf(waiting);
        Map<BlockId, Long> refreshedMs = new HashMap<>();
        List<BlockMove> running = new ArrayList<>();
        long nowMs = 0;
        for (int turn = 0; turn < 5_000 && !waiting.isEmpty(); turn++, nowMs += 500) {
            spacing.forgetRefreshed(nowMs);
            for (BlockMove move : List.copyOf(waiting)) {
                if (running.size() < 6 && spacing.allows(move)) {
                    waiting.remove(move);
                    running.add(move);
                    spacing.started(move);
                }
            }
            if (!running.isEmpty() && random.nextInt(3) == 0) {
                BlockMove done = running.remove(random.nextInt(running.size()));
                spacing.ended(done, true, nowMs + REFRESH_MS);
                refreshedMs.put(done.block(), nowMs + REFRESH_MS);
            }
            Set<String> dead = new HashSet<>();
            for (BlockMove move : all) {
                boolean stale = running.contains(move) || refreshedMs.getOrDefault(move.block(), 0L) > nowMs;
                if (stale) {
                    dead.add(move.giver().host());
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

    private void run(BlockMove move, long endMs) {
        spacing.started(move);
        spacing.ended(move, true, endMs + REFRESH_MS);
    }

    /** A block on these DataNodes, of which the first gives its replica up. */
    private static BlockMove move(long number, String... holders) {
        return new BlockMove(
                new RegionId("r"),
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
