// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.threshold;

import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/**
 * One threshold of the demo: what is measured, and the number that it must reach or must not pass.
 *
 * <p>The order is the order in which things happen: what was uneven, what became even, what
 * was remote, what became local, and that nothing was harmed on the way.
 */
public enum Threshold {
    DATA_LOADED("Data loaded", Relation.AT_LEAST, 200, Unit.MEGABYTES),
    REGIONS("Regions of the table", Relation.AT_LEAST, 40, Unit.COUNT),
    READ_SKEW_BEFORE("Reads max/mean before, uneven on purpose", Relation.AT_LEAST, 2.5, Unit.RATIO),
    WRITE_SKEW_BEFORE("Writes max/mean before, uneven on purpose", Relation.AT_LEAST, 2.5, Unit.RATIO),
    READ_SKEW_BALANCED("Reads max/mean after balancing", Relation.AT_MOST, 1.15, Unit.RATIO),
    WRITE_SKEW_BALANCED("Writes max/mean after balancing", Relation.AT_MOST, 1.15, Unit.RATIO),
    LOCALITY_BALANCED("Locality after balancing and healing", Relation.AT_LEAST, 1, Unit.SHARE),
    LOCALITY_CRASHED("Locality of the killed server's regions, at once", Relation.BELOW, 0.70, Unit.SHARE),
    LOCALITY_HEALED("Locality of the same regions, healed", Relation.AT_LEAST, 1, Unit.SHARE),
    BYTES_MOVED("Bytes moved / bytes that were not local", Relation.AT_MOST, 1.05, Unit.RATIO),
    READ_SKEW_END("Reads max/mean at the end, over the servers left", Relation.AT_MOST, 1.15, Unit.RATIO),
    WRITE_SKEW_END("Writes max/mean at the end, over the servers left", Relation.AT_MOST, 1.15, Unit.RATIO),
    LOCALITY_END("Locality of the whole table at the end", Relation.AT_LEAST, 1, Unit.SHARE),
    CORRUPT_BLOCKS("Corrupt blocks", Relation.AT_MOST, 0, Unit.COUNT),
    MISSING_BLOCKS("Missing blocks", Relation.AT_MOST, 0, Unit.COUNT),
    RACKS_LOST("Blocks that span fewer racks than before", Relation.AT_MOST, 0, Unit.COUNT),
    REPLICATION("Blocks without exactly their replication", Relation.AT_MOST, 0, Unit.COUNT),
    CLIENT_ERRORS("Client errors", Relation.AT_MOST, 0, Unit.COUNT);

    private final String title;
    private final Relation relation;
    private final double limit;
    private final Unit unit;

    Threshold(String title, Relation relation, double limit, Unit unit) {
        this.title = title;
        this.relation = relation;
        this.limit = limit;
        this.unit = unit;
    }

    public String title() {
        return title;
    }

    public Unit unit() {
        return unit;
    }

    /** The threshold in words, such as {@code <= 1.15}. */
    public String limitText() {
        return relation.sign + " " + unit.format(limit);
    }

    /** Whether this number is on the right side. */
    public boolean holds(double value) {
        return switch (relation) {
            case AT_LEAST -> value >= limit;
            case AT_MOST -> value <= limit;
            case BELOW -> value < limit;
        };
    }

    private enum Relation {
        AT_LEAST(">="),
        AT_MOST("<="),
        BELOW("<");

        private final String sign;

        Relation(String sign) {
            this.sign = sign;
        }
    }

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
}
