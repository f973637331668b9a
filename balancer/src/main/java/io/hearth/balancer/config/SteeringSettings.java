package io.hearth.balancer.config;

import java.util.List;
import java.util.Optional;

/** What the balancer remembers between runs: cool-downs, moves in flight, moves by hand, and how right its plans were. */
public final class SteeringSettings {

    private static final long HOUR_MS = 3_600_000;
    private static final long WEEK_MS = 7 * 24 * HOUR_MS;

    public static final Setting<BalancerMode> MODE = Setting.choice(
            "hearth.balancer.mode",
            BalancerMode.ACT,
            "Whether Hearth's plans are carried out (act), or only made and shown beside the stock balancer's, which are carried out"
                    + " as without Hearth (advise). With off the stock balancer plans, and nothing is recorded.");

    public static final Setting<Long> COOL_DOWN_MS = Setting.millis(
            "hearth.balancer.cool.down.ms",
            15 * 60_000,
            0,
            WEEK_MS,
            "How long a region that Hearth moved stays where it is before heat may move it again.");

    public static final Setting<Long> REST_MS = Setting.millis(
            "hearth.balancer.rest.ms",
            24 * HOUR_MS,
            0,
            WEEK_MS,
            "How long a region that Hearth moved for the sake of heat is left alone by heat, unless its load or that of its server"
                    + " shifts. 0: only for hearth.balancer.cool.down.ms. It has no effect where hearth.balancer.noise.filter is"
                    + " false.");

    public static final Setting<Long> FLIGHT_MS = Setting.millis(
            "hearth.balancer.flight.ms",
            6 * 60_000,
            10_000,
            24 * HOUR_MS,
            "How long after a plan a region that its source still reports counts as on its way to its target. Keep it above"
                    + " hbase.balancer.max.balancing (5 minutes by default), after which the master drops the rest of a plan.");

    public static final Setting<Long> RETURN_WINDOW_MS = Setting.millis(
            "hearth.balancer.return.window.ms",
            6 * HOUR_MS,
            0,
            WEEK_MS,
            "A region that Hearth moves back to where it came from within this time went to and fro, and is frozen.");

    public static final Setting<Long> FROZEN_MS = Setting.millis(
            "hearth.balancer.frozen.ms",
            6 * HOUR_MS,
            0,
            WEEK_MS,
            "How long a frozen region is left alone. 0 freezes nothing.");

    public static final Setting<Long> HAND_PIN_MS = Setting.millis(
            "hearth.balancer.hand.pin.ms",
            24 * HOUR_MS,
            0,
            30 * 24 * HOUR_MS,
            "How long a region that somebody moved by hand stays where it was put, unless its heat doubles or halves before."
                    + " 0 pins nothing.");

    public static final Setting<Double> HAND_PIN_MIN_REQUESTS_PER_SECOND = Setting.decimal(
            "hearth.balancer.hand.pin.min.requests.per.second",
            20.0,
            0,
            1_000_000_000,
            "requests per second",
            "Reads and writes of a region below which a change of its heat is taken for noise and lifts no pin.");

    public static final Setting<LiftedPins> LIFTED_PINS = Setting.of(
            "hearth.balancer.pins.lifted",
            LiftedPins.NONE,
            "none, all, or encoded region names separated by commas",
            "Regions that are not held although somebody moved them by hand. It holds for as long as it is set, for moves made"
                    + " before and after.",
            LiftedPins::parse);

    public static final Setting<Long> LEDGER_DELAY_MS = Setting.millis(
            "hearth.balancer.ledger.delay.ms",
            10 * 60_000,
            10_000,
            24 * HOUR_MS,
            "How long after a run with moves the evenness that it predicted is held against the evenness that is seen; at the"
                    + " latest it is at the next run with moves.");

    public static final Setting<Double> LEDGER_FACTOR = Setting.decimal(
            "hearth.balancer.ledger.factor",
            2.0,
            1,
            100,
            "",
            "How many times the excess over 1 that was predicted (or that its trigger allows, where that is more) max/mean may"
                    + " have before the run counts as wrong, unless others changed the cluster or the load changed. A wrong run"
                    + " halves the moves for heat of the next ones over the same servers; a right one, or an hour, doubles"
                    + " them.");

    public static final Setting<String> LEDGER_RESET = Setting.of(
            "hearth.balancer.ledger.reset",
            "0",
            "a word of up to 64 letters, digits, dots, dashes and underscores",
            "Any change of this word takes back what wrong runs have halved: count it up, or write the date.",
            text -> Optional.of(text).filter(word -> word.matches("[A-Za-z0-9._-]{1,64}")));

    private SteeringSettings() {}

    /** Every setting, in the order in which it is documented. */
    public static List<Setting<?>> all() {
        return List.of(
                MODE,
                COOL_DOWN_MS,
                REST_MS,
                FLIGHT_MS,
                RETURN_WINDOW_MS,
                FROZEN_MS,
                HAND_PIN_MS,
                HAND_PIN_MIN_REQUESTS_PER_SECOND,
                LIFTED_PINS,
                LEDGER_DELAY_MS,
                LEDGER_FACTOR,
                LEDGER_RESET);
    }
}
