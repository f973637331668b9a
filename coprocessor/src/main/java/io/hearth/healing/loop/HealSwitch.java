package io.hearth.healing.loop;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The brake that a person or an alarm pulls. It outlives the loop, which is made anew after a failure, and a reload of the
 * configuration; what it holds can be kept for the next master. Thread-safe.
 */
public final class HealSwitch {

    /**
     * Where the brake stands. Immutable.
     *
     * @param paused who paused healing and why; empty where nobody did
     * @param alarm what went wrong; empty where nothing did
     */
    public record Position(Optional<String> paused, Optional<String> alarm) {

        /** Nobody holds healing back. */
        public static final Position RELEASED = new Position(Optional.empty(), Optional.empty());
    }

    private volatile Position position = Position.RELEASED;
    /** When a move was last undone while the alarm stands; empty where nobody has noted that yet, as after a failover. */
    private volatile OptionalLong troubledMs = OptionalLong.empty();
    /** Until when healing goes slower after an alarm that has ended by itself. */
    private volatile OptionalLong slowUntilMs = OptionalLong.empty();

    /** Nothing more starts, until {@link #resume}. */
    public synchronized void pause(String why) {
        position = new Position(Optional.of(why), position.alarm());
    }

    /** Ends a pause, and an alarm; healing goes on at its full pace. */
    public synchronized void resume() {
        position = Position.RELEASED;
        troubledMs = OptionalLong.empty();
        slowUntilMs = OptionalLong.empty();
    }

    /** Takes up what an earlier master has left, beside what was done here. */
    public synchronized void takeUp(Position left) {
        position = new Position(
                position.paused().or(left::paused), position.alarm().or(left::alarm));
    }

    public Position position() {
        return position;
    }

    /** Who paused healing and why; empty where nobody did. */
    public Optional<String> paused() {
        return position.paused();
    }

    /** What went wrong; empty where nothing did. */
    public Optional<String> alarm() {
        return position.alarm();
    }

    synchronized void raiseAlarm(String what) {
        position = new Position(position.paused(), Optional.of(what));
    }

    /** A move was undone just now, or the alarm was found standing. */
    synchronized void troubled(long nowMs) {
        troubledMs = OptionalLong.of(nowMs);
    }

    OptionalLong troubledMs() {
        return troubledMs;
    }

    /** Ends an alarm, and no pause; healing goes slower until then. */
    synchronized void liftAlarm(long untilMs) {
        position = new Position(position.paused(), Optional.empty());
        troubledMs = OptionalLong.empty();
        slowUntilMs = OptionalLong.of(untilMs);
    }

    /** Whether healing goes slower after an alarm. */
    boolean isSlow(long nowMs) {
        return slowUntilMs.isPresent() && nowMs < slowUntilMs.getAsLong();
    }
}
