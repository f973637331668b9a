// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.SettingsReader;

/**
 * How heat is learnt and kept. Immutable.
 *
 * @param halfLifeMs observed time in which old requests lose half their weight in what plans use, in milliseconds
 * @param recentHalfLifeMs the same for the recent heat, below it
 * @param minObservedMs observed time from which heat is known, in milliseconds
 * @param remoteReadPenalty how much more a read that is not local costs than one that is; 0 for as much
 * @param storeIntervalMs how often heat is written for the next master, in milliseconds; 0 for never
 * @param suspectServedRatio a server that serves less than this part of what is expected of it is suspect; 0 for none
 * @param filtersNoise whether plans tell shifts of load from swings around it
 * @param activity which regions are worth a move at all
 */
public record HeatConfig(
        long halfLifeMs,
        long recentHalfLifeMs,
        long minObservedMs,
        double remoteReadPenalty,
        long storeIntervalMs,
        double suspectServedRatio,
        boolean filtersNoise,
        ActivityConfig activity) {

    private static final long LONG_OVER_RECENT = 5;

    /** The defaults but for the long half-life and the time from which heat is known. */
    public static HeatConfig of(long halfLifeMs, long minObservedMs) {
        return new HeatConfig(
                halfLifeMs,
                recentBelow(halfLifeMs),
                minObservedMs,
                HeatSettings.REMOTE_READ_PENALTY.defaultValue(),
                HeatSettings.STORE_INTERVAL_MS.defaultValue(),
                HeatSettings.SUSPECT_SERVED_RATIO.defaultValue(),
                HeatSettings.NOISE_FILTER.defaultValue(),
                ActivityConfig.OFF);
    }

    static HeatConfig read(SettingsReader reader) {
        long halfLifeMs = reader.read(HeatSettings.HALF_LIFE_MS);
        return new HeatConfig(
                halfLifeMs,
                readRecent(reader, halfLifeMs),
                reader.read(HeatSettings.MIN_OBSERVED_MS),
                reader.read(HeatSettings.REMOTE_READ_PENALTY),
                reader.read(HeatSettings.STORE_INTERVAL_MS),
                reader.read(HeatSettings.SUSPECT_SERVED_RATIO),
                reader.read(HeatSettings.NOISE_FILTER),
                ActivityConfig.read(reader));
    }

    private static long readRecent(SettingsReader reader, long halfLifeMs) {
        long fallback = recentBelow(halfLifeMs);
        long recentMs = reader.read(HeatSettings.RECENT_HALF_LIFE_MS, fallback);
        if (recentMs < halfLifeMs) {
            return recentMs;
        }
        reader.problem(
                HeatSettings.RECENT_HALF_LIFE_MS,
                recentMs,
                "it must be below " + HeatSettings.HALF_LIFE_MS + " = " + halfLifeMs + ". " + fallback
                        + " is used instead.");
        return fallback;
    }

    private static long recentBelow(long halfLifeMs) {
        return Math.min(HeatSettings.RECENT_HALF_LIFE_MS.defaultValue(), halfLifeMs / LONG_OVER_RECENT);
    }

    /**
     * Which regions are worth a move at all: those with more than so many requests in the last so many minutes. Immutable.
     *
     * @param requests reads and writes that a region must have more of; 0 where every region is worth a move
     * @param minutes the last minutes that count
     * @param isExact whether requests are counted by the minute; otherwise the decayed rates say how many there were
     */
    public record ActivityConfig(long requests, int minutes, boolean isExact) {

        /** Every region is worth a move. */
        public static final ActivityConfig OFF =
                new ActivityConfig(0, HeatSettings.ACTIVITY_WINDOW_MINUTES.defaultValue(), false);

        /** Whether there is anything to measure. */
        public boolean isOn() {
            return requests > 0;
        }

        static ActivityConfig read(SettingsReader reader) {
            return new ActivityConfig(
                    reader.read(HeatSettings.ACTIVITY_MIN_REQUESTS),
                    reader.read(HeatSettings.ACTIVITY_WINDOW_MINUTES),
                    reader.read(HeatSettings.ACTIVITY_EXACT));
        }
    }
}
