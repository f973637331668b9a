// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.hdfs;

import io.hearth.common.model.NamedMetric;
import io.hearth.datanode.cache.ReadCache.ReadCacheStatus;
import io.hearth.datanode.cache.ReadCacheCounts;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.cache.ShadowCache.ShadowResult;
import io.hearth.datanode.cache.SsdCache.SsdStatus;
import io.hearth.datanode.config.ReadCacheSettings.Mode;
import io.hearth.datanode.config.ReadCacheSettings.ShadowVariant;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * The read cache among the DataNode's metrics: {@code Hadoop:service=DataNode,name=HearthReadCache} in JMX. Each cache that is
 * simulated has a record of its own, tagged with what is simulated; in JMX its names end with a number. Thread-safe.
 */
public final class ReadCacheMetrics implements MetricsSource {

    /** The name of the source, of its first record and of the bean. */
    public static final String NAME = "HearthReadCache";

    /** The name of the records of caches that are simulated. */
    public static final String SHADOW_NAME = "HearthReadCacheShadow";

    private static final long NANOS_PER_MS = 1_000_000;

    private final ReadCacheCounts counts;
    private final Supplier<ReadCacheStatus> status;

    ReadCacheMetrics(ReadCacheCounts counts, Supplier<ReadCacheStatus> status) {
        this.counts = counts;
        this.status = status;
    }

    /** What there is to show besides the counters. */
    public enum Gauge implements NamedMetric {
        MODE("Mode", "0: off, 1: shadow, 2: on"),
        SERVING("Serving", "1 while the SSD is read and written"),
        CACHED_BLOCKS("CachedBlocks", "Blocks on the SSD, in part or whole"),
        CACHED_BYTES("CachedBytes", "Bytes of them, checksums included"),
        MAX_BYTES("MaxBytes", "Bytes of them at most"),
        WRITE_BUDGET_BYTES("WriteBudgetBytes", "Bytes that may be written now"),
        DAILY_WRITE_BYTES("DailyWriteBytes", "Bytes that may be written in a day"),
        LAST_DAY_MS("LastDayMs", "How far the next three go back: a day, or to the start"),
        LAST_DAY_HITS("LastDayHits", "Hits since then"),
        LAST_DAY_FILLS("LastDayFills", "Fills since then"),
        LAST_DAY_WRITTEN_BYTES("LastDayWrittenBytes", "Bytes written since then"),
        COUNTED_BLOCKS("CountedBlocks", "Blocks whose reads are counted"),
        COUNTED_BYTES("CountedBytes", "Bytes of heap for those counts");

        private final MetricText text;

        Gauge(String metric, String doc) {
            text = new MetricText(metric, doc);
        }

        @Override
        public MetricText text() {
            return text;
        }
    }

    /** What a cache that is simulated would have done since it began. */
    public enum ShadowCounter implements NamedMetric {
        CLIENT_BYTES("ClientBytes", "Bytes that clients got"),
        SSD_BYTES("SsdBytes", "Bytes of them that would have come from the SSD"),
        HITS("Hits", "Pages that reads would have found there"),
        FILLS("Fills", "Pages that would have been written"),
        WRITTEN_BYTES("WrittenBytes", "Bytes that would have been written"),
        EVICTED_BLOCKS("EvictedBlocks", "Copies that would have made room");

        private final MetricText text;

        ShadowCounter(String metric, String doc) {
            text = new MetricText(metric, doc);
        }

        @Override
        public MetricText text() {
            return text;
        }
    }

    /** The gauge of milliseconds that the SSD has saved: an estimate, which falls where pages come faster from the disk than before. */
    public static final String SAVED_MS = "SavedMs";

    /** How they are estimated. */
    public static final String SAVED_MS_DOC =
            "Time saved: for each hit a page's mean time from the disk, less that from the SSD";

    /** The counter of times that the cache was switched off. */
    public static final String TRIPS = "SsdTrips";

    /** The gauge of what a simulated cache would hold. */
    public static final String USED_BYTES = "UsedBytes";

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        ReadCacheStatus now = status.get();
        MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
        for (Counter counter : Counter.values()) {
            record.addCounter(Interns.info(counter.metric(), counter.doc()), counts.get(counter));
        }
        record.addGauge(Interns.info(SAVED_MS, SAVED_MS_DOC), counts.savedNanos() / NANOS_PER_MS);
        record.addCounter(
                Interns.info(TRIPS, "Times that a failing SSD switched the cache off"),
                now.ssd().map(SsdStatus::trips).orElse(0L));
        for (Gauge gauge : Gauge.values()) {
            record.addGauge(Interns.info(gauge.metric(), gauge.doc()), value(gauge, now));
        }
        now.shadow().forEach(result -> addShadow(collector, result));
    }

    private static long value(Gauge gauge, ReadCacheStatus now) {
        return switch (gauge) {
            case MODE -> now.config().mode().ordinal();
            case SERVING -> isServing(now) ? 1 : 0;
            case CACHED_BLOCKS -> now.ssd().map(SsdStatus::blocks).orElse(0L);
            case CACHED_BYTES -> now.ssd().map(SsdStatus::bytes).orElse(0L);
            case MAX_BYTES -> now.config().storage().maxBytes();
            case WRITE_BUDGET_BYTES ->
                now.ssd().map(SsdStatus::writeBudgetBytes).orElse(0L);
            case DAILY_WRITE_BYTES -> now.config().storage().bytesPerDay();
            case LAST_DAY_MS -> now.lastDay().overMs();
            case LAST_DAY_HITS -> now.lastDay().hits();
            case LAST_DAY_FILLS -> now.lastDay().fills();
            case LAST_DAY_WRITTEN_BYTES -> now.lastDay().writtenBytes();
            case COUNTED_BLOCKS -> now.admission().blocks();
            case COUNTED_BYTES -> now.admission().bytes();
        };
    }

    private static boolean isServing(ReadCacheStatus now) {
        return now.config().mode() == Mode.ON
                && now.ssd().filter(ssd -> ssd.isRestored() && ssd.isUsable()).isPresent();
    }

    private static long value(ShadowCounter counter, ShadowResult result) {
        return switch (counter) {
            case CLIENT_BYTES -> result.clientBytes();
            case SSD_BYTES -> result.ssdBytes();
            case HITS -> result.hits();
            case FILLS -> result.fills();
            case WRITTEN_BYTES -> result.writtenBytes();
            case EVICTED_BLOCKS -> result.evictedBlocks();
        };
    }

    private static void addShadow(MetricsCollector collector, ShadowResult result) {
        MetricsRecordBuilder record = collector
                .addRecord(SHADOW_NAME)
                .setContext("dfs")
                .tag(Interns.info("Variant", "Reads, minutes and bytes"), inWords(result.variant()));
        for (ShadowCounter counter : ShadowCounter.values()) {
            record.addCounter(Interns.info(counter.metric(), counter.doc()), value(counter, result));
        }
        record.addGauge(Interns.info(USED_BYTES, "Bytes that would be on the SSD"), result.usedBytes());
    }

    private static String inWords(ShadowVariant variant) {
        return variant.admission().reads() + "/" + variant.admission().minutes() + "/" + variant.maxBytes();
    }
}
