// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One key that an operator can set, with its type, default, allowed values and meaning. Immutable; two settings are the
 * same only if they are the same object.
 *
 * @param <T> the type of the parsed value
 */
public final class Setting<T> {

    private final String key;
    private final T defaultValue;
    private final String allowed;
    private final String doc;
    private final Function<String, Optional<T>> parser;

    private Setting(String key, T defaultValue, String allowed, String doc, Function<String, Optional<T>> parser) {
        this.key = key;
        this.defaultValue = defaultValue;
        this.allowed = allowed;
        this.doc = doc;
        this.parser = parser;
    }

    /** A switch: {@code true} or {@code false} in any case. */
    public static Setting<Boolean> bool(String key, boolean defaultValue, String doc) {
        return new Setting<>(key, defaultValue, "true or false", doc, Setting::parseBoolean);
    }

    /** One of the constants of an enum, by the constant's {@code toString}, in any case. */
    public static <E extends Enum<E>> Setting<E> choice(String key, E defaultValue, String doc) {
        List<E> constants = List.of(defaultValue.getDeclaringClass().getEnumConstants());
        String last = constants.get(constants.size() - 1).toString();
        String allowed = constants.stream()
                .limit(constants.size() - 1L)
                .map(E::toString)
                .collect(Collectors.joining(", ", "", " or " + last));
        return new Setting<>(key, defaultValue, allowed, doc, text -> constants.stream()
                .filter(constant -> constant.toString().equalsIgnoreCase(text))
                .findFirst());
    }

    /**
     * A value of a form of its own.
     *
     * @param allowed what a value must be, in words; the default's {@code toString} must parse
     * @param parser the value of a trimmed text, or empty where it can't be used
     */
    public static <T> Setting<T> of(
            String key, T defaultValue, String allowed, String doc, Function<String, Optional<T>> parser) {
        return new Setting<>(key, defaultValue, allowed, doc, parser);
    }

    /** A whole number from {@code min} to {@code max}, both allowed; {@code unit} is empty for a plain count. */
    public static Setting<Integer> integer(String key, int defaultValue, int min, int max, String unit, String doc) {
        return new Setting<>(key, defaultValue, range("a whole number", "" + min, "" + max, unit), doc, text -> number(
                        text, Integer::valueOf)
                .filter(value -> value >= min && value <= max));
    }

    /** A time in milliseconds from {@code min} to {@code max}, both allowed: {@code 30000} or {@code 30s}. */
    public static Setting<Long> millis(String key, long defaultValue, long min, long max, String doc) {
        String allowed = range("a time", "" + min, "" + max, "ms") + " (a number, or one like 30s or 10m)";
        return new Setting<>(key, defaultValue, allowed, doc, text -> Quantity.millis(text)
                .filter(value -> value >= min && value <= max));
    }

    /**
     * A size in bytes from {@code min} to {@code max}, both allowed: {@code 67108864}, {@code 64m} or {@code 1.5GB}.
     *
     * @param unit {@code bytes}, or bytes for each of something
     */
    public static Setting<Long> bytes(String key, long defaultValue, long min, long max, String unit, String doc) {
        String allowed = range("a size", "" + min, "" + max, unit) + " (a number, or one like 64m or 1.5GB)";
        return new Setting<>(key, defaultValue, allowed, doc, text -> Quantity.bytes(text)
                .filter(value -> value >= min && value <= max));
    }

    /** A whole number from {@code min} to {@code max}, both allowed; {@code unit} is empty for a plain count. */
    public static Setting<Long> wholeNumber(
            String key, long defaultValue, long min, long max, String unit, String doc) {
        return new Setting<>(key, defaultValue, range("a whole number", "" + min, "" + max, unit), doc, text -> number(
                        text, Long::valueOf)
                .filter(value -> value >= min && value <= max));
    }

    /** A finite number from {@code min} to {@code max}, both allowed; {@code unit} is empty for a plain ratio. */
    public static Setting<Double> decimal(
            String key, double defaultValue, double min, double max, String unit, String doc) {
        return new Setting<>(key, defaultValue, range("a number", plain(min), plain(max), unit), doc, text -> number(
                        text, Double::valueOf)
                .filter(value -> value >= min && value <= max));
    }

    public String key() {
        return key;
    }

    public T defaultValue() {
        return defaultValue;
    }

    /** What a value must be, in words: {@code a whole number from 1 to 64}. */
    public String allowed() {
        return allowed;
    }

    /** What the setting does, in one or two sentences. */
    public String doc() {
        return doc;
    }

    /** The value of this text, or empty where it does not parse or is out of range. */
    public Optional<T> parse(String text) {
        return parser.apply(text.trim());
    }

    @Override
    public String toString() {
        return key;
    }

    private static Optional<Boolean> parseBoolean(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    private static <N extends Number> Optional<N> number(String text, Function<String, N> parse) {
        try {
            return Optional.of(parse.apply(text)).filter(value -> Double.isFinite(value.doubleValue()));
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }

    private static String range(String kind, String min, String max, String unit) {
        return kind + " from " + min + " to " + max + (unit.isEmpty() ? "" : " " + unit);
    }

    /** 1.5 as {@code 1.5}, 2.0 as {@code 2}. */
    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    /**
     * Reads sizes and times as operators of HBase and Hadoop write them: a number without a unit is of bytes or milliseconds; {@code 64m}
     * (Hadoop's {@code getLongBytes}), {@code 1MB} and {@code 1.5GB} (its {@code getStorageSize}) are powers of 1024; {@code 30s}, {@code 10m}
     * (its {@code getTimeDuration}) are times. Units in any case. Pure.
     */
    private static final class Quantity {

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
}
