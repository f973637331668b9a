// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.balancer.config.MoveTrackerConfig.ManualPinExemptions;
import io.hearth.common.config.Setting;
import java.util.List;
import java.util.Optional;

/** What the balancer remembers between runs: cool-downs, moves in flight, manual moves, and how right its plans were. */
public final class MoveTrackerSettings {

    private static final long HOUR_MS = 3_600_000;
    private static final long WEEK_MS = 7 * 24 * HOUR_MS;

    public static final Setting<BalancerMode> MODE = Setting.choice(
            "hearth.balancer.mode",
            BalancerMode.ACT,
            "act: Hearth's plans are carried out. advise: the stock balancer's are, and Hearth's are shown."
                    + " off: the stock balancer alone, nothing is recorded.");

    public static final Setting<Long> COOL_DOWN_MS = Setting.millis(
            "hearth.balancer.cool.down.ms",
            15 * 60_000,
            0,
            WEEK_MS,
            "How long a moved region stays before heat may move it again.");

    public static final Setting<Long> REST_MS = Setting.millis(
            "hearth.balancer.rest.ms",
            24 * HOUR_MS,
            0,
            WEEK_MS,
            "How long a region moved for heat is left alone, unless its load or its server's shifts. 0: only"
                    + " hearth.balancer.cool.down.ms. No effect without hearth.balancer.noise.filter.");

    public static final Setting<Long> CONFIRM_TIMEOUT_MS = Setting.millis(
            "hearth.balancer.move.confirm.timeout.ms",
            6 * 60_000,
            10_000,
            24 * HOUR_MS,
            "How long a planned move counts as in flight while its source reports the region: at least a minute more than"
                    + " hbase.balancer.max.balancing.");

    public static final Setting<Long> OSCILLATION_WINDOW_MS = Setting.millis(
            "hearth.balancer.oscillation.window.ms",
            6 * HOUR_MS,
            0,
            WEEK_MS,
            "A region moved back to where it came from within this time is frozen.");

    public static final Setting<Long> OSCILLATION_FREEZE_MS = Setting.millis(
            "hearth.balancer.oscillation.freeze.ms",
            6 * HOUR_MS,
            0,
            WEEK_MS,
            "How long a frozen region, or one that did not open at its target, is left alone. 0 freezes nothing.");

    public static final Setting<Long> MANUAL_PIN_MS = Setting.millis(
            "hearth.balancer.manual.pin.ms",
            24 * HOUR_MS,
            0,
            30 * 24 * HOUR_MS,
            "How long a region moved manually stays, unless its heat doubles or halves. 0 pins nothing.");

    public static final Setting<Double> MANUAL_PIN_MIN_REQUESTS_PER_SECOND = Setting.decimal(
            "hearth.balancer.manual.pin.min.requests.per.second",
            20.0,
            0,
            1_000_000_000,
            "requests per second",
            "Requests of a region below which a change of its heat removes no pin.");

    public static final Setting<ManualPinExemptions> MANUAL_PIN_EXEMPTIONS = Setting.of(
            "hearth.balancer.manual.pin.exempt.regions",
            ManualPinExemptions.NONE,
            "none, all, or encoded region names separated by commas",
            "Regions that a manual move does not pin, while this is set.",
            ManualPinExemptions::parse);

    public static final Setting<Long> PREDICTION_CHECK_DELAY_MS = Setting.millis(
            "hearth.balancer.prediction.check.delay.ms",
            10 * 60_000,
            10_000,
            24 * HOUR_MS,
            "How long after a run its prediction is checked.");

    public static final Setting<Double> PREDICTION_TOLERANCE_FACTOR = Setting.decimal(
            "hearth.balancer.prediction.tolerance.factor",
            2.0,
            1,
            100,
            "",
            "A run is wrong if max/mean exceeds 1 by more than this many times the predicted excess"
                    + " (or the trigger's, if more).");

    public static final Setting<String> PREDICTION_RESET_TOKEN = Setting.of(
            "hearth.balancer.prediction.reset.token",
            "0",
            "a token of up to 64 letters, digits, dots, dashes and underscores",
            "Any change of this token undoes what wrong runs have halved.",
            text -> Optional.of(text).filter(word -> word.matches("[A-Za-z0-9._-]{1,64}")));

    private MoveTrackerSettings() {}

    /** Every setting, in the order in which it is documented. */
    public static List<Setting<?>> all() {
        return List.of(
                MODE,
                COOL_DOWN_MS,
                REST_MS,
                CONFIRM_TIMEOUT_MS,
                OSCILLATION_WINDOW_MS,
                OSCILLATION_FREEZE_MS,
                MANUAL_PIN_MS,
                MANUAL_PIN_MIN_REQUESTS_PER_SECOND,
                MANUAL_PIN_EXEMPTIONS,
                PREDICTION_CHECK_DELAY_MS,
                PREDICTION_TOLERANCE_FACTOR,
                PREDICTION_RESET_TOKEN);
    }
}
