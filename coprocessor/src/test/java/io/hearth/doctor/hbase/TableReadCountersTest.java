// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.impl.HBaseMetrics2HadoopMetricsAdapter;
import org.apache.hadoop.hbase.regionserver.metrics.MetricsTableRequests;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.jupiter.api.Test;

/** A table's reads as HBase 2.6 and later count them. HBase 2.5 has no such bean, and this test is not compiled with it. */
class TableReadCountersTest {

    /** Of a table whose name has an underscore, in a namespace of its own, as HBase's own registry shows it. */
    @Test
    void theReadsOfATableHaveTheNamesOfHBasesOwn() {
        MetricsTableRequests requests =
                new MetricsTableRequests(TableName.valueOf("ns", "my_table"), new Configuration(false));
        requests.updateGet(1, 1);
        MetricRegistry registry = MetricRegistries.global().getMetricRegistries().stream()
                .filter(each ->
                        each.getMetricRegistryInfo().getMetricsJmxContext().contains("my_table"))
                .findFirst()
                .orElseThrow();
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        new HBaseMetrics2HadoopMetricsAdapter().snapshotAllMetrics(registry, collector);

        assertThat(CapacityProbeTest.names(collector)).contains(TableCounters.GETS, TableCounters.SCANS);
        assertThat("Hadoop:service=HBase,name="
                        + registry.getMetricRegistryInfo().getMetricsJmxContext())
                .isEqualTo(TableCounters.READ_BEANS + "ns_table_my_table");
        requests.removeRegistry();
    }
}
