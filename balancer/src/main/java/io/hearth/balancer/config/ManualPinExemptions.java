// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which regions are not held where somebody moved them by hand: none, all, or these. It is a standing order: what it names
 * is not pinned for as long as it is named, whether it was moved before or after. Immutable.
 *
 * @param all whether no move by hand pins at all
 * @param encodedNames the encoded names of the regions; empty where {@code all}
 */
public record ManualPinExemptions(boolean all, SortedSet<String> encodedNames) {

    /** Every move by hand is respected. */
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
        List<String> names = Arrays.stream(lower.split(",")).map(String::trim).toList();
        return !names.isEmpty() && names.stream().allMatch(name -> name.matches(ENCODED_NAME))
                ? Optional.of(new ManualPinExemptions(false, new TreeSet<>(names)))
                : Optional.empty();
    }

    /** Whether a move of this region by hand is not respected. */
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
