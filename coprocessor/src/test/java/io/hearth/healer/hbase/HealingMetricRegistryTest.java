// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.SkipReason;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.junit.jupiter.api.Test;

class HealingMetricRegistryTest {

    private final HealingMetricRegistry metrics = new HealingMetricRegistry();
    private final MetricRegistry registry =
            MetricRegistries.global().get(HealingMetricRegistry.INFO).orElseThrow();

    @Test
    void everyMetricIsThereFromTheStartUnderANameOfItsOwn() {
        Stream<String> names = Stream.of(
                        Stream.of(HealingCounter.values()).map(HealingCounter::metric),
                        Stream.of(HealingGauge.values()).map(HealingGauge::metric),
                        Stream.of(SkipReason.values()).map(HealingMetricRegistry::metric))
                .flatMap(each -> each);

        assertThat(names).doesNotHaveDuplicates().allMatch(name -> registry.get(name)
                .isPresent());
    }

    @Test
    void whatIsSaidCanBeRead() {
        Counter counter = (Counter) registry.get("blocksSkipped_in_flight").orElseThrow();
        long before = counter.getCount();
        metrics.addSkipped(SkipReason.IN_FLIGHT, 3);
        metrics.set(HealingGauge.REGIONS_QUEUED, 7);

        assertThat(counter.getCount() - before).isEqualTo(3);
        assertThat(((Gauge<?>) registry.get("regionsQueued").orElseThrow()).getValue())
                .isEqualTo(7L);
    }
}
