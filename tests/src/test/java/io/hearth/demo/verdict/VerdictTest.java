package io.hearth.demo.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class VerdictTest {

    @Test
    void a_run_whose_bars_all_hold_exits_with_0() {
        Verdict verdict = Verdict.of(good());

        assertThat(verdict.broken()).isEmpty();
        assertThat(verdict.exitCode().code()).isZero();
    }

    @Test
    void one_broken_bar_exits_with_1_and_is_named() {
        Map<Bar, Measurement> measurements = good();
        measurements.put(Bar.READ_SKEW_BALANCED, Measurement.of(1.16));

        Verdict verdict = Verdict.of(measurements);
        assertThat(verdict.broken()).extracting(Verdict.Result::bar).containsExactly(Bar.READ_SKEW_BALANCED);
        assertThat(verdict.exitCode().code()).isEqualTo(1);
    }

    @Test
    void what_was_not_measured_does_not_hold() {
        Map<Bar, Measurement> measurements = good();
        measurements.put(Bar.BYTES_MOVED, Measurement.of(OptionalDouble.empty(), "no byte was away"));
        measurements.remove(Bar.CORRUPT_BLOCKS);

        Verdict verdict = Verdict.of(measurements);
        assertThat(verdict.broken())
                .extracting(Verdict.Result::valueText)
                .containsExactly("not measured: no byte was away", "not measured: the run did not get there");
        assertThat(verdict.broken().get(0).shortText()).isEqualTo("-");
    }

    @Test
    void bars_are_on_the_right_side_of_their_limits() {
        assertThat(Bar.READ_SKEW_BEFORE.holds(2.5)).isTrue();
        assertThat(Bar.READ_SKEW_BEFORE.holds(2.49)).isFalse();
        assertThat(Bar.WRITE_SKEW_END.holds(1.15)).isTrue();
        assertThat(Bar.LOCALITY_CRASHED.holds(0.70)).isFalse();
        assertThat(Bar.LOCALITY_CRASHED.holds(0.6999)).isTrue();
        assertThat(Bar.LOCALITY_HEALED.holds(Math.nextDown(1.0))).isFalse();
        assertThat(Bar.CLIENT_ERRORS.holds(1)).isFalse();
        assertThat(Bar.BYTES_MOVED.limitText()).isEqualTo("<= 1.05");
        assertThat(Bar.LOCALITY_CRASHED.limitText()).isEqualTo("< 70 %");
    }

    @Test
    void only_all_of_it_reads_as_100_percent() {
        assertThat(Unit.SHARE.format(1)).isEqualTo("100 %");
        assertThat(Unit.SHARE.format(Math.nextDown(1.0))).isEqualTo("99.9 %");
        assertThat(Unit.MEGABYTES.format(Unit.megabytes(220L << 20))).isEqualTo("220 MB");
        assertThat(Unit.COUNT.format(12_345)).isEqualTo("12,345");
    }

    @Test
    void the_shell_is_told_apart_what_happened() {
        assertThat(ExitCode.CANNOT_START.code()).isEqualTo(2);
        assertThat(ExitCode.INTERRUPTED.code()).isEqualTo(130);
    }

    private static Map<Bar, Measurement> good() {
        Map<Bar, Measurement> measurements = Verdict.measurements();
        for (Bar bar : Bar.values()) {
            double value =
                    switch (bar) {
                        case DATA_LOADED -> 220;
                        case REGIONS -> 60;
                        case READ_SKEW_BEFORE, WRITE_SKEW_BEFORE -> 3.3;
                        case READ_SKEW_BALANCED, WRITE_SKEW_BALANCED, READ_SKEW_END, WRITE_SKEW_END, BYTES_MOVED ->
                            1.02;
                        case LOCALITY_CRASHED -> 0.41;
                        case LOCALITY_BALANCED, LOCALITY_HEALED, LOCALITY_END -> 1;
                        case CORRUPT_BLOCKS, MISSING_BLOCKS, RACKS_LOST, REPLICATION, CLIENT_ERRORS -> 0;
                    };
            measurements.put(bar, Measurement.of(value));
        }
        return measurements;
    }
}
