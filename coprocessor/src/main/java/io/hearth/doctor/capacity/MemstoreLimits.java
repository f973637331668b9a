// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import static io.hearth.doctor.model.HadoopKey.MEMSTORE_FRACTION;
import static io.hearth.doctor.model.HadoopKey.MEMSTORE_LOWER_MARK;
import static io.hearth.doctor.model.HadoopKey.OLD_MEMSTORE_FRACTION;
import static io.hearth.doctor.model.HadoopKey.OLD_MEMSTORE_LOWER_LIMIT;

import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProcessConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * How much of a RegionServer's heap its memstores may fill together, read as HBase's {@code MemorySizeUtil} reads it: by the new names
 * of the keys, else by the names that they had before HBase 1.0. Immutable.
 *
 * @param heapShare of the heap; 0.4 where nothing is said, or what is not above 0 and at most 0.8
 * @param heapShareKey the key that says so
 * @param lowerMark from this share of that room on HBase flushes whatever is largest
 * @param oldKeys the names of before that are in the configuration
 */
public record MemstoreLimits(double heapShare, HadoopKey heapShareKey, double lowerMark, List<OldKey> oldKeys) {

    private static final double HEAP_SHARE = 0.4;
    private static final double MAX_HEAP_SHARE = 0.8;
    private static final double LOWER_MARK = 0.95;

    public MemstoreLimits {
        oldKeys = List.copyOf(oldKeys);
    }

    /**
     * A name of before that is still set.
     *
     * @param newValue what the key of today has to be for the same
     * @param isUsed whether HBase goes by it: not where the key of today is set too
     */
    public record OldKey(HadoopKey old, HadoopKey today, String newValue, boolean isUsed) {}

    /** @throws IllegalArgumentException if a key is no number */
    public static MemstoreLimits of(ProcessConfig settings) {
        boolean hasShare = isSet(settings, MEMSTORE_FRACTION);
        boolean hasOldShare = isSet(settings, OLD_MEMSTORE_FRACTION);
        HadoopKey shareKey = hasShare || !hasOldShare ? MEMSTORE_FRACTION : OLD_MEMSTORE_FRACTION;
        double share = isSet(settings, shareKey) ? settings.decimal(shareKey) : HEAP_SHARE;
        double heapShare = share > 0 && share <= MAX_HEAP_SHARE ? share : HEAP_SHARE;

        boolean hasMark = isSet(settings, MEMSTORE_LOWER_MARK);
        boolean hasOldMark = isSet(settings, OLD_MEMSTORE_LOWER_LIMIT);
        double ofOldMark =
                hasOldMark ? Math.min(1, settings.decimal(OLD_MEMSTORE_LOWER_LIMIT) / heapShare) : LOWER_MARK;
        double mark = hasMark ? Math.min(1, settings.decimal(MEMSTORE_LOWER_MARK)) : ofOldMark;

        List<OldKey> oldKeys = new ArrayList<>();
        if (hasOldShare) {
            oldKeys.add(new OldKey(
                    OLD_MEMSTORE_FRACTION,
                    MEMSTORE_FRACTION,
                    hasShare ? settings.text(MEMSTORE_FRACTION) : String.valueOf(heapShare),
                    !hasShare));
        }
        if (hasOldMark) {
            oldKeys.add(new OldKey(
                    OLD_MEMSTORE_LOWER_LIMIT,
                    MEMSTORE_LOWER_MARK,
                    hasMark ? settings.text(MEMSTORE_LOWER_MARK) : rounded(ofOldMark),
                    !hasMark));
        }
        return new MemstoreLimits(heapShare, shareKey, mark, oldKeys);
    }

    private static boolean isSet(ProcessConfig settings, HadoopKey key) {
        return !settings.text(key).isEmpty();
    }

    /** To a thousandth. */
    private static String rounded(double share) {
        return String.valueOf(Math.round(share * 1_000) / 1_000.0);
    }
}
