// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.common.model.NamedMetric;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;

/** What Hearth takes of the HMaster, under {@code Master,sub=HearthMaster}. Thread-safe. Masters in one JVM share it. */
public final class MasterMeterMetrics {

    /** Where the metrics are found in the global registries. */
    public static final MetricRegistryInfo INFO = new MetricRegistryInfo(
            "HearthMaster", "What Hearth takes of the master", "Master,sub=HearthMaster", "master", false);

    private volatile Reading last = new Reading(0, 0, 0, 0, 1, 0);
    private volatile LongSupplier heapBytes = () -> 0;

    private MasterMeterMetrics() {}

    /** Shows all of them from now on; at a second call these are the ones that are shown. */
    static MasterMeterMetrics register() {
        MasterMeterMetrics metrics = new MasterMeterMetrics();
        MetricRegistry registry = MetricRegistries.global().create(INFO);
        for (MasterMetric metric : MasterMetric.values()) {
            registry.remove(metric.metric());
            registry.register(metric.metric(), (Gauge<Number>) () -> metric.value.apply(metrics));
        }
        return metrics;
    }

    void measured(Reading reading) {
        last = reading;
    }

    /** Shows from now on what this estimates. */
    void heapBytes(LongSupplier estimate) {
        heapBytes = estimate;
    }

    /** What was measured last. */
    Reading last() {
        return last;
    }

    /**
     * What was measured last. Immutable.
     *
     * @param cpuShare of one core, the mean of ten minutes; with waits under the balancer's lock
     * @param cpuMs processor time so far, and those waits
     * @param longestLockMs the longest stretch under the balancer's lock in ten minutes
     * @param threads of Hearth's that live
     * @param stretch how many times less often than set loops run
     * @param timesStretched how often that was doubled
     */
    record Reading(double cpuShare, long cpuMs, long longestLockMs, int threads, int stretch, long timesStretched) {}

    /** Each gauge. The name is the metric's name in {@code /jmx}. */
    public enum MasterMetric implements NamedMetric {
        CPU_SHARE(
                "cpuShare",
                "cores",
                "Processor time of Hearth's threads and code, and its waits under the balancer's lock, mean of 10 minutes.",
                metrics -> metrics.last().cpuShare()),
        CPU_MS("cpuMs", "ms", "The same since the start.", metrics -> metrics.last()
                .cpuMs()),
        LONGEST_LOCK_MS(
                "longestLockMs",
                "ms",
                "Longest time of Hearth's under HBase's balancer lock at once, in the last 10 minutes.",
                metrics -> metrics.last().longestLockMs()),
        HEAP_BYTES(
                "heapBytes",
                "bytes",
                "Heap of heat and block locations, estimated by their counts.",
                metrics -> metrics.heapBytes.getAsLong()),
        THREADS("threads", "threads", "Threads of Hearth's.", metrics -> metrics.last()
                .threads()),
        STRETCH(
                "stretch",
                "times",
                "How many times less often than set Hearth's loops run, to keep hearth.master.cpu.share.",
                metrics -> metrics.last().stretch()),
        TIMES_STRETCHED(
                "timesStretched", "times", "How often that was doubled since the start.", metrics -> metrics.last()
                        .timesStretched());

        private final MetricText text;
        private final String unit;
        private final Function<MasterMeterMetrics, Number> value;

        MasterMetric(String metric, String unit, String doc, Function<MasterMeterMetrics, Number> value) {
            text = new MetricText(metric, doc);
            this.unit = unit;
            this.value = value;
        }

        /** What it is counted in. */
        public String unit() {
            return unit;
        }

        @Override
        public MetricText text() {
            return text;
        }
    }
}
