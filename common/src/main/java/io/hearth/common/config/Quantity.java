// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads sizes and times as operators of HBase and Hadoop write them: a number without a unit is of bytes or milliseconds; {@code 64m}
 * (Hadoop's {@code getLongBytes}), {@code 1MB} and {@code 1.5GB} (its {@code getStorageSize}) are powers of 1024; {@code 30s}, {@code 10m}
 * (its {@code getTimeDuration}) are times. Units in any case. Pure.
 */
final class Quantity {

    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d{1,19}(?:\\.\\d{1,9})?)\\s?([a-z]{0,3})");
    private static final String SIZES = "kmgtpe";
    private static final Map<String, Long> MILLIS_BY_UNIT =
            Map.of("", 1L, "ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

    private Quantity() {}

    /** So many bytes; empty where it is no size, or more than a long can hold. */
    static Optional<Long> bytes(String text) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(text.toLowerCase(Locale.ROOT));
        return matcher.matches()
                ? bytesOfUnit(matcher.group(2)).flatMap(unit -> product(matcher.group(1), unit))
                : Optional.empty();
    }

    /** So many milliseconds; empty where it is no time. */
    static Optional<Long> millis(String text) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(text.toLowerCase(Locale.ROOT));
        return matcher.matches()
                ? Optional.ofNullable(MILLIS_BY_UNIT.get(matcher.group(2)))
                        .flatMap(unit -> product(matcher.group(1), unit))
                : Optional.empty();
    }

    /** {@code g}, {@code gb} and {@code gib} are the same; {@code b} and nothing are a byte. */
    private static Optional<Long> bytesOfUnit(String unit) {
        if (unit.isEmpty() || unit.equals("b")) {
            return Optional.of(1L);
        }
        int power = SIZES.indexOf(unit.charAt(0)) + 1;
        String rest = unit.substring(1);
        return power > 0 && (rest.isEmpty() || rest.equals("b") || rest.equals("ib"))
                ? Optional.of(1L << (10 * power))
                : Optional.empty();
    }

    /** A part of a byte or of a millisecond is dropped, but a number that is none of itself is not a whole one: {@code 1.5}. */
    private static Optional<Long> product(String number, long unit) {
        BigDecimal value = new BigDecimal(number).multiply(BigDecimal.valueOf(unit));
        if (unit == 1 && value.stripTrailingZeros().scale() > 0
                || value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            return Optional.empty();
        }
        return Optional.of(value.setScale(0, RoundingMode.FLOOR).longValueExact());
    }
}
