// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.threshold;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.demo.threshold.Threshold.Unit;
import io.hearth.demo.threshold.ThresholdResults.Measurement;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ThresholdResultsTest {

    @Test
    void a_run_whose_bars_all_hold_exits_with_0() {
        ThresholdResults thresholdResults = ThresholdResults.of(good());

        assertThat(thresholdResults.violated()).isEmpty();
        assertThat(thresholdResults.exitCode().code()).isZero();
    }

    @Test
    void one_broken_bar_exits_with_1_and_is_named() {
        Map<Threshold, Measurement> measurements = good();
        measurements.put(Threshold.READ_SKEW_BALANCED, Measurement.of(1.16));

        ThresholdResults thresholdResults = ThresholdResults.of(measurements);
        assertThat(thresholdResults.violated())
                .extracting(ThresholdResults.Result::threshold)
                .containsExactly(Threshold.READ_SKEW_BALANCED);
        assertThat(thresholdResults.exitCode().code()).isEqualTo(1);
    }

    @Test
    void what_was_not_measured_does_not_hold() {
        Map<Threshold, Measurement> measurements = good();
        measurements.put(Threshold.BYTES_MOVED, Measurement.of(OptionalDouble.empty(), "no byte was remote"));
        measurements.remove(Threshold.CORRUPT_BLOCKS);

        ThresholdResults thresholdResults = ThresholdResults.of(measurements);
        assertThat(thresholdResults.violated())
                .extracting(ThresholdResults.Result::valueText)
                .containsExactly("not measured: no byte was remote", "not measured: the run did not get there");
        assertThat(thresholdResults.violated().get(0).shortText()).isEqualTo("-");
    }

    @Test
    void bars_are_on_the_right_side_of_their_limits() {
        assertThat(Threshold.READ_SKEW_BEFORE.holds(2.5)).isTrue();
        assertThat(Threshold.READ_SKEW_BEFORE.holds(2.49)).isFalse();
        assertThat(Threshold.WRITE_SKEW_END.holds(1.15)).isTrue();
        assertThat(Threshold.LOCALITY_CRASHED.holds(0.70)).isFalse();
        assertThat(Threshold.LOCALITY_CRASHED.holds(0.6999)).isTrue();
        assertThat(Threshold.LOCALITY_HEALED.holds(Math.nextDown(1.0))).isFalse();
        assertThat(Threshold.CLIENT_ERRORS.holds(1)).isFalse();
        assertThat(Threshold.BYTES_MOVED.limitText()).isEqualTo("<= 1.05");
        assertThat(Threshold.LOCALITY_CRASHED.limitText()).isEqualTo("< 70 %");
    }

    @Test
    void only_all_of_it_reads_as_100_percent() {
        assertThat(Unit.SHARE.format(1)).isEqualTo("100 %");
        assertThat(Unit.SHARE.format(Math.nextDown(1.0))).isEqualTo("99.9 %");
        assertThat(Unit.MEGABYTES.format(Unit.megabytes(220L << 20))).isEqualTo("220 MB");
        assertThat(Unit.COUNT.format(12_345)).isEqualTo("12,345");
    }

    private static Map<Threshold, Measurement> good() {
        Map<Threshold, Measurement> measurements = ThresholdResults.measurements();
        for (Threshold threshold : Threshold.values()) {
            double value =
                    switch (threshold) {
                        case DATA_LOADED -> 220;
                        case REGIONS -> 60;
                        case READ_SKEW_BEFORE, WRITE_SKEW_BEFORE -> 3.3;
                        case READ_SKEW_BALANCED, WRITE_SKEW_BALANCED, READ_SKEW_END, WRITE_SKEW_END, BYTES_MOVED ->
                            1.02;
                        case LOCALITY_CRASHED -> 0.41;
                        case LOCALITY_BALANCED, LOCALITY_HEALED, LOCALITY_END -> 1;
                        case CORRUPT_BLOCKS, MISSING_BLOCKS, RACKS_LOST, REPLICATION, CLIENT_ERRORS -> 0;
                    };
            measurements.put(threshold, Measurement.of(value));
        }
        return measurements;
    }
}
