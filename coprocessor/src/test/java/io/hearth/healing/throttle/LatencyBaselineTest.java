package io.hearth.healing.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatencyBaselineTest {

    private final LatencyBaseline baseline = new LatencyBaseline(5_000);

    @Test
    void slowAgainstItsOwnPast() {
        add(20, 2_000);
        assertThat(baseline.isSlow()).isFalse();
        add(2, 50_000);
        assertThat(baseline.isSlow()).isTrue();
        add(2, 2_000);
        assertThat(baseline.isSlow()).isFalse();
    }

    @Test
    void oneOutlierIsNone() {
        add(20, 2_000);
        add(1, 900_000);
        assertThat(baseline.isSlow()).isFalse();
    }

    @Test
    void aNetworkThatIsAlwaysSlowIsNotSlow() {
        add(40, 80_000);
        assertThat(baseline.isSlow()).isFalse();
    }

    @Test
    void manyTimesNextToNothingIsNotSlow() {
        add(20, 100);
        add(3, 4_000);
        assertThat(baseline.isSlow()).isFalse();
    }

    @Test
    void aLastingChangeBecomesTheNewBaseline() {
        add(60, 2_000);
        add(60, 50_000);
        assertThat(baseline.isSlow()).isTrue();
        add(60, 50_000);
        assertThat(baseline.isSlow()).isFalse();
    }

    @Test
    void atFirstThereIsNothingToCompareWith() {
        add(3, 1_000);
        add(4, 90_000);
        assertThat(baseline.isSlow()).isFalse();
    }

    private void add(int times, long micros) {
        for (int i = 0; i < times; i++) {
            baseline.add(micros);
        }
    }
}
