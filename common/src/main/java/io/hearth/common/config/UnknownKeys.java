// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds the {@code hearth.} keys of a configuration that nobody reads, each with the known key that is nearest to it.
 *
 * <p>A key is near if it can be turned into a known one by at most a third of its length in insertions, deletions and
 * replacements (Levenshtein 1966). A misspelt section ({@code hearth.heel.enabled}) is near to the same key in a known
 * section, so that each part of Hearth can check its own keys without knowing those of the others.
 */
public final class UnknownKeys {

    private static final List<String> SECTIONS = List.of(
            "hearth.balancer.", "hearth.heal.", "hearth.healer.", "hearth.ui.", "hearth.table.", "hearth.datanode.");

    private UnknownKeys() {}

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
                problems.add(ConfigProblem.unknownKey(where, key, nearest(key, knownKeys)));
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
