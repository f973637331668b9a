// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.fakes;

import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.SkipReason;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Metrics that a test can read. */
public final class CountedMetrics implements HealingMetrics {

    private final Map<Enum<?>, Long> values = new ConcurrentHashMap<>();

    @Override
    public void add(HealingCounter counter, long count) {
        values.merge(counter, count, Long::sum);
    }

    @Override
    public void addSkipped(SkipReason reason, long count) {
        values.merge(reason, count, Long::sum);
    }

    @Override
    public void set(HealingGauge gauge, long value) {
        values.put(gauge, value);
    }

    public long get(Enum<?> what) {
        return values.getOrDefault(what, 0L);
    }
}
