// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.healer.fakes.CountedMetrics;
import io.hearth.healer.fakes.FakeLock;
import io.hearth.healer.fakes.HealerStates;
import io.hearth.healer.lock.HealerLock.LockHolder;
import io.hearth.healer.lock.HealerLock.LockResult;
import io.hearth.healer.lock.HealerLockManager.LockState;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import java.time.Instant;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HealerLockManagerTest {

    private static final LockHolder OTHER =
            new LockHolder("HMaster", "hbase", "host1", Instant.parse("2026-11-21T19:30:00Z"));

    private final FakeLock lock = new FakeLock();
    private final CountedMetrics metrics = new CountedMetrics();
    private long nowMs = 1_000_000;
    private final HealerLockManager lockManager =
            new HealerLockManager(lock, () -> HealerStates.SELF, () -> nowMs, metrics);

    @Test
    void withoutWorkItIsNotAskedFor() {
        run(false, 600_000);

        assertThat(lock.calls).isEmpty();
        assertThat(lockManager.isConfirmed()).isFalse();
        assertThat(lockManager.state()).isEqualTo(LockState.IDLE);
    }

    @Test
    void workTakesItAndKeepsItConfirmed() {
        run(true, 35_000);

        assertThat(lock.calls).containsExactly("take", "confirm", "confirm", "confirm");
        assertThat(lockManager.isConfirmed()).isTrue();
        assertThat(lockManager.state()).isEqualTo(LockState.HELD);
    }

    @Test
    void itIsGivenBackAfterHalfAMinuteWithoutWork() {
        run(true, 1_000);
        run(false, HealerLockManager.IDLE_MS - 1_000);
        assertThat(lockManager.state()).isEqualTo(LockState.HELD);
        run(false, 2_000);

        assertThat(lock.calls).endsWith("release");
        assertThat(lockManager.state()).isEqualTo(LockState.IDLE);
        assertThat(lockManager.isConfirmed()).isFalse();
    }

    @Test
    void workThatComesJustAfterItWasGivenBackHasItAtOnce() {
        run(true, 1_000);
        run(false, HealerLockManager.IDLE_MS + 1_000);
        assertThat(lock.calls).containsExactly("take", "confirm", "confirm", "confirm", "release");

        run(true, 1);
        assertThat(lockManager.isConfirmed()).isTrue();
        assertThat(lock.calls).endsWith("release", "take");
    }

    @Test
    void anotherHolderIsWaitedForAndNamed() {
        lock.onTake = new LockResult.HeldBy(OTHER);
        run(true, 25_000);

        assertThat(lock.calls).containsExactly("take", "take", "take");
        assertThat(lockManager.state()).isEqualTo(LockState.HELD_BY_OTHER);
        assertThat(lockManager.problem()).contains("HMaster of hbase on host1, since 2026-11-21T19:30:00Z");
        assertThat(lockManager.isConfirmed()).isFalse();

        lock.onTake = new LockResult.Held();
        run(true, 10_000);
        assertThat(lockManager.isConfirmed()).isTrue();
        assertThat(lockManager.problem()).isEmpty();
    }

    @Test
    void aLostLockStopsNewMovesAtOnceAndIsAskedForAgain() {
        run(true, 1_000);
        lock.onConfirm = new LockResult.Lost("somebody took it");
        lock.onTake = new LockResult.HeldBy(OTHER);
        run(true, 10_000);

        assertThat(lockManager.isConfirmed()).isFalse();
        assertThat(metrics.get(HealingCounter.LOCK_LOST)).isEqualTo(1);
        run(true, 10_000);
        assertThat(lock.calls).containsExactly("take", "confirm", "release", "take");
        assertThat(lockManager.state()).isEqualTo(LockState.HELD_BY_OTHER);
    }

    @Test
    void aNameNodeThatDoesNotAnswerLeavesItSureForAWhileOnly() {
        run(true, 100);
        lock.onConfirm = new LockResult.Unknown("no route");
        run(true, HealerLockManager.CONFIRMED_MS - 1_000);
        assertThat(lockManager.isConfirmed()).isTrue();
        assertThat(lockManager.problem()).contains("no route");
        run(true, 2_000);

        assertThat(lockManager.isConfirmed()).isFalse();
        assertThat(lockManager.state()).isEqualTo(LockState.HELD);
        lock.onConfirm = new LockResult.Held();
        run(true, 10_000);
        assertThat(lockManager.isConfirmed()).isTrue();
        assertThat(lockManager.problem()).isEmpty();
    }

    /** As after a pause of the whole process: nobody has called, and another may have taken the lock meanwhile. */
    @Test
    void aHolderThatWasStoppedIsNotSureWhenItWakes() {
        run(true, 100);
        nowMs += HealerLock.LEASE_MS;

        assertThat(lockManager.state()).isEqualTo(LockState.HELD);
        assertThat(lockManager.isConfirmed()).isFalse();
    }

    @Test
    void surenessEndsBeforeTheLockCouldBeAnothers() {
        assertThat(HealerLockManager.CONFIRMED_MS).isLessThan(HealerLock.LEASE_MS);
        assertThat(HealerLockManager.ASK_EVERY_MS).isLessThan(HealerLockManager.CONFIRMED_MS / 2);
    }

    /** What takes long to ask was true when it was asked. */
    @Test
    void sureFromTheMomentOfTheQuestion() {
        HealerLock slow = new HealerLock() {
            @Override
            public LockResult take(LockHolder self) {
                nowMs += HealerLockManager.CONFIRMED_MS + 1;
                return new LockResult.Held();
            }

            @Override
            public LockResult confirm() {
                return new LockResult.Held();
            }

            @Override
            public void release() {}
        };
        HealerLockManager late = new HealerLockManager(slow, () -> HealerStates.SELF, () -> nowMs, metrics);
        late.doWork(true);

        assertThat(late.isConfirmed()).isFalse();
    }

    @Test
    void whatTookLongSinceItWasConfirmedIsFollowedByAnotherQuestionBeforeMovesStart() {
        run(true, 100);
        nowMs += HealerLockManager.CONFIRMED_MS - 101;
        lockManager.confirmAgain();
        assertThat(lock.calls).as("it is sure still").containsExactly("take");
        nowMs++;
        assertThat(lockManager.isConfirmed()).isFalse();

        lockManager.confirmAgain();
        assertThat(lock.calls).containsExactly("take", "confirm");
        assertThat(lockManager.isConfirmed()).isTrue();
        nowMs += HealerLockManager.CONFIRMED_MS;
        lock.onConfirm = new LockResult.Lost("somebody took it");
        lockManager.confirmAgain();
        assertThat(lockManager.isConfirmed()).isFalse();
        nowMs += HealerLockManager.CONFIRMED_MS;
        lockManager.confirmAgain();
        assertThat(lock.calls).as("who lost it does not take it here").endsWith("confirm", "release");
    }

    /** Broken (asked whenever it is not sure): eight times a second, as long as the NameNode refuses at once. */
    @Test
    void aNameNodeThatRefusesIsAskedNoMoreOftenBeforeMovesStart() {
        run(true, 100);
        lock.onConfirm = new LockResult.Unknown("connection refused");
        nowMs += HealerLockManager.CONFIRMED_MS;
        long askedMs = nowMs;
        for (; nowMs < askedMs + HealerLockManager.ASK_EVERY_MS; nowMs += 100) {
            lockManager.confirmAgain();
        }
        assertThat(lock.calls).containsExactly("take", "confirm");

        lock.onConfirm = new LockResult.Held();
        lockManager.confirmAgain();
        assertThat(lock.calls).containsExactly("take", "confirm", "confirm");
        assertThat(lockManager.isConfirmed()).isTrue();
        nowMs += HealerLockManager.CONFIRMED_MS;
        lockManager.confirmAgain();
        assertThat(lock.calls).as("after an answer at once").hasSize(4);
    }

    @Test
    void anAnswerThatComesTooLateSaysWhyNothingStarts() {
        run(true, 100);
        lock.whileAsked = () -> nowMs += 60_000;
        run(true, 10_000);

        assertThat(lockManager.state()).isEqualTo(LockState.HELD);
        assertThat(lockManager.isConfirmed()).isFalse();
        assertThat(lockManager.problem())
                .contains(
                        "the NameNode took 60 s to confirm the lock, and moves start only within 45 s of the question;"
                                + " it is asked again");
        lock.whileAsked = () -> {};
        run(true, 10_000);
        assertThat(lockManager.isConfirmed()).isTrue();
        assertThat(lockManager.problem()).isEmpty();
    }

    @Test
    void aUserWhoMayNotIsTold() {
        lock.onTake = new LockResult.Refused("append is not permitted");
        run(true, 100);

        assertThat(lockManager.state()).isEqualTo(LockState.REFUSED);
        assertThat(lockManager.problem()).contains("append is not permitted");
        assertThat(metrics.get(HealingCounter.LOCK_FAILURES)).isEqualTo(1);
        run(false, 100);
        assertThat(lockManager.state()).isEqualTo(LockState.IDLE);
        assertThat(lockManager.problem()).isEmpty();
    }

    @Test
    void anEndGivesItBackOnce() {
        run(true, 100);
        lockManager.release();
        lockManager.release();

        assertThat(lock.calls).containsExactly("take", "release");
    }

    private void run(boolean wanted, long ms) {
        for (long untilMs = nowMs + ms; nowMs < untilMs; nowMs += 100) {
            lockManager.doWork(wanted);
        }
    }

    @Test
    void aHolderOnlyGivesItUp() {
        assertThat(LockState.HELD.successors()).containsExactly(LockState.IDLE);
        assertThatThrownBy(() -> LockState.HELD.to(LockState.HELD_BY_OTHER))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The lock can't change from HELD to HELD_BY_OTHER.");
    }

    @ParameterizedTest
    @EnumSource
    void stayingIsLegalAndAnyOtherMayTakeItOrStopWanting(LockState state) {
        assertThat(state.to(state)).isEqualTo(state);
        if (state != LockState.HELD) {
            assertThat(state.successors()).isEqualTo(EnumSet.complementOf(EnumSet.of(state)));
        }
    }
}
