// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.SkipReason;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;

/**
 * Healing's metrics in HBase's own registry, so that they are in the master's {@code /jmx} and {@code /prometheus}: every
 * {@link HealingCounter} and {@link HealingGauge} under its name, and {@code blocksSkipped_} with each {@link SkipReason}.
 * All of them are there from the start, at 0. Several masters in one JVM share one registry. Thread-safe.
 */
public final class HealingMetricRegistry implements HealingMetrics {

    /** Under this the registry is found in {@link MetricRegistries#global()}. */
    public static final MetricRegistryInfo INFO = new MetricRegistryInfo(
            "HearthHealing", "Hearth's block-move healing", "Master,sub=HearthHealing", "master", false);

    private final Map<HealingCounter, Counter> counters = new EnumMap<>(HealingCounter.class);
    private final Map<SkipReason, Counter> skipped = new EnumMap<>(SkipReason.class);
    private final Map<HealingGauge, AtomicLong> gauges = new EnumMap<>(HealingGauge.class);

    public HealingMetricRegistry() {
        MetricRegistry registry = MetricRegistries.global().create(INFO);
        for (HealingCounter counter : HealingCounter.values()) {
            counters.put(counter, registry.counter(counter.metric()));
        }
        for (SkipReason reason : SkipReason.values()) {
            skipped.put(reason, registry.counter(metric(reason)));
        }
        for (HealingGauge gauge : HealingGauge.values()) {
            AtomicLong value = new AtomicLong();
            gauges.put(gauge, value);
            registry.remove(gauge.metric());
            registry.register(gauge.metric(), (Gauge<Long>) value::get);
        }
    }

    /** The name of the counter of this reason: {@code blocksSkipped_in_flight}. */
    public static String metric(SkipReason reason) {
        return "blocksSkipped_" + reason.name().toLowerCase(Locale.ROOT);
    }

    /** What this counter has counted. */
    public long count(HealingCounter counter) {
        return Objects.requireNonNull(counters.get(counter)).getCount();
    }

    @Override
    public void add(HealingCounter counter, long count) {
        Objects.requireNonNull(counters.get(counter)).increment(count);
    }

    @Override
    public void addSkipped(SkipReason reason, long count) {
        Objects.requireNonNull(skipped.get(reason)).increment(count);
    }

    /** What this gauge measures now. */
    public long measure(HealingGauge gauge) {
        return Objects.requireNonNull(gauges.get(gauge)).get();
    }

    @Override
    public void set(HealingGauge gauge, long value) {
        Objects.requireNonNull(gauges.get(gauge)).set(value);
    }
}
