// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.StorageType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyTimesTest {

    private static final long MB = 1 << 20;
    private static final long RATE = 10 * MB;
    private static final DataNode A = node("a1");
    private static final DataNode B = node("a2");
    private static final DataNode D = node("b1");
    private static final DataNode E = node("c1");
    private static final DataNode C = node("a3");

    private final ReplyTimes replyTimes = new ReplyTimes();
    private long nowMs = 1_000_000;
    private int blocks;

    @Test
    void fourLateMovesWithTwoPartnersAreSlow() {
        move(A, B, MB, 1_201);
        move(A, C, MB, 1_201);
        move(B, A, MB, 1_201);
        assertThat(isSlow(A)).as("three say little").isFalse();
        move(C, A, MB, 1_201);
        assertThat(isSlow(A)).isTrue();
        assertThat(isSlow(B)).isFalse();
        assertThat(isSlow(C)).isFalse();
    }

    @Test
    void oneMoveInTimeIsEnough() {
        move(A, B, MB, 9_000);
        move(A, C, MB, 1_200);
        move(A, B, MB, 9_000);
        move(A, C, MB, 9_000);
        assertThat(isSlow(A)).as("1 s above 1 MB twice at 10 MB/s").isFalse();
        move(A, B, MB, 9_000);
        move(A, C, MB, 9_000);
        assertThat(isSlow(A)).as("which was five moves ago").isTrue();
    }

    @Test
    void withOnePartnerNobodyKnowsWhichOfThemItIs() {
        for (int times = 0; times < 20; times++) {
            move(A, B, MB, 9_000);
        }
        assertThat(isSlow(A)).isFalse();
        assertThat(isSlow(B)).isFalse();
    }

    @Test
    void withPartnersOnOtherRacksAloneItMayBeTheUplink() {
        for (DataNode partner : List.of(D, E, D, E)) {
            move(A, partner, MB, 9_000);
        }
        assertThat(isSlow(A)).isFalse();
        move(B, A, MB, 9_000);
        assertThat(isSlow(A)).as("and on its own").isTrue();
    }

    @Test
    void atTheRateThatItDoesItIsNotSlow() {
        slowA();
        assertThat(isSlow(RATE, 2)).isTrue();
        assertThat(isSlow(RATE, 60)).as("sixty at a time").isTrue();
        assertThat(isSlow(RATE, 80)).as("eighty").isFalse();
        assertThat(isSlow(MB / 4, 2)).as("2 MB in 8 s").isFalse();
        assertThat(isSlow(MB / 4 + 1, 2)).isTrue();
    }

    @Test
    void aMoveWithAPartnerOfALowerRateIsNotExpectedSooner() {
        slowA();
        assertThat(replyTimes.isSlow(A.id(), id -> id.equals(A.id()) ? RATE : MB / 4, 2, nowMs))
                .isFalse();
    }

    @Test
    void twoMinutesLaterItSaysNothing() {
        slowA();
        nowMs += ReplyTimes.RECENT_MS;
        replyTimes.tick(nowMs);
        assertThat(isSlow(A)).isTrue();
        nowMs++;
        replyTimes.tick(nowMs);
        assertThat(isSlow(A)).isFalse();
    }

    /** The loop's thread was waiting for the NameNode: who knows when the answers came. */
    @Test
    void whatRanWhileTheLoopStoodStillIsNotMeasured() {
        replyTimes.tick(nowMs);
        nowMs += 9_000;
        replyTimes.tick(nowMs);
        slowA();
        assertThat(isSlow(A)).isFalse();
        nowMs += 9_000;
        slowA();
        assertThat(isSlow(A)).isTrue();
    }

    private void slowA() {
        for (DataNode partner : List.of(B, C, B, C)) {
            move(A, partner, MB, 9_000);
        }
    }

    private record Past(DataNode target, DataNode proxy, long bytes, long ms, long endMs) {

        boolean isWith(DataNode node) {
            return target.equals(node) || proxy.equals(node);
        }

        DataNode other(DataNode node) {
            return target.equals(node) ? proxy : target;
        }
    }

    /** That one alone is found, as a naive computation finds it. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void oneSlowDataNodeMakesNobodyElseSlow(long seed) {
        Set<DataNode> found = slowIn(seed, false);
        assertThat(found).as("seed %s", seed).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 23, 25, 27, 29, 31, 33, 35, 37, 39})
    void oneSlowUplinkMakesNobodySlow(long seed) {
        Set<DataNode> found = slowIn(seed, true);
        assertThat(found).as("seed %s", seed).isEmpty();
    }

    /** Which DataNodes are found to be slow in a random cluster, where one is, or the uplink of its rack. */
    private Set<DataNode> slowIn(long seed, boolean slowUplink) {
        Random random = new Random(seed);
        List<DataNode> nodes = new ArrayList<>();
        for (int node = 0; node < 3 + seed; node++) {
            nodes.add(node("ab".charAt(node % (1 + (int) seed % 2)) + Integer.toString(node)));
        }
        DataNode slow = nodes.get(random.nextInt(nodes.size()));
        Map<DataNode, Long> rates = new HashMap<>();
        nodes.forEach(node -> rates.put(node, RATE / (1 + random.nextInt(4))));
        Map<DataNode.Id, Long> rateById = new HashMap<>();
        rates.forEach((node, rate) -> rateById.put(node.id(), rate));
        List<Past> past = new ArrayList<>();
        Set<DataNode> found = new HashSet<>();
        for (int step = 0; step < 400; step++) {
            DataNode target = nodes.get(random.nextInt(nodes.size()));
            DataNode proxy = nodes.get((nodes.indexOf(target) + 1 + random.nextInt(nodes.size() - 1)) % nodes.size());
            long bytes = MB * (1 + random.nextInt(128));
            boolean crossesSlowUplink =
                    target.rack().equals(slow.rack()) != proxy.rack().equals(slow.rack());
            boolean isSlow = slowUplink ? crossesSlowUplink : target.equals(slow) || proxy.equals(slow);
            long least = 1_000 * bytes / Math.min(rates.get(target), rates.get(proxy));
            long ms = isSlow ? 10 * least + 10_000 : least + random.nextInt(500);
            past.add(new Past(target, proxy, bytes, ms, nowMs));
            move(target, proxy, bytes, ms);
            for (DataNode node : nodes) {
                boolean isFound = replyTimes.isSlow(node.id(), rateById::get, 2, nowMs);
                if (isFound != naive(past, node, rates)) {
                    fail("seed %s, step %s: %s of %s is found slow: %s", seed, step, node, past, isFound);
                }
                if (isFound) {
                    found.add(node);
                }
            }
            nowMs += random.nextInt(1_000);
            replyTimes.tick(nowMs);
        }
        assertThat(found.stream().filter(node -> !node.equals(slow)))
                .as("seed %s", seed)
                .isEmpty();
        return found;
    }

    private boolean naive(List<Past> past, DataNode node, Map<DataNode, Long> rates) {
        List<Past> last = new ArrayList<>();
        for (int place = past.size() - 1; place >= 0 && last.size() < 4; place--) {
            if (past.get(place).isWith(node)) {
                last.add(past.get(place));
            }
        }
        boolean allLate = last.stream()
                .allMatch(move -> move.ms()
                        > 1_000 + 2_000.0 * move.bytes() / Math.min(rates.get(node), rates.get(move.other(node))));
        boolean allRecent = last.stream().allMatch(move -> nowMs - move.endMs() <= 120_000);
        return last.size() == 4
                && allLate
                && allRecent
                && last.stream().map(move -> move.other(node)).distinct().count() > 1
                && last.stream()
                        .map(move -> move.other(node).rack())
                        .anyMatch(rack -> rack.equals(node.rack())
                                || last.stream()
                                        .anyMatch(
                                                move -> !move.other(node).rack().equals(rack)));
    }

    private boolean isSlow(long rateOfA, int moves) {
        return replyTimes.isSlow(A.id(), id -> id.equals(A.id()) ? rateOfA : RATE, moves, nowMs);
    }

    private boolean isSlow(DataNode node) {
        return replyTimes.isSlow(node.id(), id -> RATE, 2, nowMs);
    }

    private void move(DataNode target, DataNode proxy, long bytes, long ms) {
        BlockMove move = new BlockMove(
                new EncodedRegionName("r"),
                "/f",
                new BlockId("BP", blocks++, 1),
                bytes,
                StorageType.DISK,
                proxy,
                List.of(proxy),
                target,
                3,
                2);
        replyTimes.add(TrackedMove.planned(move, nowMs - ms).running(0, nowMs - ms), nowMs);
    }
}
