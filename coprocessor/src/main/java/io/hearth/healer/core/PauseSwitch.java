// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The pause that a person or an alarm starts. It outlives the loop, which is made anew after a failure, and a reload of the
 * configuration; what it holds can be kept for the next master. Thread-safe.
 */
public final class PauseSwitch {

    /**
     * Whether healing is paused, stopped by an alarm or slower after one. Immutable.
     *
     * @param paused who paused healing and why; empty where nobody did
     * @param alarm what went wrong; empty where nothing did
     * @param slowUntil until when healing goes slower after an alarm that has ended by itself; empty where none has
     */
    public record PauseState(Optional<String> paused, Optional<String> alarm, Optional<Instant> slowUntil) {

        /** Nobody holds healing back. */
        public static final PauseState NONE = new PauseState(Optional.empty(), Optional.empty(), Optional.empty());

        private PauseState withAlarm(Optional<String> what) {
            return new PauseState(paused, what, slowUntil);
        }

        private PauseState withSlowUntil(Optional<Instant> end) {
            return new PauseState(paused, alarm, end);
        }
    }

    private volatile Runnable onChange = () -> {};
    private volatile PauseState state = PauseState.NONE;
    /** Somebody has resumed in this master, which ends what an earlier one has left. */
    private boolean isResumed;
    /** When a move was last undone while the alarm stands; empty where nobody has noted that yet, as after a failover. */
    private volatile OptionalLong lastRevertMs = OptionalLong.empty();

    /** Calls this after each pause and resume, on the thread that pauses or resumes; it must return at once. */
    public void onChange(Runnable listener) {
        onChange = listener;
    }

    /** Nothing more starts, until {@link #resume}; where healing is paused for the same reason already, nothing changes. */
    public synchronized void pause(String why) {
        if (state.paused().equals(Optional.of(why))) {
            return;
        }
        state = new PauseState(Optional.of(why), state.alarm(), state.slowUntil());
        onChange.run();
    }

    /** Ends a pause, and an alarm; healing goes on at its full pace. */
    public synchronized void resume() {
        state = PauseState.NONE;
        isResumed = true;
        lastRevertMs = OptionalLong.empty();
        onChange.run();
    }

    /** Takes up what an earlier master has left, beside what was done here; nothing of it where somebody has resumed here since. */
    public synchronized void restore(PauseState left) {
        if (isResumed) {
            return;
        }
        state = new PauseState(
                state.paused().or(left::paused),
                state.alarm().or(left::alarm),
                state.slowUntil().or(left::slowUntil));
    }

    public PauseState state() {
        return state;
    }

    /** Who paused healing and why; empty where nobody did. */
    public Optional<String> paused() {
        return state.paused();
    }

    /** What went wrong; empty where nothing did. */
    public Optional<String> alarm() {
        return state.alarm();
    }

    synchronized void raiseAlarm(String what) {
        state = state.withAlarm(Optional.of(what));
    }

    /** A move was undone just now, or the alarm was found standing. */
    synchronized void noteRevert(long nowMs) {
        lastRevertMs = OptionalLong.of(nowMs);
    }

    OptionalLong lastRevertMs() {
        return lastRevertMs;
    }

    /** Ends an alarm, and no pause; healing goes slower until then. */
    synchronized void clearAlarm(Instant until) {
        state = state.withAlarm(Optional.empty()).withSlowUntil(Optional.of(until));
        lastRevertMs = OptionalLong.empty();
    }

    /** Whether healing goes slower after an alarm. */
    boolean isSlow() {
        return state.slowUntil().isPresent();
    }

    /** Has healing go at its full pace again once its time has come, and after this time at the latest, also where a clock was set back. */
    synchronized void endSlowness(Instant now, Duration atMost) {
        state = state.withSlowUntil(state.slowUntil()
                .filter(now::isBefore)
                .map(end -> end.isAfter(now.plus(atMost)) ? now.plus(atMost) : end));
    }
}
