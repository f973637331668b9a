// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds the {@code hearth.} keys of a configuration that nobody reads, each with the name that it has now if it was renamed, or else with
 * the known key that is nearest to it.
 *
 * <p>A key is near if it can be turned into a known one by at most a third of its length in insertions, deletions and
 * replacements (Levenshtein 1966). A misspelt section ({@code hearth.heel.enabled}) is near to the same key in a known
 * section, so that each part of Hearth can check its own keys without knowing those of the others.
 */
public final class UnknownKeys {

    private static final List<String> SECTIONS = List.of(
            "hearth.balancer.", "hearth.heal.", "hearth.healer.", "hearth.ui.", "hearth.table.", "hearth.datanode.");

    private static final String BALANCER = "hearth.balancer.";
    private static final String HEAL = "hearth.heal.";
    private static final String UI = "hearth.ui.";
    private static final String DELETION_DELAY = "hearth.datanode.deletion.delay.";

    private static final Map<String, String> RENAMED = Map.ofEntries(
            Map.entry("hearth.balancer.flight.ms", BALANCER + "move.confirm.timeout.ms"),
            Map.entry("hearth.balancer.frozen.ms", BALANCER + "oscillation.freeze.ms"),
            Map.entry(
                    "hearth.balancer.hand.pin.min.requests.per.second",
                    BALANCER + "manual.pin.min.requests.per.second"),
            Map.entry("hearth.balancer.hand.pin.ms", BALANCER + "manual.pin.ms"),
            Map.entry("hearth.balancer.heat.remote.read.extra", BALANCER + "heat.remote.read.penalty"),
            Map.entry("hearth.balancer.hot.minutes", BALANCER + "activity.window.minutes"),
            Map.entry("hearth.balancer.hot.requests", BALANCER + "activity.min.requests"),
            Map.entry("hearth.balancer.hot.window", BALANCER + "activity.exact"),
            Map.entry("hearth.balancer.knee", BALANCER + "plan.min.marginal.gain.ratio"),
            Map.entry("hearth.balancer.ledger.delay.ms", BALANCER + "prediction.check.delay.ms"),
            Map.entry("hearth.balancer.ledger.factor", BALANCER + "prediction.tolerance.factor"),
            Map.entry("hearth.balancer.ledger.reset", BALANCER + "prediction.reset.token"),
            Map.entry("hearth.balancer.min.relief", BALANCER + "min.hotspot.reduction"),
            Map.entry("hearth.balancer.pins.lifted", BALANCER + "manual.pin.exempt.regions"),
            Map.entry("hearth.balancer.placement.heat.cap", BALANCER + "placement.max.load.ratio"),
            Map.entry("hearth.balancer.placement.intake.factor", BALANCER + "placement.max.burst.factor"),
            Map.entry("hearth.balancer.return.window.ms", BALANCER + "oscillation.window.ms"),
            Map.entry("hearth.datanode.grace.enabled", DELETION_DELAY + "enabled"),
            Map.entry("hearth.datanode.grace.max.bytes", DELETION_DELAY + "max.bytes"),
            Map.entry("hearth.datanode.grace.max.replicas", DELETION_DELAY + "max.replicas"),
            Map.entry("hearth.datanode.grace.min.free.bytes", DELETION_DELAY + "min.free.bytes"),
            Map.entry("hearth.datanode.grace.ms", DELETION_DELAY + "ms"),
            Map.entry("hearth.heal.bandwidth", HEAL + "cluster.bandwidth"),
            Map.entry("hearth.heal.bounces.per.hour", HEAL + "max.reverted.moves.per.hour"),
            Map.entry("hearth.heal.concurrent.moves", HEAL + "cluster.moves"),
            Map.entry("hearth.heal.concurrent.moves.per.datanode", HEAL + "datanode.moves"),
            Map.entry("hearth.heal.readers.refresh.ms", HEAL + "reader.locations.max.age.ms"),
            Map.entry("hearth.heal.settle.ms", HEAL + "region.stable.ms"),
            Map.entry("hearth.page.actions", UI + "actions"),
            Map.entry("hearth.page.enabled", UI + "enabled"),
            Map.entry("hearth.page.sample.ms", UI + "sample.ms"));

    private UnknownKeys() {}

    /** The keys that Hearth has read under another name before, with the name that each has now. */
    public static Map<String, String> renamed() {
        return RENAMED;
    }

    /**
     * A problem for each key under {@code prefix} that is not known.
     *
     * @param where the name of the configuration in messages
     * @param isKnown whether somebody reads this key
     * @param knownKeys the keys to choose the nearest from
     */
    public static List<ConfigProblem> find(
            String where, RawSettings raw, String prefix, Predicate<String> isKnown, Collection<String> knownKeys) {
        List<ConfigProblem> problems = new ArrayList<>();
        for (String key : raw.keysWithPrefix(prefix)) {
            if (!isKnown.test(key)) {
                String now = RENAMED.get(key);
                problems.add(
                        now == null
                                ? ConfigProblem.unknownKey(where, key, nearest(key, knownKeys))
                                : ConfigProblem.renamedKey(where, key, now));
            }
        }
        return problems;
    }

    private static Optional<String> nearest(String key, Collection<String> knownKeys) {
        int farthest = Math.max(2, key.length() / 3);
        return Stream.concat(knownKeys.stream(), inKnownSections(key))
                .filter(known -> !known.equals(key) && distance(key, known) <= farthest)
                .min(Comparator.<String>comparingInt(known -> distance(key, known))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** This key with its section, if that is not known, replaced by each known one. */
    private static Stream<String> inKnownSections(String key) {
        int endOfSection = key.indexOf('.', "hearth.".length());
        if (endOfSection < 0 || SECTIONS.contains(key.substring(0, endOfSection + 1))) {
            return Stream.empty();
        }
        return SECTIONS.stream().map(section -> section + key.substring(endOfSection + 1));
    }

    /** The Levenshtein distance, row by row. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
