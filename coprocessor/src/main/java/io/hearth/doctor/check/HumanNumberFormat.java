// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import java.util.Locale;

/** Numbers as a person reads them. A KB is 1024 bytes, as in HBase and HDFS. Pure. */
final class HumanNumberFormat {

    private static final int STEP = 1024;
    private static final String UNITS = "KMGTPE";

    private HumanNumberFormat() {}

    /** {@code 512 B}, {@code 48.3 MB}. */
    static String bytes(long bytes) {
        double value = bytes;
        int unit = -1;
        while (value >= STEP && unit < UNITS.length() - 1) {
            value /= STEP;
            unit++;
        }
        return unit < 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %cB", value, UNITS.charAt(unit));
    }

    /** With so many digits behind the point as are needed to see it. */
    static String decimal(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 0.1 ? "%.4f" : "%.2f", value);
    }
}
