// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.config.SettingsReader;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What the balancer remembers between runs, and for how long. Immutable.
 *
 * @param mode whether plans are carried out
 * @param coolDownMs how long a region that Hearth moved stays where it is, in milliseconds
 * @param restMs how long such a region is left alone by heat while its load is the same, in milliseconds
 * @param confirmTimeoutMs how long after a plan a region that is still served by its source counts as on its way, in milliseconds
 * @param oscillationWindowMs time within which a region that comes back to where it came from went to and fro, in milliseconds
 * @param oscillationFreezeMs how long such a region is left alone, in milliseconds
 * @param manualPinMs how long a region that was moved manually stays where it is, in milliseconds
 * @param manualPinMinRequestsPerSecond reads and writes a second below which a change of a region's heat removes no pin
 * @param manualPinExemptions what is not held although somebody moved it manually
 * @param predictionCheckDelayMs how long after an acted run its prediction is held against what came of it, in milliseconds
 * @param predictionToleranceFactor how many times the excess that was predicted (or allowed) may be found before the prediction was wrong
 * @param predictionResetToken a word; when it changes, what the prediction log held against the plans is forgiven
 */
public record MoveTrackerConfig(
        BalancerMode mode,
        long coolDownMs,
        long restMs,
        long confirmTimeoutMs,
        long oscillationWindowMs,
        long oscillationFreezeMs,
        long manualPinMs,
        double manualPinMinRequestsPerSecond,
        ManualPinExemptions manualPinExemptions,
        long predictionCheckDelayMs,
        double predictionToleranceFactor,
        String predictionResetToken) {

    /** What holds where nobody says anything. */
    public static final MoveTrackerConfig DEFAULTS = read(new SettingsReader("", new MapSettings(Map.of())));

    static MoveTrackerConfig read(SettingsReader reader) {
        return read(reader, true);
    }

    /** @param enabled whether Hearth's balancer is switched on; where it is not, its mode is {@link BalancerMode#OFF} */
    static MoveTrackerConfig read(SettingsReader reader, boolean enabled) {
        BalancerMode mode = reader.readOrFailSafe(MoveTrackerSettings.MODE, BalancerMode.ADVISE);
        return new MoveTrackerConfig(
                enabled ? mode : BalancerMode.OFF,
                reader.read(MoveTrackerSettings.COOL_DOWN_MS),
                reader.read(MoveTrackerSettings.REST_MS),
                reader.read(MoveTrackerSettings.CONFIRM_TIMEOUT_MS),
                reader.read(MoveTrackerSettings.OSCILLATION_WINDOW_MS),
                reader.read(MoveTrackerSettings.OSCILLATION_FREEZE_MS),
                reader.read(MoveTrackerSettings.MANUAL_PIN_MS),
                reader.read(MoveTrackerSettings.MANUAL_PIN_MIN_REQUESTS_PER_SECOND),
                reader.read(MoveTrackerSettings.MANUAL_PIN_EXEMPTIONS),
                reader.read(MoveTrackerSettings.PREDICTION_CHECK_DELAY_MS),
                reader.read(MoveTrackerSettings.PREDICTION_TOLERANCE_FACTOR),
                reader.read(MoveTrackerSettings.PREDICTION_RESET_TOKEN));
    }

    /**
     * Which regions are not held where somebody moved them manually: none, all, or these. It is a standing order: what it names
     * is not pinned for as long as it is named, whether it was moved before or after. Immutable.
     *
     * @param all whether no manual move pins at all
     * @param encodedNames the encoded names of the regions; empty where {@code all}
     */
    public record ManualPinExemptions(boolean all, SortedSet<String> encodedNames) {

        /** Every manual move is respected. */
        public static final ManualPinExemptions NONE = new ManualPinExemptions(false, Collections.emptySortedSet());

        private static final ManualPinExemptions ALL = new ManualPinExemptions(true, Collections.emptySortedSet());

        /** The encoded name of a region is an MD5 sum, but for hbase:meta's and those of very old HBase, which are numbers. */
        private static final String ENCODED_NAME = "[0-9a-z]{1,64}";

        public ManualPinExemptions {
            encodedNames = Collections.unmodifiableSortedSet(new TreeSet<>(encodedNames));
        }

        /** Reads {@code none}, {@code all}, or encoded names separated by commas; empty where it is none of these. */
        public static Optional<ManualPinExemptions> parse(String text) {
            String lower = text.toLowerCase(Locale.ROOT);
            if (lower.equals("none") || lower.equals("all")) {
                return Optional.of(lower.equals("all") ? ALL : NONE);
            }
            List<String> names =
                    Arrays.stream(lower.split(",")).map(String::trim).toList();
            return !names.isEmpty() && names.stream().allMatch(name -> name.matches(ENCODED_NAME))
                    ? Optional.of(new ManualPinExemptions(false, new TreeSet<>(names)))
                    : Optional.empty();
        }

        /** Whether a manual move of this region is not respected. */
        public boolean contains(String encodedName) {
            return all || encodedNames.contains(encodedName);
        }

        /** In the form that {@link #parse} reads. */
        @Override
        public String toString() {
            if (all) {
                return "all";
            }
            return encodedNames.isEmpty() ? "none" : String.join(",", encodedNames);
        }
    }
}
