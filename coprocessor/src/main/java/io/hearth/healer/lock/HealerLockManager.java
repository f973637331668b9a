// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.lock;

import io.hearth.healer.lock.HealerLock.LockHolder;
import io.hearth.healer.lock.HealerLock.LockResult;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One healer's claim to the lock: taken when there is work, confirmed while there is, given back when there was none for a
 * while, so that a cluster that is local is not even asked for the lock.
 *
 * <p>Moves may start only within {@link #CONFIRMED_MS} of the last confirmation, by a clock that goes on while the process does
 * not: a holder that was stopped, or that the NameNode could not hear, starts nothing on its return before it has asked
 * again, and its lock lives longer than that. Called by the loop's thread; {@link #state} and {@link #problem} by anyone.
 */
public final class HealerLockManager {

    /** How often the lock is asked for, or confirmed. */
    static final long ASK_EVERY_MS = 10_000;

    /** A quarter of the lock's life is left for a move on its way to a DataNode. */
    static final long CONFIRMED_MS = HealerLock.LEASE_MS * 3 / 4;

    /** How long the lock is kept without work: work comes in bursts. */
    static final long IDLE_MS = 30_000;

    private static final Logger LOG = LoggerFactory.getLogger(HealerLockManager.class);

    private final HealerLock lock;
    private final Supplier<LockHolder> self;
    private final LongSupplier clockMs;
    private final HealingMetrics metrics;
    private volatile LockState state = LockState.IDLE;
    private volatile Optional<String> problem = Optional.empty();
    private Optional<Long> askedMs = Optional.empty();
    private long confirmedSinceMs;
    /** Whether nobody could say to the last question, which may have been within a millisecond. */
    private boolean isUnanswered;

    private long wantedMs;

    /**
     * A claim that has not asked yet.
     *
     * @param self the word to leave with the lock, if it were taken now
     * @param clockMs a clock that does not go back
     */
    public HealerLockManager(HealerLock lock, Supplier<LockHolder> self, LongSupplier clockMs, HealingMetrics metrics) {
        this.lock = lock;
        this.self = self;
        this.clockMs = clockMs;
        this.metrics = metrics;
    }

    /** Takes, confirms or gives back what is due. */
    public void doWork(boolean wanted) {
        long nowMs = clockMs.getAsLong();
        if (wanted) {
            wantedMs = nowMs;
        }
        if (state == LockState.HELD) {
            if (nowMs - wantedMs >= IDLE_MS) {
                release();
            } else if (isDue(nowMs)) {
                confirm(nowMs);
            }
        } else if (!wanted) {
            change(LockState.IDLE, Optional.empty());
        } else if (isDue(nowMs)) {
            take(nowMs);
        }
    }

    /**
     * Asks again if the last confirmation is too old for a move to start: calls since {@link #doWork} may have taken long. Who does not
     * have the lock asks nobody, and after no answer it is asked no more often than usual.
     */
    public void confirmAgain() {
        long nowMs = clockMs.getAsLong();
        if (state == LockState.HELD && !isConfirmed() && (!isUnanswered || isDue(nowMs))) {
            confirm(nowMs);
        }
    }

    /** Whether a move may start at this moment. */
    public boolean isConfirmed() {
        return state == LockState.HELD && clockMs.getAsLong() - confirmedSinceMs < CONFIRMED_MS;
    }

    public LockState state() {
        return state;
    }

    /** Who has the lock, or why it is not to be had or was not confirmed; empty where nothing is in the way. */
    public Optional<String> problem() {
        return problem;
    }

    /** Gives the lock back, if it is held. It may be asked for again at once: only who was not given it, or lost it, has to wait. */
    public void release() {
        if (state == LockState.HELD) {
            lock.release();
            askedMs = Optional.empty();
            change(LockState.IDLE, Optional.empty());
        }
    }

    private boolean isDue(long nowMs) {
        return nowMs - askedMs.orElse(nowMs - ASK_EVERY_MS) >= ASK_EVERY_MS;
    }

    private void take(long nowMs) {
        askedMs = Optional.of(nowMs);
        LockResult result = lock.take(self.get());
        if (result instanceof LockResult.Held) {
            confirmedSinceMs = nowMs;
            isUnanswered = false;
            change(LockState.HELD, tooLate(nowMs));
        } else if (result instanceof LockResult.HeldBy other) {
            change(LockState.HELD_BY_OTHER, Optional.of(other.holder().toString()));
        } else if (result instanceof LockResult.Refused refused) {
            metrics.add(HealingCounter.LOCK_FAILURES, 1);
            change(LockState.REFUSED, Optional.of(refused.why()));
        } else {
            metrics.add(HealingCounter.LOCK_FAILURES, 1);
            change(LockState.UNKNOWN, Optional.of(why(result)));
        }
    }

    private void confirm(long nowMs) {
        askedMs = Optional.of(nowMs);
        LockResult result = lock.confirm();
        isUnanswered = result instanceof LockResult.Unknown;
        if (result instanceof LockResult.Held) {
            confirmedSinceMs = nowMs;
            problem = tooLate(nowMs);
        } else if (result instanceof LockResult.Lost lost) {
            metrics.add(HealingCounter.LOCK_LOST, 1);
            LOG.warn("The lock of healing is lost, and no further move starts: {}. It is asked for again.", lost.why());
            lock.release();
            change(LockState.IDLE, Optional.empty());
        } else {
            // It goes on for as long as it is sure.
            metrics.add(HealingCounter.LOCK_FAILURES, 1);
            problem = Optional.of(why(result));
        }
    }

    /** Why nothing may start though the lock is ours: the answer to this question came too late. Empty where it did not. */
    private Optional<String> tooLate(long askedMs) {
        long tookMs = clockMs.getAsLong() - askedMs;
        return tookMs < CONFIRMED_MS
                ? Optional.empty()
                : Optional.of(
                        "the NameNode took " + tookMs / 1_000 + " s to confirm the lock, and moves start only within "
                                + CONFIRMED_MS / 1_000 + " s of the question; it is asked again");
    }

    private static String why(LockResult result) {
        return result instanceof LockResult.Unknown unknown ? unknown.why() : result.toString();
    }

    private void change(LockState next, Optional<String> why) {
        if (next == LockState.HELD && state != LockState.HELD) {
            LOG.info("This healer works now: it has the lock.");
        }
        state = state.to(next);
        problem = why;
    }

    /** Where a healer stands with the lock. {@link #successors()} is the table of legal changes. */
    public enum LockState {
        /** It does not want the lock, or has not asked. */
        IDLE,
        /** It has the lock. */
        HELD,
        /** It wants the lock, and another has it. */
        HELD_BY_OTHER,
        /** It wants the lock, and its user may not have it. */
        REFUSED,
        /** It wants the lock, and nobody can say whose it is. */
        UNKNOWN;

        /** The states to which a healer in this state may change. */
        public Set<LockState> successors() {
            return switch (this) {
                case HELD -> EnumSet.of(IDLE);
                case IDLE, HELD_BY_OTHER, REFUSED, UNKNOWN -> EnumSet.complementOf(EnumSet.of(this));
            };
        }

        /** This change, if it is legal; staying is. */
        LockState to(LockState next) {
            if (next != this && !successors().contains(next)) {
                throw new IllegalStateException("The lock can't change from " + this + " to " + next + ".");
            }
            return next;
        }
    }
}
