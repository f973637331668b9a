package io.hearth.balancer.config;

import io.hearth.common.config.SettingsReader;

/**
 * How far one run of the balancer may go, as {@link PlannerSettings} describes it. Immutable.
 *
 * @param deadlineMs how long moves may be looked for in one run, in milliseconds
 * @param maxMovesPerSecond how many moves the master can carry out
 */
public record PlannerConfig(long deadlineMs, int maxMovesPerSecond) {

    private static final long SECOND_MS = 1_000;

    static PlannerConfig read(SettingsReader reader) {
        return new PlannerConfig(
                reader.read(PlannerSettings.DEADLINE_MS), reader.read(PlannerSettings.MAX_MOVES_PER_SECOND));
    }

    /** How many moves the master can carry out in so many milliseconds, at least 1. */
    public int movesWithin(long ms) {
        long moves = Math.max(0, ms) * maxMovesPerSecond / SECOND_MS;
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, moves));
    }
}
