// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cluster.VariantResult.TimeSeriesPoint;
import io.hearth.bench.cluster.VariantResult.Traffic;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrafficTest {

    @Test
    void whatTheLoadMakesAnywayIsNotCounted() {
        Traffic usual = new Traffic(100, 0, 50);

        assertThat(new Traffic(1_000, 300, 60).without(usual, 2.5)).isEqualTo(new Traffic(750, 300, 0));
        assertThat(new Traffic(5, 5, 5).since(new Traffic(1, 2, 3))).isEqualTo(new Traffic(4, 3, 2));
    }

    @Test
    void aValueIsReachedWhereItIsSeenFirstFromATimeOn() {
        List<TimeSeriesPoint> points = List.of(
                new TimeSeriesPoint(0, 1),
                new TimeSeriesPoint(1, 0.5),
                new TimeSeriesPoint(2, 0.9),
                new TimeSeriesPoint(3, 1));

        assertThat(EventRun.first(points, 0.5, 0.9)).hasValue(1.5);
        assertThat(EventRun.first(points, 0.5, 1)).hasValue(2.5);
        assertThat(EventRun.first(points, 3.5, 1)).isEmpty();
        assertThat(EventRun.valueAt(points, 0.9)).isEqualTo(0.5);
    }
}
