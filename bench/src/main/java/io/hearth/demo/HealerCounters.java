// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.healer.hbase.HealingMetricRegistry;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import java.util.Optional;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistries;

/**
 * What the healer itself has counted: moves that it verified with the NameNode.
 *
 * @param blocks moved and verified since the master started
 * @param bytes of these blocks
 */
public record HealerCounters(long blocks, long bytes) {

    /** The counters now, from HBase's metric registries, where the master's /jmx takes them from. */
    public static HealerCounters now() {
        return new HealerCounters(value(HealingCounter.BLOCKS_VERIFIED), value(HealingCounter.BYTES_VERIFIED));
    }

    public HealerCounters since(HealerCounters earlier) {
        return new HealerCounters(blocks - earlier.blocks, bytes - earlier.bytes);
    }

    /** A counter that is not there has counted nothing: then nothing of the healer is in the master. */
    private static long value(HealingCounter counter) {
        return MetricRegistries.global()
                .get(HealingMetricRegistry.INFO)
                .flatMap(registry -> registry.get(counter.metric()))
                .flatMap(metric -> metric instanceof Counter found ? Optional.of(found.getCount()) : Optional.empty())
                .orElse(0L);
    }
}
