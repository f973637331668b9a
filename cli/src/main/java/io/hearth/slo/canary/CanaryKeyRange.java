// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.canary;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * The keys of a region of the canary table, as numbers. Keys are of eight hexadecimal digits, so the first region starts at 0 and the last
 * one ends at 2^32. Immutable.
 *
 * @param start inclusive
 * @param end exclusive
 */
public record CanaryKeyRange(long start, long end) {

    private static final long KEYS = 1L << 32;
    private static final Pattern KEY = Pattern.compile("[0-9a-f]{8}");

    /** The range between two keys of a region, where they are keys of that kind. */
    public static Optional<CanaryKeyRange> of(String startKey, String endKey) {
        if (!isKey(startKey) || !isKey(endKey)) {
            return Optional.empty();
        }
        long start = startKey.isEmpty() ? 0 : Long.parseLong(startKey, 16);
        long end = endKey.isEmpty() ? KEYS : Long.parseLong(endKey, 16);
        return start < end ? Optional.of(new CanaryKeyRange(start, end)) : Optional.empty();
    }

    private static boolean isKey(String key) {
        return key.isEmpty() || KEY.matcher(key).matches();
    }

    /** The keys at which a new table of so many regions is split. */
    public static List<String> splitKeys(int regions) {
        return LongStream.range(1, regions)
                .mapToObj(region -> key(KEYS * region / regions))
                .toList();
    }

    public long width() {
        return end - start;
    }

    /** The key in the middle; empty where the range has but one. */
    public Optional<String> middle() {
        return width() < 2 ? Optional.empty() : Optional.of(key(start + width() / 2));
    }

    private static String key(long number) {
        return String.format(Locale.ROOT, "%08x", number);
    }
}
