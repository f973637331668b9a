// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.datanode.cache.BlockAdmission.Footprint;
import io.hearth.datanode.cache.LastDay;
import io.hearth.datanode.cache.ReadCache.ReadCacheStatus;
import io.hearth.datanode.cache.ReadCacheCounts;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.cache.ShadowCache.ShadowResult;
import io.hearth.datanode.cache.SsdCache.SsdStatus;
import io.hearth.datanode.config.ReadCacheSettings.Admission;
import io.hearth.datanode.config.ReadCacheSettings.Mode;
import io.hearth.datanode.config.ReadCacheSettings.ReadCacheConfig;
import io.hearth.datanode.config.ReadCacheSettings.ShadowVariant;
import io.hearth.datanode.config.ReadCacheSettings.Storage;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricType;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.junit.jupiter.api.Test;

class ReadCacheMetricsTest {

    private final ReadCacheCounts counts = new ReadCacheCounts();

    private static ReadCacheStatus status(Mode mode, Optional<SsdStatus> ssd) {
        ShadowVariant variant = new ShadowVariant(new Admission(20, 60), 4_000);
        return new ReadCacheStatus(
                new ReadCacheConfig(
                        mode,
                        Optional.empty(),
                        new Storage(1_000, 0, 10, 4_096, 1.5),
                        new Admission(20, 60),
                        List.of(variant)),
                ssd,
                new Footprint(7, 168, 0),
                List.of(new ShadowResult(variant, 100, 60, 5, 4, 44, 3, 40)),
                new LastDay.Activity(86_400_000, 95, 5, 700));
    }

    private List<? extends MetricsRecord> records(ReadCacheStatus now) {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        new ReadCacheMetrics(counts, () -> now).getMetrics(collector, true);
        return collector.getRecords();
    }

    private static Map<String, Long> values(MetricsRecord record) {
        Map<String, Long> values = new HashMap<>();
        record.metrics()
                .forEach(metric -> values.put(metric.name(), metric.value().longValue()));
        return values;
    }

    @Test
    void countersAndTheStateOfTheSsd() {
        for (Counter counter : Counter.values()) {
            counts.add(counter, 10 + counter.ordinal());
        }
        MetricsRecord record = records(status(Mode.ON, Optional.of(new SsdStatus(true, true, 2, 3, 400, 50))))
                .get(0);

        assertThat(record.name()).isEqualTo("HearthReadCache");
        assertThat(values(record))
                .containsEntry("Reads", 10L)
                .containsEntry("Hits", 10L + Counter.HITS.ordinal())
                .containsEntry("SsdNanos", 10L + Counter.SSD_NANOS.ordinal())
                .containsEntry("Mode", 2L)
                .containsEntry("Serving", 1L)
                .containsEntry("SsdTrips", 2L)
                .containsEntry("CachedBlocks", 3L)
                .containsEntry("CachedBytes", 400L)
                .containsEntry("MaxBytes", 1_000L)
                .containsEntry("WriteBudgetBytes", 50L)
                .containsEntry("DailyWriteBytes", 1_500L)
                .containsEntry("LastDayMs", 86_400_000L)
                .containsEntry("LastDayHits", 95L)
                .containsEntry("LastDayFills", 5L)
                .containsEntry("LastDayWrittenBytes", 700L)
                .containsEntry("CountedBlocks", 7L)
                .containsEntry("CountedBytes", 168L)
                .hasSize(Counter.values().length + 2 + ReadCacheMetrics.Gauge.values().length);
    }

    /** It may fall, which Prometheus would take for a restart if it were a counter. */
    @Test
    void theTimeSavedIsAGauge() {
        counts.add(Counter.HITS, 10);
        counts.add(Counter.FILL_READS);
        counts.add(Counter.FILL_READ_NANOS, 8_000_000);
        long before = counts.savedNanos();
        counts.add(Counter.FILL_READS);
        assertThat(counts.savedNanos()).isLessThan(before);

        assertThat(records(status(Mode.ON, Optional.empty())).get(0).metrics())
                .filteredOn(metric -> metric.name().equals(ReadCacheMetrics.SAVED_MS))
                .extracting(AbstractMetric::type)
                .containsExactly(MetricType.GAUGE);
    }

    @Test
    void itServesOnlyWhereItIsOnRestoredAndWell() {
        assertThat(isServing(Mode.ON, new SsdStatus(true, true, 0, 0, 0, 0))).isTrue();
        assertThat(isServing(Mode.SHADOW, new SsdStatus(true, true, 0, 0, 0, 0)))
                .isFalse();
        assertThat(isServing(Mode.ON, new SsdStatus(false, true, 0, 0, 0, 0))).isFalse();
        assertThat(isServing(Mode.ON, new SsdStatus(true, false, 0, 0, 0, 0))).isFalse();
        assertThat(values(records(status(Mode.ON, Optional.empty())).get(0))).containsEntry("Serving", 0L);
    }

    private boolean isServing(Mode mode, SsdStatus ssd) {
        return values(records(status(mode, Optional.of(ssd))).get(0)).getOrDefault("Serving", -1L) == 1;
    }

    @Test
    void eachSimulatedCacheIsARecordWithATag() {
        List<? extends MetricsRecord> records = records(status(Mode.SHADOW, Optional.empty()));

        assertThat(records).hasSize(2);
        assertThat(records.get(1).name()).isEqualTo("HearthReadCacheShadow");
        assertThat(records.get(1).tags()).anySatisfy(tag -> {
            assertThat(tag.name()).isEqualTo("Variant");
            assertThat(tag.value()).isEqualTo("20/60/4000");
        });
        assertThat(values(records.get(1)))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "ClientBytes", 100L,
                        "SsdBytes", 60L,
                        "Hits", 5L,
                        "Fills", 4L,
                        "WrittenBytes", 44L,
                        "EvictedBlocks", 3L,
                        "UsedBytes", 40L));
    }

    /** In the bean those of simulated caches have a number behind their names, and the cache's own have none. */
    @Test
    void inJmxTheCachesOwnNamesArePlain() throws Exception {
        counts.add(Counter.HITS, 77);
        MetricsSystemImpl metrics = new MetricsSystemImpl("HearthReadCacheTest");
        metrics.start();
        try {
            metrics.register(
                    ReadCacheMetrics.NAME,
                    "the read cache",
                    new ReadCacheMetrics(counts, () -> status(Mode.SHADOW, Optional.empty())));
            MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
            ObjectName name = new ObjectName("Hadoop:service=HearthReadCacheTest,name=HearthReadCache");

            assertThat(beans.getAttribute(name, "Hits")).isEqualTo(77L);
            assertThat(beans.getAttribute(name, "Hits.1")).isEqualTo(5L);
            assertThat(beans.getAttribute(name, "Mode")).isEqualTo(1L);
            assertThat(beans.getAttribute(name, "LastDayFills")).isEqualTo(5L);
        } finally {
            metrics.shutdown();
        }
    }
}
