package io.hearth.balancer.config;

/**
 * How heat is learnt. Immutable.
 *
 * @param halfLifeMs observed time in which old requests lose half their weight, in milliseconds
 * @param minObservedMs observed time from which heat is known, in milliseconds
 */
public record HeatConfig(long halfLifeMs, long minObservedMs) {

    static HeatConfig read(SettingsReader reader) {
        return new HeatConfig(reader.read(HeatSettings.HALF_LIFE_MS), reader.read(HeatSettings.MIN_OBSERVED_MS));
    }
}
