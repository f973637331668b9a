// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedReadCache;
import io.hearth.doctor.model.ProbedReadCache.CacheDay;
import io.hearth.doctor.model.ProbedReadCache.CacheSsd;
import io.hearth.doctor.model.ProbedReadCache.Mode;
import java.util.Set;
import java.util.function.ToLongFunction;

/** The bean in which a DataNode shows its read cache; a test holds its names and the DataNode's together. Stateless. */
public final class ReadCacheBean {

    public static final String NAME = "Hadoop:service=DataNode,name=HearthReadCache";

    private static final String MODE = "Mode";
    private static final String SERVING = "Serving";
    private static final String TRIPS = "SsdTrips";
    private static final String MAX_BYTES = "MaxBytes";
    private static final String DAILY_WRITE_BYTES = "DailyWriteBytes";
    private static final String SSD_BYTES = "SsdBytes";
    private static final String DISK_BYTES = "DiskBytes";
    private static final String DAY_MS = "LastDayMs";
    private static final String DAY_HITS = "LastDayHits";
    private static final String DAY_FILLS = "LastDayFills";
    private static final String DAY_WRITTEN_BYTES = "LastDayWrittenBytes";

    /** What is read of it. */
    public static final Set<String> ATTRIBUTES = Set.of(
            MODE,
            SERVING,
            TRIPS,
            MAX_BYTES,
            DAILY_WRITE_BYTES,
            SSD_BYTES,
            DISK_BYTES,
            DAY_MS,
            DAY_HITS,
            DAY_FILLS,
            DAY_WRITTEN_BYTES);

    private ReadCacheBean() {}

    /** What the DataNode with this web UI says of its read cache; unknown where it has none. */
    public static ProbeResult<ProbedReadCache> read(InfoServerClient ui) {
        return ui.counts(
                NAME,
                ATTRIBUTES,
                count -> new ProbedReadCache(
                        mode(count.applyAsLong(MODE)),
                        new CacheSsd(
                                count.applyAsLong(SERVING) == 1,
                                count.applyAsLong(TRIPS),
                                count.applyAsLong(MAX_BYTES),
                                count.applyAsLong(DAILY_WRITE_BYTES)),
                        count.applyAsLong(SSD_BYTES),
                        count.applyAsLong(DISK_BYTES),
                        lastDay(count)));
    }

    private static CacheDay lastDay(ToLongFunction<String> count) {
        return new CacheDay(
                count.applyAsLong(DAY_MS),
                count.applyAsLong(DAY_HITS),
                count.applyAsLong(DAY_FILLS),
                count.applyAsLong(DAY_WRITTEN_BYTES));
    }

    private static Mode mode(long number) {
        if (number < 0 || number >= Mode.values().length) {
            throw new NumberFormatException("no mode has the number " + number);
        }
        return Mode.values()[(int) number];
    }
}
