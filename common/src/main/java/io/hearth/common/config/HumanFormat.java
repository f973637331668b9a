// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bytes, times and numbers as a person writes and reads them. A KB is 1024 bytes, as in HBase and HDFS. Pure. */
public final class HumanFormat {

    private static final Pattern BYTES = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,3})?)\\s*([kmgt]?)(?:i?b)?(?:/s)?");
    private static final String UNITS = "kmgtpe";
    private static final int STEP = 1024;
    private static final long MINUTE_SECONDS = 60;

    private HumanFormat() {}

    /**
     * Parses a size in binary units, with or without {@code /s}: {@code 50MB}, {@code 1.5g}, {@code 1048576}. Empty if it is malformed
     * or too large.
     */
    public static Optional<Long> parse(String text) {
        Matcher parts = BYTES.matcher(text.trim().toLowerCase(Locale.ROOT));
        if (!parts.matches()) {
            return Optional.empty();
        }
        int power = UNITS.indexOf(parts.group(2).isEmpty() ? "-" : parts.group(2)) + 1;
        double bytes = Double.parseDouble(parts.group(1)) * Math.pow(STEP, power);
        return bytes < 1e15 ? Optional.of(Math.round(bytes)) : Optional.empty();
    }

    /** {@code 512 B}, {@code 48.3 MB}. */
    public static String bytes(long bytes) {
        double value = bytes;
        int unit = -1;
        while (value >= STEP && unit < UNITS.length() - 1) {
            value /= STEP;
            unit++;
        }
        return unit < 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %SB", value, UNITS.substring(unit, unit + 1));
    }

    /** {@code 40 s}, {@code 12 min}, {@code 3 h 20 min}, {@code 24 h}: seconds below two minutes, else rounded to minutes. */
    public static String time(long seconds) {
        if (seconds < 2 * MINUTE_SECONDS) {
            return seconds + " s";
        }
        long minutes = Math.round((double) seconds / MINUTE_SECONDS);
        if (minutes < MINUTE_SECONDS) {
            return minutes + " min";
        }
        String hours = minutes / MINUTE_SECONDS + " h";
        return minutes % MINUTE_SECONDS == 0 ? hours : hours + " " + minutes % MINUTE_SECONDS + " min";
    }

    /** The same of milliseconds. */
    public static String timeOfMs(long ms) {
        return time(ms / 1_000);
    }

    /** A share of one, never rounded up to one: {@code 0.9871}. */
    public static String share(double share) {
        return String.format(Locale.ROOT, "%.4f", Math.floor(share * 10_000) / 10_000);
    }

    /** With so many digits behind the point as are needed to see it: {@code 0.0123}, {@code 1.25}. */
    public static String decimal(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 0.1 ? "%.4f" : "%.2f", value);
    }
}
