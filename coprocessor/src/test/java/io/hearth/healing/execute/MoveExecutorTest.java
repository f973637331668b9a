package io.hearth.healing.execute;

import static io.hearth.healing.fakes.Racks.blockId;
import static io.hearth.healing.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.execute.MoveResult.Answer;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.StorageType;
import io.hearth.healing.trigger.BackOff;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class MoveExecutorTest {

    private static final MoveLimits LIMITS = new MoveLimits(10, 4, 0, 1_000, 9_000, 3, 5_000, new BackOff(100, 400), 0);

    /** DataNodes that answer when the test lets a waiting thread run. */
    private final Deque<Runnable> threads = new ArrayDeque<>();

    private final Deque<MoveResult> answers = new ArrayDeque<>();
    private final List<String> proxiesAsked = new ArrayList<>();
    private final BlockMover mover = new BlockMover() {
        @Override
        public MoveResult move(BlockMove move, DataNode proxy, long listenMs) {
            proxiesAsked.add(proxy.host());
            assertThat(listenMs).isEqualTo(9_000);
            return answers.isEmpty() ? MoveResult.of(Answer.COPIED) : answers.poll();
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
        executor.conclude(blockId(1), MoveState.HEALED, "confirmed", 20);
        assertThat(executor.takeEnded()).extracting(TrackedMove::state).containsExactly(MoveState.HEALED);
        assertThat(executor.hasMoveOf(blockId(1))).isFalse();
    }

    @Test
    void bytesAreOnTheirWayUntilTheirMoveHasEnded() {
        executor.submit(List.of(move(1, "c1"), move(2, "c1"), move(3, "c2")), 0);
        assertThat(executor.bytesTo("c1")).isEqualTo(Map.of(StorageType.DISK, 200L));
        turn(0);
        turn(1);
        assertThat(executor.bytesTo("c1")).as("copied, not confirmed").isEqualTo(Map.of(StorageType.DISK, 200L));
        executor.conclude(blockId(1), MoveState.HEALED, "", 2);
        executor.conclude(blockId(2), MoveState.BOUNCED, "", 2);
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
        answers.add(MoveResult.of(Answer.BUSY));
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
            answers.add(MoveResult.of(Answer.BUSY));
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
        answers.add(new MoveResult(Answer.FAILED, "EOFException"));
        answers.add(new MoveResult(Answer.FAILED, "EOFException"));
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
            answers.add(new MoveResult(Answer.FAILED, "EOFException"));
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
        answers.add(MoveResult.of(Answer.PROXY_BUSY));
        executor.submit(List.of(move(1, "c1"), move(2, "c2")), 0);
        executor.doWork(LIMITS, true, 0);
        threads.poll().run();
        threads.clear();
        executor.doWork(LIMITS, true, 1);
        executor.submit(List.of(move(3, "c1"), move(4, "c3")), 10);
        executor.doWork(LIMITS, true, 10);
        assertThat(executor.count(MoveState.PLANNED))
                .as("all of these would be copied from a1")
                .isEqualTo(3);

        answers.add(MoveResult.of(Answer.COPIED));
        executor.doWork(LIMITS, true, 101);
        answerAll();
        assertThat(proxiesAsked).startsWith("a1", "b1");
    }

    @Test
    void whatCanNotSucceedIsNotTriedAgain() {
        answers.add(new MoveResult(Answer.REFUSED, "No more available volumes"));
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

        assertThat(executor.awaitingNameNode()).extracting(TrackedMove::state).containsExactly(MoveState.INCONCLUSIVE);
        assertThat(executor.running()).isEqualTo(1);
        executor.conclude(blockId(1), MoveState.UNSETTLED, "", 5_000);
        assertThat(executor.running()).isZero();

        answerAll();
        executor.doWork(LIMITS, true, 6_000);
        assertThat(executor.takeEnded())
                .as("an answer after the end changes nothing")
                .hasSize(1);
    }

    @Test
    void aReplicaThatWasThereBeforeIsTheNameNodesToJudge() {
        answers.add(MoveResult.of(Answer.ALREADY_THERE));
        executor.submit(List.of(move(1, "c1")), 0);
        turn(0);
        turn(1);

        assertThat(executor.awaitingNameNode()).extracting(TrackedMove::state).containsExactly(MoveState.INCONCLUSIVE);
    }

    @Test
    void aLateAnswerCounts() {
        executor.submit(List.of(move(1, "c1")), 0);
        executor.doWork(LIMITS, true, 0);
        executor.doWork(LIMITS, true, 2_000);
        answerAll();
        executor.doWork(LIMITS, true, 3_000);

        assertThat(executor.count(MoveState.COPIED)).isEqualTo(1);
        assertThat(executor.running()).isZero();
    }

    @Test
    void anAnswerOfAnEarlierCallIsNotTakenForThisOneThoughTheMovesAreTheSame() {
        answers.add(MoveResult.of(Answer.FAILED));
        executor.submit(List.of(move(1, "c1")), 0);
        executor.doWork(LIMITS, true, 0);
        Runnable first = threads.poll();
        executor.doWork(LIMITS, true, 2_000);
        executor.conclude(blockId(1), MoveState.UNSETTLED, "", 3_000);
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
        MoveLimits slow = new MoveLimits(10, 10, 100, 1_000, 9_000, 3, 5_000, new BackOff(100, 400), 0);
        executor.submit(List.of(move(1, "c1"), move(2, "c1"), move(3, "c1")), 0);

        executor.doWork(slow, true, 0);
        assertThat(executor.count(MoveState.RUNNING)).isEqualTo(1);
        assertThat(executor.running()).as("a move held back holds no slot").isEqualTo(1);
        executor.doWork(slow, true, 500);
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
                new RegionId("r"),
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
