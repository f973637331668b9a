package io.hearth.healing.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healing.fakes.CountedMetrics;
import io.hearth.healing.fakes.FakeLock;
import io.hearth.healing.fakes.Memories;
import io.hearth.healing.metrics.HealingCounter;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TenureTest {

    private static final LockHolder OTHER =
            new LockHolder("HMaster", "hbase", "host1", Instant.parse("2026-11-21T19:30:00Z"));

    private final FakeLock lock = new FakeLock();
    private final CountedMetrics metrics = new CountedMetrics();
    private long nowMs = 1_000_000;
    private final Tenure tenure = new Tenure(lock, () -> Memories.SELF, () -> nowMs, metrics);

    @Test
    void withoutWorkItIsNotAskedFor() {
        run(false, 600_000);

        assertThat(lock.calls).isEmpty();
        assertThat(tenure.isSure()).isFalse();
        assertThat(tenure.state()).isEqualTo(LockState.IDLE);
    }

    @Test
    void workTakesItAndKeepsItConfirmed() {
        run(true, 35_000);

        assertThat(lock.calls).containsExactly("take", "confirm", "confirm", "confirm");
        assertThat(tenure.isSure()).isTrue();
        assertThat(tenure.state()).isEqualTo(LockState.HELD);
    }

    @Test
    void itIsGivenBackAfterHalfAMinuteWithoutWork() {
        run(true, 1_000);
        run(false, Tenure.IDLE_MS - 1_000);
        assertThat(tenure.state()).isEqualTo(LockState.HELD);
        run(false, 2_000);

        assertThat(lock.calls).endsWith("release");
        assertThat(tenure.state()).isEqualTo(LockState.IDLE);
        assertThat(tenure.isSure()).isFalse();
    }

    @Test
    void workThatComesJustAfterItWasGivenBackHasItAtOnce() {
        run(true, 1_000);
        run(false, Tenure.IDLE_MS + 1_000);
        assertThat(lock.calls).containsExactly("take", "confirm", "confirm", "confirm", "release");

        run(true, 1);
        assertThat(tenure.isSure()).isTrue();
        assertThat(lock.calls).endsWith("release", "take");
    }

    @Test
    void anotherHolderIsWaitedForAndNamed() {
        lock.onTake = new LockAnswer.HeldBy(OTHER);
        run(true, 25_000);

        assertThat(lock.calls).containsExactly("take", "take", "take");
        assertThat(tenure.state()).isEqualTo(LockState.ELSEWHERE);
        assertThat(tenure.trouble()).contains("HMaster of hbase on host1, since 2026-11-21T19:30:00Z");
        assertThat(tenure.isSure()).isFalse();

        lock.onTake = new LockAnswer.Held();
        run(true, 10_000);
        assertThat(tenure.isSure()).isTrue();
        assertThat(tenure.trouble()).isEmpty();
    }

    @Test
    void aLostLockStopsNewMovesAtOnceAndIsAskedForAgain() {
        run(true, 1_000);
        lock.onConfirm = new LockAnswer.Lost("somebody took it");
        lock.onTake = new LockAnswer.HeldBy(OTHER);
        run(true, 10_000);

        assertThat(tenure.isSure()).isFalse();
        assertThat(metrics.get(HealingCounter.LOCK_LOST)).isEqualTo(1);
        run(true, 10_000);
        assertThat(lock.calls).containsExactly("take", "confirm", "release", "take");
        assertThat(tenure.state()).isEqualTo(LockState.ELSEWHERE);
    }

    @Test
    void aNameNodeThatDoesNotAnswerLeavesItSureForAWhileOnly() {
        run(true, 100);
        lock.onConfirm = new LockAnswer.Unknown("no route");
        run(true, Tenure.SURE_MS - 1_000);
        assertThat(tenure.isSure()).isTrue();
        assertThat(tenure.trouble()).contains("no route");
        run(true, 2_000);

        assertThat(tenure.isSure()).isFalse();
        assertThat(tenure.state()).isEqualTo(LockState.HELD);
        lock.onConfirm = new LockAnswer.Held();
        run(true, 10_000);
        assertThat(tenure.isSure()).isTrue();
        assertThat(tenure.trouble()).isEmpty();
    }

    /** As after a pause of the whole process: nobody has called, and another may have taken the lock meanwhile. */
    @Test
    void aHolderThatWasStoppedIsNotSureWhenItWakes() {
        run(true, 100);
        nowMs += HealerLock.LIVES_MS;

        assertThat(tenure.state()).isEqualTo(LockState.HELD);
        assertThat(tenure.isSure()).isFalse();
    }

    @Test
    void surenessEndsBeforeTheLockCouldBeAnothers() {
        assertThat(Tenure.SURE_MS).isLessThan(HealerLock.LIVES_MS);
        assertThat(Tenure.ASK_EVERY_MS).isLessThan(Tenure.SURE_MS / 2);
    }

    /** What takes long to ask was true when it was asked. */
    @Test
    void sureFromTheMomentOfTheQuestion() {
        HealerLock slow = new HealerLock() {
            @Override
            public LockAnswer take(LockHolder self) {
                nowMs += Tenure.SURE_MS + 1;
                return new LockAnswer.Held();
            }

            @Override
            public LockAnswer confirm() {
                return new LockAnswer.Held();
            }

            @Override
            public void release() {}
        };
        Tenure late = new Tenure(slow, () -> Memories.SELF, () -> nowMs, metrics);
        late.doWork(true);

        assertThat(late.isSure()).isFalse();
    }

    @Test
    void aUserWhoMayNotIsTold() {
        lock.onTake = new LockAnswer.Refused("append is not permitted");
        run(true, 100);

        assertThat(tenure.state()).isEqualTo(LockState.REFUSED);
        assertThat(tenure.trouble()).contains("append is not permitted");
        assertThat(metrics.get(HealingCounter.LOCK_FAILURES)).isEqualTo(1);
        run(false, 100);
        assertThat(tenure.state()).isEqualTo(LockState.IDLE);
        assertThat(tenure.trouble()).isEmpty();
    }

    @Test
    void anEndGivesItBackOnce() {
        run(true, 100);
        tenure.release();
        tenure.release();

        assertThat(lock.calls).containsExactly("take", "release");
    }

    private void run(boolean wanted, long ms) {
        for (long untilMs = nowMs + ms; nowMs < untilMs; nowMs += 100) {
            tenure.doWork(wanted);
        }
    }
}
