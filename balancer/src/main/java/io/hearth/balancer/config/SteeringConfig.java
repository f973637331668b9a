package io.hearth.balancer.config;

import java.util.Map;

/**
 * What the balancer remembers between runs, and for how long. Immutable.
 *
 * @param mode whether plans are carried out
 * @param coolDownMs how long a region that Hearth moved stays where it is, in milliseconds
 * @param restMs how long such a region is left alone by heat while its load is the same, in milliseconds
 * @param flightMs how long after a plan a region that is still served by its source counts as on its way, in milliseconds
 * @param returnWindowMs time within which a region that comes back to where it came from went to and fro, in milliseconds
 * @param frozenMs how long such a region is left alone, in milliseconds
 * @param handPinMs how long a region that was moved by hand stays where it is, in milliseconds
 * @param handPinMinRequestsPerSecond reads and writes a second below which a change of a region's heat lifts no pin
 * @param liftedPins what is not held although somebody moved it by hand
 * @param ledgerDelayMs how long after an acted run its prediction is held against what came of it, in milliseconds
 * @param ledgerFactor how many times the excess that was predicted (or allowed) may be found before the prediction was wrong
 * @param ledgerReset a word; when it changes, what the ledger held against the plans is forgiven
 */
public record SteeringConfig(
        BalancerMode mode,
        long coolDownMs,
        long restMs,
        long flightMs,
        long returnWindowMs,
        long frozenMs,
        long handPinMs,
        double handPinMinRequestsPerSecond,
        LiftedPins liftedPins,
        long ledgerDelayMs,
        double ledgerFactor,
        String ledgerReset) {

    /** What holds where nobody says anything. */
    public static final SteeringConfig DEFAULTS = read(new SettingsReader("", new MapSettings(Map.of())));

    static SteeringConfig read(SettingsReader reader) {
        return read(reader, true);
    }

    /** @param enabled whether Hearth's balancer is switched on; where it is not, its mode is {@link BalancerMode#OFF} */
    static SteeringConfig read(SettingsReader reader, boolean enabled) {
        BalancerMode mode = reader.read(SteeringSettings.MODE);
        return new SteeringConfig(
                enabled ? mode : BalancerMode.OFF,
                reader.read(SteeringSettings.COOL_DOWN_MS),
                reader.read(SteeringSettings.REST_MS),
                reader.read(SteeringSettings.FLIGHT_MS),
                reader.read(SteeringSettings.RETURN_WINDOW_MS),
                reader.read(SteeringSettings.FROZEN_MS),
                reader.read(SteeringSettings.HAND_PIN_MS),
                reader.read(SteeringSettings.HAND_PIN_MIN_REQUESTS_PER_SECOND),
                reader.read(SteeringSettings.LIFTED_PINS),
                reader.read(SteeringSettings.LEDGER_DELAY_MS),
                reader.read(SteeringSettings.LEDGER_FACTOR),
                reader.read(SteeringSettings.LEDGER_RESET));
    }
}
