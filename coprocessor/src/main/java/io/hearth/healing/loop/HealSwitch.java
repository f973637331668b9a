package io.hearth.healing.loop;

import java.util.Optional;

/**
 * The brake that a person or an alarm pulls. It outlives the loop, which is made anew after a failure, and a reload of the
 * configuration; not the master. Thread-safe.
 */
public final class HealSwitch {

    private volatile Optional<String> paused = Optional.empty();
    private volatile Optional<String> alarm = Optional.empty();

    /** Nothing more starts, until {@link #resume}. */
    public void pause(String why) {
        paused = Optional.of(why);
    }

    /** Ends a pause, and an alarm. */
    public void resume() {
        paused = Optional.empty();
        alarm = Optional.empty();
    }

    /** Who paused healing and why; empty where nobody did. */
    public Optional<String> paused() {
        return paused;
    }

    /** What went wrong; empty where nothing did. */
    public Optional<String> alarm() {
        return alarm;
    }

    void raiseAlarm(String what) {
        alarm = Optional.of(what);
    }
}
