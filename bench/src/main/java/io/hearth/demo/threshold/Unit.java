// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.threshold;

import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/** How a measured number is written. */
public enum Unit {
    /** A ratio such as max/mean, two digits. */
    RATIO {
        @Override
        public String format(double value) {
            return number("0.00", RoundingMode.HALF_UP, value);
        }
    },
    /** A share of 1 as a percentage; rounded down, so that only all of it reads 100 %. */
    SHARE {
        @Override
        public String format(double value) {
            return number("0.#", RoundingMode.DOWN, value * 100) + " %";
        }
    },
    /** A number of things. */
    COUNT {
        @Override
        public String format(double value) {
            return number("#,##0", RoundingMode.HALF_UP, value);
        }
    },
    /** Megabytes of 2^20 bytes. */
    MEGABYTES {
        @Override
        public String format(double value) {
            return number("#,##0.#", RoundingMode.HALF_UP, value) + " MB";
        }
    };

    /** The number with its unit, the same in every locale. */
    public abstract String format(double value);

    /** Bytes as megabytes, for {@link #MEGABYTES}. */
    public static double megabytes(long bytes) {
        return bytes / (double) (1 << 20);
    }

    private static String number(String pattern, RoundingMode rounding, double value) {
        DecimalFormat format = new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT));
        format.setRoundingMode(rounding);
        return format.format(value);
    }
}
