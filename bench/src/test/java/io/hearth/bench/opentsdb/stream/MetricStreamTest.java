// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hearth.bench.opentsdb.stream.MetricStream.DataPoint;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricStreamTest {

    private static final long START_MS = 1_795_326_717_123L;

    @ParameterizedTest
    @ValueSource(ints = {10, 1_000, 3_333, 8_000})
    void noTwoPointsOfASeriesHaveTheSameTime(int rate) {
        MetricStream stream = new MetricStream(START_MS, rate, 8, List.of(1.0));
        Set<List<Long>> hostsAndTimes = new HashSet<>();

        for (long number = 0; number < 20_000; number++) {
            DataPoint point = stream.point(number);
            assertThat(hostsAndTimes.add(List.of((long) point.host(), point.timestampMs())))
                    .as("point %d", number)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 1_000, 3_333, 8_000})
    void whatIsDueByATimeHasATimeBeforeItAndWhatIsNotHasNot(int rate) {
        MetricStream stream = new MetricStream(START_MS, rate, 8, List.of(1.0));

        for (long timeMs = START_MS; timeMs < START_MS + 3_000; timeMs += 7) {
            long due = stream.dueBy(timeMs);
            assertThat(due == 0 ? START_MS : stream.dueMs(due - 1)).isLessThanOrEqualTo(timeMs);
            assertThat(stream.dueMs(due + 1)).isGreaterThanOrEqualTo(timeMs);
        }
        assertThat(stream.dueBy(START_MS - 1)).isZero();
        assertThat(stream.dueBy(START_MS + 1_000)).isEqualTo(rate);
    }

    @Test
    void eachMetricHasItsShareInAShortStretch() {
        MetricStream stream = new MetricStream(START_MS, 1_000, 8, List.of(0.6, 0.3, 0.1));

        for (long from : new long[] {0, 12_345, 1_000_000}) {
            long first = LongStream.range(from, from + 1_000)
                    .filter(number -> stream.metricOf(number) == 0)
                    .count();
            assertThat(first / 1_000.0).isEqualTo(0.6, within(0.01));
        }
    }

    @Test
    void aPointFollowsFromItsNumber() {
        MetricStream stream = new MetricStream(START_MS, 1_000, 8, List.of(0.6, 0.3, 0.1));
        MetricStream again = new MetricStream(START_MS, 1_000, 8, List.of(0.6, 0.3, 0.1));

        assertThat(stream.point(4_711))
                .isEqualTo(again.point(4_711))
                .extracting(DataPoint::host, DataPoint::timestampMs)
                .containsExactly(4_711 % 8, START_MS + 4_711);
        assertThat(LongStream.range(0, 1_000).map(number -> stream.point(number).value()))
                .allMatch(value -> value >= 0 && value < 1_000_000)
                .doesNotHaveDuplicates();
    }

    @Test
    void moreThanAPointAMillisecondOfAHostIsRefused() {
        assertThatThrownBy(() -> new MetricStream(START_MS, 8_001, 8, List.of(1.0)))
                .hasMessage("8001 points a second of 8 hosts; allowed are 1 to 8000");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void hotMetricsHaveTheFirstRanks(long seed) {
        List<Double> shares = MetricStream.shares(128, metric -> metric % 4 == 0, seed);

        double sum = shares.stream().mapToDouble(share -> share).sum();
        double hot = 0;
        double hottestOther = 0;
        for (int metric = 0; metric < 128; metric++) {
            hot += metric % 4 == 0 ? shares.get(metric) : 0;
            hottestOther = Math.max(hottestOther, metric % 4 == 0 ? 0 : shares.get(metric));
        }
        assertThat(sum).as("seed %d", seed).isEqualTo(1, within(1e-9));
        assertThat(hot).as("seed %d", seed).isEqualTo(0.74, within(0.01));
        assertThat(hottestOther).as("seed %d", seed).isLessThan(0.006);
        assertThat(Collections.max(shares)).as("seed %d", seed).isEqualTo(0.18, within(0.01));
        assertThat(MetricStream.shares(128, metric -> metric % 4 == 0, seed)).isEqualTo(shares);
    }
}
