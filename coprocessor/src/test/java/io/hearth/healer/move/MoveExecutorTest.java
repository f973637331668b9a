// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import static io.hearth.healer.fakes.Racks.blockId;
import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ExponentialBackoff;
import io.hearth.healer.fakes.HealLimits;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import io.hearth.healer.move.MoveExecutor.DataNodeLimits;
import io.hearth.healer.move.MoveExecutor.MoveLimits;
import io.hearth.healer.move.MoveExecutor.MoveThreadPool;
import io.hearth.healer.move.MoveExecutor.NodeLimits;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.throttle.AimdThrottle;
import io.hearth.healer.throttle.AimdThrottle.ThrottleState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MoveExecutorTest {

    private static final MoveLimits LIMITS = new MoveLimits(
            10, HealLimits.dataNodes(4, 0), 0, 0, 1_000, 9_000, 3, 5_000, new ExponentialBackoff(100, 400), 0);

    /** DataNodes that answer when the test lets a waiting thread run. */
    private final Deque<Runnable> threads = new ArrayDeque<>();

    private final Deque<MoveResult> responses = new ArrayDeque<>();
    private final List<String> proxiesAsked = new ArrayList<>();
    private final BlockMover mover = new BlockMover() {
        @Override
        public MoveResult move(BlockMove move, DataNode proxy, long listenMs) {
            proxiesAsked.add(proxy.host());
            assertThat(listenMs).isEqualTo(9_000);
            return responses.isEmpty() ? MoveResult.of(Response.COPIED) : responses.poll();
        }

        @Override
        public Optional<String> missingPrivilege() {
            return Optional.empty();
        }
    };
    private final MoveExecutor executor = new MoveExecutor(mover, threads::add);

    @Test
    void aCopiedMoveAwaitsTheNameNodeAndFreesItsSlots() {
        executor.submit(List.of(move(1, "c1")), 0);
        executor.doWork(LIMITS, true, 0);
        assertThat(executor.running()).isEqualTo(1);

        answerAll();
        executor.doWork(LIMITS, true, 10);

        assertThat(executor.running()).isZero();
        assertThat(executor.awaitingNameNode()).extracting(TrackedMove::state).containsExactly(MoveState.COPIED);
        assertThat(executor.takeEnded()).isEmpty();
        executor.conclude(blockId(1), MoveState.VERIFIED, "confirmed", 20);
        assertThat(executor.takeEnded()).extracting(TrackedMove::state).containsExactly(MoveState.VERIFIED);
        assertThat(executor.hasMoveOf(blockId(1))).isFalse();
    }

    /** What a DataNode allows is said on other threads: between the first look at it and the last one. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void aDataNodeThatAllowsLessAMomentLaterIsNoFailure(int looks) {
        executor.submit(List.of(move(1, "c1")), 0);
        executor.doWork(LIMITS, true, 0);
        AtomicInteger left = new AtomicInteger(looks);
        NodeLimits falling = node -> new DataNodeLimits(left.getAndDecrement() > 0 ? 2 : 1, 0);
        MoveLimits limits =
                new MoveLimits(10, falling, 0, 0, 1_000, 9_000, 3, 5_000, new ExponentialBackoff(100, 400), 0);
        executor.submit(List.of(move(2, "c1")), 0);

        executor.doWork(limits, true, 0);
        assertThat(executor.running() + executor.count(MoveState.PLANNED)).isEqualTo(2);
        answerAll();
        executor.doWork(limits, true, 10);
        executor.doWork(limits, true, 200);
        assertThat(executor.running() + executor.awaitingNameNode().size())
                .as("it starts later")
                .isEqualTo(2);
    }

    @Test
    void whatIsDoneAfterEachTaskIsDoneHoweverTheTaskEnds() {
        List<String> done = new ArrayList<>();
        MoveThreadPool direct = Runnable::run;
        MoveThreadPool told = direct.thenDo(() -> done.add("after"));

        told.run(() -> done.add("task"));
        assertThatThrownBy(() -> told.run(() -> {
                    throw new IllegalStateException("on purpose");
                }))
                .hasMessage("on purpose");
        assertThat(done).containsExactly("task", "after", "after");
    }

    /** 100 bytes at 1,000 bytes a second are paid for in 100 ms, and the bucket held 100 ms of the rate. */
    @Test
    void saysWhenAMoveThatWaitsForBytesMayStart() {
        MoveLimits paced = new MoveLimits(
                10, HealLimits.dataNodes(4, 0), 1_000, 0, 1_000, 9_000, 3, 5_000, new ExponentialBackoff(100, 400), 0);
        assertThat(executor.nextStartMs()).isEmpty();
        executor.submit(List.of(move(1, "c1"), move(2, "c1"), move(3, "c1")), 0);

        executor.doWork(paced, true, 0);
        assertThat(executor.running()).isEqualTo(1);
        assertThat(executor.nextStartMs()).hasValue(1);
        executor.doWork(paced, true, 1);
        assertThat(executor.running()).isEqualTo(2);
        assertThat(executor.nextStartMs()).hasValue(101);
        executor.doWork(paced, true, 100);
        assertThat(executor.running()).as("a millisecond too early").isEqualTo(2);
        executor.doWork(paced, true, 101);
        assertThat(executor.running()).isEqualTo(3);
        assertThat(executor.nextStartMs()).isEmpty();
    }

    @Test
    void saysWhenAMoveThatIsTriedAgainMayStart() {
        executor.submit(List.of(move(1, "c1")), 0);
        executor.doWork(LIMITS, true, 0);
        responses.add(MoveResult.of(Response.FAILED));
        answerAll();

        executor.doWork(LIMITS, true, 10);
        assertThat(executor.nextStartMs()).hasValue(110);
        executor.cancelPlanned(move -> true, "overtaken", 20);
        assertThat(executor.nextStartMs()).isEmpty();
    }

    /** Two at a time pass a slow uplink; two that nobody answers would keep all others from it until the NameNode says how they ended. */
    @Test
    void aMoveWithoutAnAnswerInTimeHoldsNoPlaceOnASlowUplink() {
        MoveLimits limits = new MoveLimits(
                20, HealLimits.dataNodes(4, 1_000), 0, 0, 3_000, 9_000, 3, 60_000, new ExponentialBackoff(100, 400), 0);
        executor.submit(List.of(apart(1_000, "b1", "b2")), 0);
        executor.doWork(limits, true, 0);
        answerAll();
        executor.doWork(limits, true, 500);
        long nowMs = 500;
        int block = 0;
        while (executor.takeNarrowedUplinks().stream().noneMatch(uplink -> uplink.moves() == 2)) {
            assertThat(nowMs).isLessThan(30_000);
            for (int number = 0; number < 16; number++) {
                executor.submit(List.of(apart(block++, "a" + number % 8, "b" + number % 8)), nowMs);
            }
            for (int turn = 0; turn < 4; turn++, nowMs += 500) {
                executor.doWork(limits, true, nowMs);
            }
            answerAll();
            executor.doWork(limits, true, nowMs);
        }
        executor.doWork(limits, true, nowMs);
        assertThat(executor.count(MoveState.RUNNING)).isEqualTo(2);
        threads.clear();

        for (int turn = 0; turn < 6; turn++, nowMs += 500) {
            executor.doWork(limits, true, nowMs);
            assertThat(threads).as("at %d ms", nowMs).isEmpty();
        }
        executor.doWork(limits, true, nowMs + 1);

        assertThat(executor.count(MoveState.TIMED_OUT)).isEqualTo(2);
        assertThat(threads).as("another's turn beside two that may be over").hasSize(1);
        assertThat(executor.running())
                .as("their DataNodes may be at work still")
                .isEqualTo(3);
        for (TrackedMove unanswered : executor.awaitingNameNode()) {
            executor.conclude(unanswered.move().block(), MoveState.INCONCLUSIVE, "", nowMs + 2);
        }
        executor.doWork(limits, true, nowMs + 2);
        assertThat(threads).as("both are over").hasSize(2);
    }

    @Test
    void aThreadSaysThatItIsDoneAlsoAfterAFailure() {
        List<String> said = new ArrayList<>();
        MoveThreadPool waking = ((MoveThreadPool) threads::add).thenDo(() -> said.add("done"));
        waking.run(() -> said.add("answer"));
        waking.run(() -> {
            throw new IllegalStateException("no answer");
        });

        threads.poll().run();
        assertThat(said).containsExactly("answer", "done");
        assertThatThrownBy(() -> threads.poll().run()).hasMessage("no answer");
        assertThat(said).containsExactly("answer", "done", "done");
    }

    @Test
    void aMoverThatNeedsNoThreadAnswersWhenItCan() {
        List<Consumer<MoveResult>> asked = new ArrayList<>();
        BlockMover threadless = new BlockMover() {
            @Override
            public void start(
                    BlockMove move, DataNode proxy, long listenMs, MoveThreadPool pool, Consumer<MoveResult> answer) {
                asked.add(answer);
            }

            @Override
            public MoveResult move(BlockMove move, DataNode proxy, long listenMs) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Optional<String> missingPrivilege() {
                return Optional.empty();
            }
        };
        MoveExecutor withoutThreads = new MoveExecutor(threadless, threads::add);
        withoutThreads.submit(List.of(move(1, "c1")), 0);
        withoutThreads.doWork(LIMITS, true, 0);
        withoutThreads.doWork(LIMITS, true, 10);
        assertThat(withoutThreads.count(MoveState.RUNNING)).isEqualTo(1);

        asked.get(0).accept(MoveResult.of(Response.COPIED));
        withoutThreads.doWork(LIMITS, true, 20);

        assertThat(withoutThreads.count(MoveState.COPIED)).isEqualTo(1);
        assertThat(threads).isEmpty();
    }

    @Test
    void bytesAreOnTheirWayUntilTheirMoveHasEnded() {
        executor.submit(List.of(move(1, "c1"), move(2, "c1"), move(3, "c2")), 0);
        assertThat(executor.bytesTo("c1")).isEqualTo(Map.of(StorageType.DISK, 200L));
        turn(0);
        turn(1);
        assertThat(executor.bytesTo("c1")).as("copied, not confirmed").isEqualTo(Map.of(StorageType.DISK, 200L));
        executor.conclude(blockId(1), MoveState.VERIFIED, "", 2);
        executor.conclude(blockId(2), MoveState.REVERTED, "", 2);
        assertThat(executor.bytesTo("c1")).isEmpty();
        assertThat(executor.bytesTo("c2")).isEqualTo(Map.of(StorageType.DISK, 100L));
    }

    @Test
    void aBlockHasOneMoveAtATime() {
        assertThat(executor.submit(List.of(move(1, "c1")), 0)).hasSize(1);
        assertThat(executor.submit(List.of(move(1, "c2")), 0)).isEmpty();
    }

    @Test
    void noDataNodeTakesPartInMoreMovesThanItMay() {
        executor.submit(
                List.of(move(1, "c1"), move(2, "c1"), move(3, "c1"), move(4, "c1"), move(5, "c1"), move(6, "b9")), 0);
        executor.doWork(LIMITS, true, 0);

        assertThat(executor.count(MoveState.RUNNING))
                .as("four at c1; the proxy a1 copies and b1 gives in those four, so that b9 waits too")
                .isEqualTo(4);
    }

    @Test
    void aBusyDataNodeIsNoFailureAndRests() {
        responses.add(MoveResult.of(Response.BUSY));
        executor.submit(List.of(move(1, "c1")), 0);
        executor.doWork(LIMITS, true, 0);
        answerAll();
        executor.doWork(LIMITS, true, 10);
        assertThat(executor.count(MoveState.PLANNED)).isEqualTo(1);

        executor.submit(List.of(move(2, "c1")), 20);
        executor.doWork(LIMITS, true, 20);
        assertThat(executor.count(MoveState.RUNNING)).as("the target rests").isZero();

        executor.doWork(LIMITS, true, 110);
        assertThat(executor.count(MoveState.RUNNING)).isEqualTo(2);
        answerAll();
        executor.doWork(LIMITS, true, 120);
        assertThat(executor.count(MoveState.COPIED)).isEqualTo(2);
    }

    @Test
    void aDataNodeThatStaysBusyEndsTheMoveForTheTimeBeing() {
        executor.submit(List.of(move(1, "c1")), 0);
        for (int i = 0; i < 20; i++) {
            responses.add(MoveResult.of(Response.BUSY));
        }
        long nowMs = 0;
        for (int i = 0; i < 20; i++, nowMs += 1_000) {
            executor.doWork(LIMITS, true, nowMs);
            answerAll();
        }

        assertThat(executor.takeEnded()).extracting(TrackedMove::state).containsExactly(MoveState.CANCELLED);
        assertThat(proxiesAsked)
                .as("every other turn until the plan is five seconds old")
                .hasSize(3);
    }

    @Test
    void aFailureIsTriedAgainWithAnotherProxy() {
        responses.add(new MoveResult(Response.FAILED, "EOFException"));
        responses.add(new MoveResult(Response.FAILED, "EOFException"));
        executor.submit(List.of(move(1, "c1")), 0);

        turn(0);
        turn(10);
        turn(109);
        assertThat(proxiesAsked).as("waits 100 ms after the first failure").hasSize(1);
        turn(110);
        turn(120);
        turn(319);
        assertThat(proxiesAsked).as("waits 200 ms after the second").hasSize(2);
        turn(320);
        turn(321);

        assertThat(proxiesAsked).containsExactly("a1", "b1", "a1");
        assertThat(executor.count(MoveState.COPIED)).isEqualTo(1);
    }

    @Test
    void thirdFailureIsTheLast() {
        executor.submit(List.of(move(1, "c1")), 0);
        for (int i = 0; i < 3; i++) {
            responses.add(new MoveResult(Response.FAILED, "EOFException"));
        }
        for (long nowMs = 0; nowMs < 5_000; nowMs += 100) {
            turn(nowMs);
        }

        List<TrackedMove> ended = executor.takeEnded();
        assertThat(ended).extracting(TrackedMove::state).containsExactly(MoveState.FAILED);
        assertThat(ended.get(0).detail()).isEqualTo("EOFException");
        assertThat(proxiesAsked).hasSize(3);
    }

    @Test
    void aBusyProxyRestsAndAnotherOneIsAsked() {
        responses.add(MoveResult.of(Response.PROXY_BUSY));
        executor.submit(List.of(move(1, "c1"), move(2, "c2")), 0);
        executor.doWork(LIMITS, true, 0);
        threads.poll().run();
        threads.clear();
        executor.doWork(LIMITS, true, 1);
        executor.submit(List.of(move(3, "c1"), move(4, "c3")), 10);
        executor.doWork(LIMITS, true, 10);
        assertThat(executor.count(MoveState.PLANNED))
                .as("the one that was refused waits")
                .isEqualTo(1);
        answerAll();
        assertThat(proxiesAsked).as("a1 rests").containsExactly("a1", "b1", "b1");

        responses.add(MoveResult.of(Response.COPIED));
        executor.doWork(LIMITS, true, 101);
        answerAll();
        assertThat(proxiesAsked).containsExactly("a1", "b1", "b1", "b1");
    }

    @Test
    void aDataNodeThatHasNoPlaceFreeHoldsNobodyUpWhoseBlockOthersHave() {
        NodeLimits oneAtA1 = node -> new DataNodeLimits(node.host().equals("a1") ? 1 : 9, 0);
        MoveLimits limits =
                new MoveLimits(10, oneAtA1, 0, 0, 1_000, 9_000, 3, 5_000, new ExponentialBackoff(100, 400), 0);
        executor.submit(List.of(move(1, "c1"), move(2, "c2"), move(3, "a1"), move(4, "c3")), 0);
        executor.doWork(limits, true, 0);
        answerAll();
        assertThat(proxiesAsked)
                .as("a1 sends one, and has no place to receive 3")
                .containsExactly("a1", "b1", "b1");
        executor.doWork(limits, true, 1);
        answerAll();
        assertThat(proxiesAsked).hasSize(4);
    }

    /** Broken (those that wait for a place at the last other proxy are not asked again): until the NameNode has said how 2 ended. */
    @Test
    void onceNoProxyHasAnsweredEachMayBeAskedAgain() {
        NodeLimits oneAtB1 = node -> new DataNodeLimits(node.host().equals("b1") ? 1 : 9, 0);
        MoveLimits limits =
                new MoveLimits(10, oneAtB1, 0, 0, 1_000, 9_000, 3, 50_000, new ExponentialBackoff(100, 400), 0);
        List<DataNode> proxies = List.of(node("a1"), node("b1"));
        executor.submit(List.of(move(1, node("a2"), proxies, "c1")), 0);
        executor.doWork(limits, true, 0);
        executor.doWork(limits, true, 1);
        executor.doWork(limits, true, 1_002);
        executor.submit(List.of(move(2, node("a2"), proxies, "c1"), move(3, node("a2"), proxies, "c1")), 1_002);
        executor.doWork(limits, true, 1_003);
        assertThat(executor.count(MoveState.PLANNED))
                .as("a1 has not answered 1, and b1 has its one place in 2")
                .isEqualTo(1);

        executor.doWork(limits, true, 1_004);
        executor.doWork(limits, true, 2_005);

        assertThat(executor.count(MoveState.PLANNED)).as("nor has b1").isZero();
        answerAll();
        assertThat(proxiesAsked).containsExactly("a1", "b1", "a1");
    }

    /** Blocks of 100 bytes at 100 bytes a second for each DataNode: the proxy that has sent one is in debt for a second. */
    @Test
    void whatADataNodeReceivesAndSendsIsPacedTogether() {
        MoveLimits slow = new MoveLimits(
                10, HealLimits.dataNodes(9, 100), 0, 0, 1_000, 9_000, 3, 5_000, new ExponentialBackoff(100, 400), 0);
        executor.submit(List.of(move(1, "c1"), move(2, "c2"), move(3, "c3"), move(4, "c1")), 0);
        executor.doWork(slow, true, 0);
        answerAll();
        assertThat(proxiesAsked).as("a1 and b1 have sent what they may").containsExactly("a1", "b1");
        assertThat(executor.nextStartMs()).hasValue(901);
        executor.doWork(slow, true, 901);
        answerAll();
        assertThat(proxiesAsked).containsExactly("a1", "b1", "a1", "b1");
    }

    /**
     * Three DataNodes with six blocks of 100 bytes to send and as many to receive at 100 bytes a second: the last can start after 11 s. Broken
     * (nothing is saved up while the other one is in debt): after 15 s.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void dataNodesThatExchangeTheirBlocksUseTheirRates(long seed) {
        MoveLimits paced = new MoveLimits(
                10, HealLimits.dataNodes(9, 100), 0, 0, 1_000, 9_000, 3, 50_000, new ExponentialBackoff(100, 400), 0);
        List<String> hosts = List.of("a1", "b1", "c1");
        List<BlockMove> moves = new ArrayList<>();
        for (int block = 0; block < 18; block++) {
            String target = hosts.get((block + 1 + block / 3 % 2) % 3);
            moves.add(apart(block, hosts.get(block % 3), target));
        }
        Collections.shuffle(moves, new Random(seed));
        executor.submit(moves, 0);

        long nowMs = 0;
        executor.doWork(paced, true, nowMs);
        while (executor.nextStartMs().isPresent()) {
            nowMs = executor.nextStartMs().getAsLong();
            executor.doWork(paced, true, nowMs);
            answerAll();
        }
        assertThat(proxiesAsked).as("seed %d", seed).hasSize(18);
        assertThat(nowMs).as("seed %d", seed).isBetween(10_700L, 13_000L);
    }

    /** Broken (asked when the cut rate has paid for the last block, and its rate grows when it is asked for alone): after 99.9 s. */
    @Test
    void aDataNodeGoesOnAsItsRateGrowsAgainAfterACut() {
        Map<DataNode.Id, ThrottleState> rates = new HashMap<>();
        ThrottleState cut = new ThrottleState(1, 0, 0, 0);
        long[] nowMs = {0};
        NodeLimits growing = node -> {
            ThrottleState before = rates.getOrDefault(node.id(), cut);
            rates.put(node.id(), AimdThrottle.next(before, 256, Set.of(), nowMs[0]));
            return new DataNodeLimits(9, rates.get(node.id()).bytesPerSecond());
        };
        MoveLimits limits =
                new MoveLimits(10, growing, 0, 0, 200_000, 9_000, 3, 200_000, new ExponentialBackoff(100, 400), 0);
        executor.submit(List.of(move(1, "a1", "c1"), move(2, "a1", "c1")), 0);

        executor.doWork(limits, true, nowMs[0]);
        while (executor.running() < 2) {
            nowMs[0] = executor.nextStartMs().orElseThrow();
            executor.doWork(limits, true, nowMs[0]);
        }
        assertThat(nowMs[0])
                .as("26 bytes in the second second, then 51 a second")
                .isEqualTo(2_450);
    }

    @Test
    void whatEntersARackIsPaced() {
        MoveLimits slow = new MoveLimits(
                10, HealLimits.dataNodes(9, 0), 0, 100, 1_000, 9_000, 3, 5_000, new ExponentialBackoff(100, 400), 0);
        executor.submit(List.of(move(1, "c1"), move(2, "c2"), move(3, "d1")), 0);
        executor.doWork(slow, true, 0);
        assertThat(executor.running())
                .as("one into /c and one into /d, which come from /a and /b")
                .isEqualTo(2);
        executor.doWork(slow, true, 901);
        assertThat(executor.running()).isEqualTo(3);
    }

    @Test
    void whatCanNotSucceedIsNotTriedAgain() {
        responses.add(new MoveResult(Response.REFUSED, "No more available volumes"));
        executor.submit(List.of(move(1, "c1")), 0);
        executor.doWork(LIMITS, true, 0);
        answerAll();
        executor.doWork(LIMITS, true, 1);

        assertThat(executor.takeEnded()).extracting(TrackedMove::state).containsExactly(MoveState.REFUSED);
    }

    @Test
    void aMoveWithoutAnswerIsInconclusiveAndKeepsItsSlots() {
        executor.submit(List.of(move(1, "c1")), 0);
        executor.doWork(LIMITS, true, 0);
        executor.doWork(LIMITS, true, 1_000);
        assertThat(executor.count(MoveState.RUNNING)).isEqualTo(1);
        executor.doWork(LIMITS, true, 1_001);

        assertThat(executor.awaitingNameNode()).extracting(TrackedMove::state).containsExactly(MoveState.TIMED_OUT);
        assertThat(executor.running()).isEqualTo(1);
        executor.conclude(blockId(1), MoveState.INCONCLUSIVE, "the NameNode does not know", 5_000);
        assertThat(executor.running()).isZero();

        answerAll();
        executor.doWork(LIMITS, true, 6_000);
        assertThat(executor.takeEnded())
                .as("an answer after the end changes nothing")
                .extracting(TrackedMove::detail)
                .containsExactly("no answer within 1000 ms; the NameNode does not know");
    }

    /** Moves start at the end of a turn, which a slow NameNode may have made longer than the time that they have. */
    @Test
    void aMoveThatStartedAtTheEndOfALongTurnHasItsWholeTimeFromThenOn() {
        executor.submit(List.of(move(1, "c1")), 0);
        executor.doWork(LIMITS, true, 0);
        executor.doWork(LIMITS, true, 1_500);
        assertThat(executor.count(MoveState.RUNNING))
                .as("started at 1,500 perhaps")
                .isEqualTo(1);
        executor.doWork(LIMITS, true, 1_600);
        assertThat(executor.count(MoveState.RUNNING)).as("a quick turn later").isEqualTo(1);
        executor.doWork(LIMITS, true, 2_500);
        assertThat(executor.count(MoveState.RUNNING)).as("1,000 ms later").isEqualTo(1);
        executor.doWork(LIMITS, true, 2_501);

        assertThat(executor.awaitingNameNode())
                .singleElement()
                .extracting(TrackedMove::state, TrackedMove::detail)
                .containsExactly(MoveState.TIMED_OUT, "no answer within 1000 ms");
    }

    @Test
    void oneLongTurnAfterAnotherGivesMovesOfTheFirstNoMoreTime() {
        MoveLimits longer = new MoveLimits(
                10, HealLimits.dataNodes(4, 0), 0, 0, 4_000, 9_000, 3, 90_000, new ExponentialBackoff(100, 400), 0);
        executor.submit(List.of(move(1, "c1")), 0);
        executor.doWork(longer, true, 0);
        executor.doWork(longer, true, 5_000);
        executor.doWork(longer, true, 7_000);
        executor.doWork(longer, true, 9_000);
        assertThat(executor.count(MoveState.RUNNING))
                .as("4,000 ms after its turn")
                .isEqualTo(1);
        executor.doWork(longer, true, 11_000);

        assertThat(executor.count(MoveState.TIMED_OUT)).isEqualTo(1);
    }

    @Test
    void aReplicaThatWasThereBeforeIsForTheNameNodeToVerify() {
        responses.add(MoveResult.of(Response.ALREADY_THERE));
        executor.submit(List.of(move(1, "c1")), 0);
        turn(0);
        turn(1);

        assertThat(executor.awaitingNameNode()).extracting(TrackedMove::state).containsExactly(MoveState.TIMED_OUT);
    }

    /** The target is at it, and its proxy is as good as any other: only who does not answer is avoided. */
    @ParameterizedTest
    @CsvSource({"UNDER_WAY, a1", "ALREADY_THERE, a1", "TIMED_OUT, b1"})
    void anAnswerThatACopyIsUnderWayIsAnAnswer(Response first, String nextProxy) {
        responses.add(MoveResult.of(first));
        executor.submit(List.of(move(1, "c1")), 0);
        turn(0);
        executor.doWork(LIMITS, true, 1);
        assertThat(executor.awaitingNameNode()).extracting(TrackedMove::state).containsExactly(MoveState.TIMED_OUT);
        executor.conclude(blockId(1), MoveState.INCONCLUSIVE, "", 2);
        executor.submit(List.of(move(2, "c1")), 60_000);
        turn(60_000);

        assertThat(proxiesAsked).containsExactly("a1", nextProxy);
    }

    @Test
    void aLateAnswerCounts() {
        executor.submit(List.of(move(1, "c1")), 0);
        executor.doWork(LIMITS, true, 0);
        executor.doWork(LIMITS, true, 1);
        executor.doWork(LIMITS, true, 2_000);
        assertThat(executor.count(MoveState.TIMED_OUT)).isEqualTo(1);
        answerAll();
        executor.doWork(LIMITS, true, 3_000);

        assertThat(executor.count(MoveState.COPIED)).isEqualTo(1);
        assertThat(executor.running()).isZero();
    }

    @Test
    void anAnswerOfAnEarlierCallIsNotTakenForThisOneThoughTheMovesAreTheSame() {
        responses.add(MoveResult.of(Response.FAILED));
        executor.submit(List.of(move(1, "c1")), 0);
        executor.doWork(LIMITS, true, 0);
        Runnable first = threads.poll();
        executor.doWork(LIMITS, true, 1);
        executor.doWork(LIMITS, true, 2_000);
        executor.conclude(blockId(1), MoveState.INCONCLUSIVE, "", 3_000);
        executor.submit(List.of(move(1, "c1")), 4_000);
        executor.doWork(LIMITS, true, 4_000);
        first.run();
        executor.doWork(LIMITS, true, 4_001);

        assertThat(executor.count(MoveState.RUNNING)).isEqualTo(1);
    }

    @Test
    void nothingStartsWhenNothingMay() {
        executor.submit(List.of(move(1, "c1"), move(2, "c2")), 0);
        executor.doWork(LIMITS, false, 0);

        assertThat(threads).isEmpty();
        assertThat(executor.cancelPlanned(move -> move.target().host().equals("c1"), "off", 1))
                .isEqualTo(1);
        assertThat(executor.takeEnded()).extracting(TrackedMove::state).containsExactly(MoveState.CANCELLED);
        assertThat(executor.count(MoveState.PLANNED)).isEqualTo(1);
    }

    @Test
    void aMoveThatCouldNotStartForLongIsCancelled() {
        executor.submit(List.of(move(1, "c1")), 0);
        executor.doWork(LIMITS, false, 5_000);
        assertThat(executor.count(MoveState.PLANNED)).isEqualTo(1);
        executor.doWork(LIMITS, true, 5_001);

        assertThat(executor.takeEnded())
                .extracting(TrackedMove::toString)
                .first()
                .asString()
                .contains("state=CANCELLED", "could not start within 5000 ms");
        assertThat(threads).isEmpty();
    }

    @Test
    void bytesArePaced() {
        MoveLimits slow = new MoveLimits(
                10, HealLimits.dataNodes(10, 0), 100, 0, 1_000, 9_000, 3, 5_000, new ExponentialBackoff(100, 400), 0);
        executor.submit(List.of(move(1, "c1"), move(2, "c1"), move(3, "c1")), 0);

        executor.doWork(slow, true, 0);
        assertThat(executor.count(MoveState.RUNNING)).isEqualTo(1);
        assertThat(executor.running()).as("a move held back holds no slot").isEqualTo(1);
        executor.doWork(slow, true, 900);
        assertThat(executor.count(MoveState.RUNNING))
                .as("90 of 100 bytes are not paid for, and nobody may go in debt who is there")
                .isEqualTo(1);
        executor.doWork(slow, true, 901);
        assertThat(executor.count(MoveState.RUNNING)).isEqualTo(2);
    }

    @Test
    void aPoolThatIsShutDownIsAFailureAndNotALostSlot() {
        MoveExecutor stopping = new MoveExecutor(mover, task -> {
            throw new RejectedExecutionException("shut down");
        });
        stopping.submit(List.of(move(1, "c1")), 0);
        stopping.doWork(LIMITS, true, 0);
        stopping.doWork(LIMITS, true, 1);

        assertThat(stopping.running()).isZero();
        assertThat(stopping.count(MoveState.PLANNED)).isEqualTo(1);
    }

    @Test
    void aTurnReturnsTheWorkThatItDid() {
        executor.submit(List.of(move(1, "c1"), move(2, "c2"), move(3, "c3")), 0);
        assertThat(executor.doWork(LIMITS, true, 0)).as("three started").isEqualTo(3);
        assertThat(executor.doWork(LIMITS, true, 1)).isZero();
        executor.submit(List.of(move(4, "c1"), move(5, "c1"), move(6, "c1"), move(7, "c1")), 0);
        threads.poll().run();
        threads.poll().run();
        executor.submit(List.of(move(8, "c8")), 5_001);

        assertThat(executor.doWork(LIMITS, true, 5_001))
                .as("two answers, one given up, four cancelled, one started")
                .isEqualTo(8);
        answerAll();
        assertThat(executor.doWork(LIMITS, false, 5_002)).as("two answers").isEqualTo(2);
    }

    @Test
    void saysWhichDataNodesWereTooBusyUntilItIsTaken() {
        responses.add(MoveResult.of(Response.BUSY));
        responses.add(MoveResult.of(Response.PROXY_BUSY));
        responses.add(MoveResult.of(Response.FAILED));
        executor.submit(List.of(move(1, "c1"), move(2, "c2"), move(3, "c3")), 0);
        turn(0);
        executor.doWork(LIMITS, false, 1);

        assertThat(executor.takeBusy())
                .as("the target of the first, the proxy of the second")
                .containsExactlyInAnyOrder(
                        node("c1").id(), move(2, "c2").proxy(0).id());
        assertThat(executor.takeBusy()).isEmpty();
    }

    @Test
    void whatIsPlannedIsCountedByHost() {
        executor.submit(List.of(move(1, "c1"), move(2, "c1"), move(3, "c1"), move(4, "c2")), 0);
        assertThat(executor.planned("c1")).isEqualTo(3);
        assertThat(executor.hasMoveOf(blockId(1))).isTrue();
        assertThat(executor.hasMoveOf(blockId(9))).isFalse();
        executor.cancelPlanned(move -> move.block().equals(blockId(1)), "", 0);
        assertThat(executor.planned("c1")).isEqualTo(2);
        executor.doWork(LIMITS, true, 0);
        assertThat(executor.planned("c1")).isZero();
        assertThat(executor.planned("c2")).isZero();
    }

    @Test
    void aPlaceThatIsFreeAgainIsTakenByTheNextAndAHigherLimitByAll() {
        MoveLimits one = slots(10, 1);
        executor.submit(
                List.of(apart(1, "a2", "c1"), apart(2, "a3", "c1"), apart(3, "a4", "c1"), apart(4, "a5", "c1")), 0);
        executor.doWork(one, true, 0);
        executor.doWork(one, true, 0);
        assertThat(executor.count(MoveState.RUNNING)).isEqualTo(1);
        assertThat(executor.deferred()).isEqualTo(3);
        answerAll();
        executor.doWork(one, true, 1);
        assertThat(executor.count(MoveState.COPIED)).isEqualTo(1);
        assertThat(executor.count(MoveState.RUNNING)).isEqualTo(1);
        executor.doWork(slots(10, 4), true, 2);

        assertThat(executor.count(MoveState.RUNNING)).isEqualTo(3);
        assertThat(executor.deferred()).isZero();
    }

    @Test
    void theClusterHasNoMoreMovesThanItMay() {
        executor.submit(List.of(apart(1, "a2", "c1"), apart(2, "a3", "c2")), 0);
        executor.doWork(slots(1, 4), true, 0);

        assertThat(executor.count(MoveState.RUNNING)).isEqualTo(1);
        assertThat(executor.deferred()).as("not for reasons of its own").isZero();
    }

    @Test
    void oneThatMayNotStartHoldsNobodyElseBack() {
        MoveLimits one = slots(10, 1);
        responses.add(MoveResult.of(Response.FAILED));
        executor.submit(List.of(apart(1, "a2", "c1")), 0);
        executor.doWork(one, true, 0);
        answerAll();
        executor.submit(List.of(apart(2, "a3", "c2"), apart(3, "a4", "c2"), apart(4, "a5", "c3")), 0);
        executor.doWork(one, true, 1);

        assertThat(executor.deferred())
                .as("1 backs off, 3 finds no place at c2")
                .isEqualTo(2);
        assertThat(executor.count(MoveState.RUNNING)).as("2 and 4").isEqualTo(2);
    }

    /** Blocks of one replica: of a file only one DataNode gives at a time, until readers have refreshed. */
    @Test
    void aMoveThatReadersHoldBackStartsWhenTheyHaveRefreshed() {
        MoveLimits refreshed = readers(1_000);
        executor.submit(List.of(move(1, "a2", "c1"), move(2, "a3", "c2"), apart(3, "a4", "c4")), 0);
        executor.doWork(refreshed, true, 0);
        assertThat(executor.count(MoveState.RUNNING)).as("1 and 3").isEqualTo(2);
        assertThat(executor.deferred()).isEqualTo(1);
        answerAll();
        executor.doWork(refreshed, true, 10);
        executor.conclude(blockId(1), MoveState.VERIFIED, "", 20);
        executor.doWork(refreshed, true, 1_019);
        assertThat(executor.count(MoveState.RUNNING)).isZero();
        executor.doWork(refreshed, true, 1_020);

        assertThat(executor.count(MoveState.RUNNING)).isEqualTo(1);
    }

    /** Readers of block 9 look at a2 and a3: with both gone they would stall, but for as long as it is to move only. */
    @Test
    void aMoveThatIsTakenBackHoldsReadersNoMore() {
        MoveLimits one = slots(10, 1);
        BlockMove nine = move(9, node("a2"), List.of(node("a3")), "c9");
        executor.submit(
                List.of(
                        move(1, node("a2"), List.of(node("d1")), "c1"),
                        move(3, node("a3"), List.of(node("d2")), "c3"),
                        nine),
                0);
        executor.doWork(one, true, 0);
        assertThat(executor.count(MoveState.RUNNING)).isEqualTo(1);
        assertThat(executor.deferred()).isEqualTo(2);
        executor.cancelPlanned(nine::equals, "", 1);
        executor.doWork(one, true, 1);

        assertThat(executor.count(MoveState.RUNNING)).isEqualTo(2);
        assertThat(executor.deferred()).isZero();
    }

    /** A failed attempt counts for readers too: the DataNode may have given its replica up. */
    @Test
    void afterAFailedAttemptTheSameMoveWaitsForReaders() {
        MoveLimits refreshed = readers(1_000);
        responses.add(MoveResult.of(Response.FAILED));
        executor.submit(List.of(move(1, "a2", "c1")), 0);
        executor.doWork(refreshed, true, 0);
        answerAll();
        executor.doWork(refreshed, true, 10);
        executor.doWork(refreshed, true, 1_009);
        assertThat(executor.count(MoveState.PLANNED)).isEqualTo(1);
        executor.doWork(refreshed, true, 1_010);

        assertThat(executor.count(MoveState.RUNNING)).isEqualTo(1);
    }

    @Test
    void whateverTheMoverThrowsIsAFailure() {
        BlockMover broken = new BlockMover() {
            @Override
            public MoveResult move(BlockMove move, DataNode proxy, long listenMs) {
                throw new StackOverflowError("deep");
            }

            @Override
            public Optional<String> missingPrivilege() {
                return Optional.empty();
            }
        };
        MoveExecutor ofBroken = new MoveExecutor(broken, Runnable::run);
        ofBroken.submit(List.of(move(1, "c1")), 0);
        for (long ms = 0; ms < 5_000; ms += 100) {
            ofBroken.doWork(LIMITS, true, ms);
        }

        assertThat(ofBroken.takeEnded())
                .singleElement()
                .extracting(TrackedMove::state, TrackedMove::detail)
                .containsExactly(MoveState.FAILED, "java.lang.StackOverflowError: deep");
    }

    private static MoveLimits slots(int inCluster, int atDataNode) {
        return new MoveLimits(
                inCluster,
                HealLimits.dataNodes(atDataNode, 0),
                0,
                0,
                1_000,
                9_000,
                3,
                5_000,
                new ExponentialBackoff(100, 400),
                0);
    }

    private static MoveLimits readers(long refreshMs) {
        return new MoveLimits(
                10,
                HealLimits.dataNodes(4, 0),
                0,
                0,
                10_000,
                9_000,
                3,
                50_000,
                new ExponentialBackoff(100, 400),
                refreshMs);
    }

    /** Of a block with one replica. */
    private static BlockMove move(long number, String only, String target) {
        return move(number, node(only), List.of(node(only)), target);
    }

    /** The same, of a file of its own. */
    private static BlockMove apart(long number, String only, String target) {
        return new BlockMove(
                new EncodedRegionName("r"),
                "/" + number,
                blockId(number),
                100,
                StorageType.DISK,
                node(only),
                List.of(node(only)),
                node(target),
                1,
                1);
    }

    private static BlockMove move(long number, DataNode source, List<DataNode> proxies, String target) {
        return new BlockMove(
                new EncodedRegionName("r"),
                "/f",
                blockId(number),
                100,
                StorageType.DISK,
                source,
                proxies,
                node(target),
                1,
                1);
    }

    private void turn(long nowMs) {
        executor.doWork(LIMITS, true, nowMs);
        answerAll();
    }

    private void answerAll() {
        while (!threads.isEmpty()) {
            threads.poll().run();
        }
    }

    private static BlockMove move(long number, String target) {
        return new BlockMove(
                new EncodedRegionName("r"),
                "/f",
                blockId(number),
                100,
                StorageType.DISK,
                node("b1"),
                List.of(node("a1"), node("b1")),
                node(target),
                3,
                2);
    }
}
