// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.Plan.DimensionOutcome;
import io.hearth.balancer.plan.Plan.LocalityOutcome;
import io.hearth.balancer.plan.Plan.RegionCountOutcome;
import io.hearth.balancer.share.ServerQuantiles;
import io.hearth.balancer.share.ServerQuantiles.ServerSample;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.junit.jupiter.api.Test;

class BalancerMetricsTest {

    private final BalancerMetrics metrics = new BalancerMetrics();

    private static Map<String, Object> shown(String pattern) {
        return MetricRegistries.global().get(BalancerMetrics.INFO).orElseThrow().getMetrics().entrySet().stream()
                .filter(metric -> metric.getKey().matches(pattern))
                .collect(Collectors.toMap(Map.Entry::getKey, metric -> ((Gauge<?>) metric.getValue()).getValue()));
    }

    @Test
    void quantilesOverServersAreGauges() {
        metrics.showServers(ServerQuantiles.of(
                List.of(server(100, 0.9), server(100, 0.7), server(100, 1), server(100, 0.95), server(600, 0.99))));

        assertThat(shown("locality[MP].*|remoteServers|readsShare.*"))
                .isEqualTo(Map.of(
                        "localityMin", 0.7,
                        "localityP25", 0.9,
                        "localityP50", 0.95,
                        "remoteServers", 1.0,
                        "readsShareP50", 0.5,
                        "readsShareP90", 3.0,
                        "readsShareMax", 3.0));
    }

    /** HBase's /jmx ends at a gauge that is no number, and 0 would say that nothing is local. */
    @Test
    void whatNoServerTellsHasNoGauge() {
        metrics.showServers(ServerQuantiles.of(List.of(server(100, 0.9))));
        metrics.showServers(ServerQuantiles.of(List.of(new ServerSample(LoadVector.ofReads(1), 1, 0, 0))));

        assertThat(shown("locality[MP].*|remoteServers")).isEmpty();
        assertThat(shown("readsShare.*")).containsValues(1.0).hasSize(3);
    }

    /** RSGroups are planned one after the other. Broken (the last plan's stays): a group that needs no move hides the others. */
    @Test
    void ofAllPlansOfARunTheMostUnevenIsShown() {
        metrics.runBegins();
        metrics.planned(plan(3.0));
        metrics.planned(plan(1.0));
        assertThat(shown("readsMaxOverMean")).isEqualTo(Map.of("readsMaxOverMean", 3.0));

        metrics.runBegins();
        assertThat(shown("readsMaxOverMean")).as("until there is a plan").isEqualTo(Map.of("readsMaxOverMean", 3.0));
        metrics.planned(plan(1.0));
        metrics.planned(plan(1.5));
        assertThat(shown("readsMaxOverMean")).isEqualTo(Map.of("readsMaxOverMean", 1.5));
    }

    /** Broken (any group counts): a group with ten reads a second, all on one server, hides the others, and its alert never ends. */
    @Test
    void aGroupWithoutLoadEnoughIsNotShownBesideOneWithSome() {
        metrics.runBegins();
        metrics.planned(plan(false, 3.0));
        assertThat(shown("readsMaxOverMean")).isEqualTo(Map.of("readsMaxOverMean", 3.0));
        metrics.planned(plan(true, 1.05));
        metrics.planned(plan(false, 4.0));
        assertThat(shown("readsMaxOverMean")).isEqualTo(Map.of("readsMaxOverMean", 1.05));

        metrics.runBegins();
        metrics.planned(plan(false, 1.2));
        metrics.planned(plan(false, 1.1));
        assertThat(shown("readsMaxOverMean")).isEqualTo(Map.of("readsMaxOverMean", 1.2));
    }

    private static Plan plan(double readsMaxOverMean) {
        return plan(true, readsMaxOverMean);
    }

    private static Plan plan(boolean isWeighed, double readsMaxOverMean) {
        return new Plan(
                List.of(),
                Map.of(LoadDimension.READS, new DimensionOutcome(isWeighed, readsMaxOverMean, 1, 1, 0)),
                new RegionCountOutcome(0, 0, 0, 0, 0, 0),
                new LocalityOutcome(0, 0, 0),
                List.of(),
                Map.of());
    }

    private static ServerSample server(double reads, double locality) {
        return new ServerSample(LoadVector.ofReads(reads), 1, locality * 1_000, 1_000);
    }
}
