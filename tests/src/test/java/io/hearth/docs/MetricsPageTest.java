// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.balancer.hbase.MasterMeter;
import io.hearth.balancer.share.ServerQuantiles;
import io.hearth.balancer.share.ServerQuantiles.ServerSample;
import io.hearth.common.model.LoadVector;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.hdfs.ReadCacheMetrics;
import io.hearth.healer.hbase.HealingMetricRegistry;
import io.hearth.ui.hbase.UiMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.junit.jupiter.api.Test;

/** docs/metrics.md against the registries that a master really has. */
class MetricsPageTest {

    private static final Path PAGE = Path.of("..", "docs", "metrics.md");

    @Test
    void thePageIsWhatTheCodeSays() throws IOException {
        if (Boolean.getBoolean("hearth.docs.write")) {
            Files.writeString(PAGE, MetricsPage.text());
        }

        assertThat(Files.readString(PAGE))
                .as("docs/metrics.md is out of date; make it again with: mvn -pl tests -am test"
                        + " -Dtest=MetricsPageTest -Dsurefire.failIfNoSpecifiedTests=false -Dhearth.docs.write=true")
                .isEqualTo(MetricsPage.text());
    }

    @Test
    void everyMetricOfTheMasterIsOnThePageAndNoOther() {
        new BalancerMetrics()
                .showServers(ServerQuantiles.of(List.of(new ServerSample(LoadVector.ofReads(1), 1, 1, 1))));
        assertThat(new HealingMetricRegistry()).isNotNull();
        assertThat(UiMetrics.shared()).isNotNull();
        assertThat(MasterMeter.shared()).isNotNull();

        assertThat(MetricsPage.registries()).hasSize(4).allSatisfy((info, rows) -> assertThat(registered(info))
                .isEqualTo(names(rows)));
    }

    /** The name that the page gives for {@code /prom} of a DataNode. */
    @Test
    void aDataNodesMetricsHaveTheNamesOfHadoopsPrometheusSink() {
        String name = new PrometheusMetricsSink().prometheusName(ReadCacheMetrics.NAME, Counter.HITS.metric());

        assertThat(name).isEqualTo("hearth_read_cache_hits");
        assertThat(MetricsPage.text()).contains("`Hits` of the read cache as `" + name + "`");
    }

    private static Set<String> registered(MetricRegistryInfo info) {
        return MetricRegistries.global().get(info).orElseThrow().getMetrics().keySet();
    }

    private static Set<String> names(List<MetricsPage.Row> rows) {
        return Set.copyOf(rows.stream().map(MetricsPage.Row::name).toList());
    }
}
