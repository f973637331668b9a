// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;

/** Reads metrics where the master's {@code /jmx} has them from. */
public final class RegisteredMetrics {

    private RegisteredMetrics() {}

    public static long counter(MetricRegistryInfo registry, String name) {
        return ((Counter) metric(registry, name)).getCount();
    }

    /** The same, but 0 before any master of this JVM has made the registry. */
    public static long counterOrZero(MetricRegistryInfo registry, String name) {
        return MetricRegistries.global().get(registry).isEmpty() ? 0 : counter(registry, name);
    }

    public static long gauge(MetricRegistryInfo registry, String name) {
        return ((Number) ((Gauge<?>) metric(registry, name)).getValue()).longValue();
    }

    private static Metric metric(MetricRegistryInfo registry, String name) {
        return MetricRegistries.global()
                .get(registry)
                .flatMap(found -> found.get(name))
                .orElseThrow(
                        () -> new AssertionError("There is no metric " + name + " in " + registry.getMetricsName()));
    }
}
