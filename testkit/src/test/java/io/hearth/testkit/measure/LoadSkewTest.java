// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hearth.testkit.measure.ClusterLoadReport.RegionLoadReport;
import io.hearth.testkit.measure.ClusterLoadReport.ServerLoadReport;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadSkewTest {

    @Test
    void even_is_one_and_everything_on_one_server_is_the_number_of_servers() {
        assertThat(LoadSkew.maxOverMean(List.of(7.0, 7.0, 7.0))).hasValue(1);
        assertThat(LoadSkew.maxOverMean(List.of(0.0, 9.0, 0.0, 0.0))).hasValue(4);
    }

    @Test
    void no_load_has_no_skew() {
        assertThat(LoadSkew.maxOverMean(List.of(0.0, 0.0))).isEmpty();
        assertThat(LoadSkew.maxOverMean(List.of())).isEmpty();
    }

    @Test
    void a_load_below_zero_is_refused() {
        assertThatThrownBy(() -> LoadSkew.maxOverMean(List.of(1.0, -0.5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A load is a number of 0 or more, not -0.5.");
    }

    @Test
    void between_two_reports_it_is_that_of_what_was_asked_meanwhile() {
        assertThat(writes(pair(1_000, "a", 10, "b", 10), pair(2_000, "a", 40, "b", 20)))
                .hasValue(1.5);
    }

    @Test
    void a_region_that_arrived_meanwhile_leaves_no_skew_to_speak_of() {
        assertThat(writes(pair(1_000, "a", 10, "b", 10), pair(2_000, "a", 40, "c", 20)))
                .isEmpty();
    }

    @Test
    void nor_does_a_server_that_has_not_reported_in_both() {
        ClusterLoadReport before = pair(1_000, "a", 10, "b", 10);
        ClusterLoadReport silent = ClusterLoadReport.of(List.of(report(1, 2_000, "a", 40), report(2, 1_000, "b", 10)));

        assertThat(writes(before, silent)).isEmpty();
        assertThat(writes(ClusterLoadReport.of(List.of(report(1, 1_000, "a", 10))), pair(2_000, "a", 40, "b", 20)))
                .isEmpty();
    }

    private static OptionalDouble writes(ClusterLoadReport before, ClusterLoadReport after) {
        return LoadSkew.between(before, after, ServerRates::writesPerSecond);
    }

    private static ClusterLoadReport pair(long timeMs, String first, long writes, String second, long secondWrites) {
        return ClusterLoadReport.of(List.of(report(1, timeMs, first, writes), report(2, timeMs, second, secondWrites)));
    }

    private static ServerLoadReport report(int host, long timeMs, String region, long writes) {
        return new ServerLoadReport("host" + host, timeMs, Map.of(region, new RegionLoadReport(0, writes, 0, 1)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void the_unit_of_the_load_does_not_matter(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Double> loads =
                random.doubles(2 + random.nextInt(30), 0, 1_000).boxed().toList();
        double skew = LoadSkew.maxOverMean(loads).orElseThrow();

        for (double scale : new double[] {1e-6, 1, 3600, 1e9}) {
            assertThat(LoadSkew.maxOverMean(
                                    loads.stream().map(load -> load * scale).toList())
                            .orElseThrow())
                    .as("seed %d, scale %s, loads %s", seed, scale, loads)
                    .isCloseTo(skew, within(1e-9))
                    .isBetween(1.0, (double) loads.size());
        }
    }
}
