package io.hearth.healing.loop;

import java.util.Optional;

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

    /** Nothing more starts, until {@link #resume}. */
    public synchronized void pause(String why) {
        position = new Position(Optional.of(why), position.alarm());
    }

    /** Ends a pause, and an alarm. */
    public synchronized void resume() {
        position = Position.RELEASED;
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
}
