// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.testkit.measure.ClusterLoadReport.RegionLoadReport;
import io.hearth.testkit.measure.ClusterLoadReport.ServerLoadReport;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TimelineTest {

    @Test
    void a_rate_spans_the_window_and_not_the_last_report_alone() {
        Timeline timeline = new Timeline();
        long[] reads = {0, 100, 200, 300, 400, 1_400, 1_400};
        for (int second = 0; second < reads.length; second++) {
            timeline.add(second * 1_000L, report(second * 1_000L, reads[second]), new TreeMap<>(Map.of("host1", 1.0)));
        }

        List<Timeline.Sample> samples = timeline.samples();
        assertThat(samples.get(0).ratesByHost()).isEmpty();
        assertThat(rates(samples.get(1)).readsPerSecond()).isEqualTo(100);
        assertThat(rates(samples.get(4)).readsPerSecond()).isEqualTo(100);
        assertThat(rates(samples.get(5)).intervalMs()).isEqualTo(Timeline.WINDOW_MS);
        assertThat(rates(samples.get(5)).readsPerSecond()).isEqualTo(325);
        assertThat(samples.get(6).localityByHost()).containsEntry("host1", 1.0);
    }

    @Test
    void events_keep_their_order() {
        Timeline timeline = new Timeline();
        timeline.mark(10, "balancer on");
        timeline.mark(20, "server killed");

        assertThat(timeline.events())
                .containsExactly(new Timeline.Event(10, "balancer on"), new Timeline.Event(20, "server killed"));
    }

    private static ServerRates rates(Timeline.Sample sample) {
        return requireNonNull(sample.ratesByHost().get("host1"));
    }

    private static ClusterLoadReport report(long timeMs, long reads) {
        return ClusterLoadReport.of(
                List.of(new ServerLoadReport("host1", timeMs, Map.of("a", new RegionLoadReport(reads, 0, 0, 1)))));
    }
}
