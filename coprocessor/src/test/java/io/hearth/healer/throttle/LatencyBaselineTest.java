// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.throttle;

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
    void slowIsThreeTimesAsMuchAndMoreThanTheFloorAbove() {
        add(20, 2_500);
        add(3, 7_500);
        assertThat(baseline.isSlow()).as("5 ms above, as the floor").isFalse();
        add(3, 7_501);
        assertThat(baseline.isSlow()).isTrue();

        LatencyBaseline other = new LatencyBaseline(5_000);
        add(other, 20, 3_000);
        add(other, 3, 8_999);
        assertThat(other.isSlow()).as("not quite three times").isFalse();
        add(other, 3, 9_000);
        assertThat(other.isSlow()).isTrue();
    }

    @Test
    void whatComesFirstOrLastIsNoBetterThanTheRest() {
        add(2, 2_000);
        add(6, 80_000);
        add(16, 2_000);
        add(1, 50_000);
        add(1, 2_000);
        add(1, 50_000);
        assertThat(baseline.isSlow()).as("two of the last three").isTrue();
    }

    @Test
    void fromEightSamplesOnThereIsSomethingToCompareWith() {
        add(5, 1_000);
        add(2, 90_000);
        assertThat(baseline.isSlow()).isFalse();
        add(1, 90_000);
        assertThat(baseline.isSlow()).isTrue();
    }

    @Test
    void onlyTheLastSamplesCount() {
        add(31, 2_000);
        add(LatencyBaseline.SAMPLES - 31, 50_000);
        assertThat(baseline.isSlow()).as("a quarter of all are of before").isTrue();
        add(1, 50_000);
        assertThat(baseline.isSlow()).as("one less").isFalse();
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
        add(baseline, times, micros);
    }

    private static void add(LatencyBaseline baseline, int times, long micros) {
        for (int i = 0; i < times; i++) {
            baseline.add(micros);
        }
    }
}
