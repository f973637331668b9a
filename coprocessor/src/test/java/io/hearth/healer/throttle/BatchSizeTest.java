// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BatchSizeTest {

    private final BatchSize size = new BatchSize();

    @Test
    void growsToHdfssOwnLimitWhereCallsAreShort() {
        assertThat(size.paths()).isEqualTo(8);
        askOften(100, 300, 12);

        assertThat(size.paths()).isEqualTo(100);
    }

    @Test
    void whatWasNotAskedInFullSaysNothingOfMore() {
        for (int call = 0; call < 50; call++) {
            size.answered(3, 400);
        }

        assertThat(size.paths()).isEqualTo(8);
    }

    @Test
    void aCallThatTookTooLongHalvesIt() {
        askOften(100, 300, 12);
        size.answered(60, 20_001);

        assertThat(size.paths()).isEqualTo(30);
    }

    @Test
    void whatIsRefusedIsNeverAskedForAgain() {
        size.refused(10);
        assertThat(size.paths()).isEqualTo(5);
        size.answered(5, 1);
        assertThat(size.paths()).isEqualTo(9);
        size.answered(9, 1);
        assertThat(size.paths()).isEqualTo(9);
    }

    /** Four more than twelve take a third longer: 10 ms are aimed at, and 20 ms allowed. */
    @Test
    void aCallThatTakesAllTheTimeThatItMayIsNotTooLong() {
        size.answered(8, 1);
        size.answered(12, 20_000);
        assertThat(size.paths()).isEqualTo(12);
        size.answered(12, 7_501);
        assertThat(size.paths()).isEqualTo(12);
        size.answered(12, 7_500);
        assertThat(size.paths()).isEqualTo(16);
    }

    @Test
    void aSlowNameNodeIsAskedForOneAtATime() {
        for (int call = 0; call < 20; call++) {
            size.answered(size.paths(), 30_000_000);
        }

        assertThat(size.paths()).isEqualTo(1);
        size.answered(1, 1_000);
        assertThat(size.paths()).as("it answers again").isEqualTo(5);
    }

    @Test
    void aSmallerLimitOfTheNameNodeIsFoundAndKept() {
        int refusals = 0;
        for (int call = 0; call < 200; call++) {
            int asked = size.paths();
            if (asked > 37) {
                size.refused(asked);
                refusals++;
            } else {
                size.answered(asked, 500);
            }
        }

        assertThat(refusals).isLessThanOrEqualTo(5);
        assertThat(size.paths()).isBetween(34, 37);
        size.refused(2);
        assertThat(size.paths()).isEqualTo(1);
        askOften(10, 300, 12);
        assertThat(size.paths()).isEqualTo(1);
    }

    /** Beside it the most paths that fit by plain arithmetic. */
    @ParameterizedTest
    @CsvSource({"300, 12", "300, 150", "300, 700", "2000, 1000", "300, 6000", "10000, 9000"})
    void noSteadyNameNodeIsBusyForTooLongAndLittleOfHalfOfThatIsLeftUnused(long eachCall, long eachPath) {
        long fits = Math.min(100, Math.max(1, (20_000 - eachCall) / eachPath));
        long aimedAt = Math.min(100, Math.max(1, (10_000 - eachCall) / eachPath));
        int tooLong = 0;
        for (int call = 0; call < 1_000; call++) {
            int asked = size.paths();
            long took = eachCall + asked * eachPath;
            tooLong += took > 20_000 ? 1 : 0;
            size.answered(asked, took);
        }

        assertThat(tooLong).as("before it has learnt").isLessThanOrEqualTo(3);
        assertThat((long) size.paths()).isBetween(Math.max(1, aimedAt - 2L * BatchSize.STEP), fits);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void staysWithinItsBoundsWhateverComes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int most = 100;
        for (int step = 0; step < 10_000; step++) {
            int asked = 1 + random.nextInt(size.paths());
            boolean refuses = asked > 1 && random.nextInt(500) == 0;
            if (refuses) {
                size.refused(asked);
                most = Math.min(most, asked - 1);
            } else {
                size.answered(asked, random.nextLong(60_000));
            }
            assertThat(size.paths()).as("seed %d, step %d", seed, step).isBetween(1, most);
        }
    }

    private void askOften(int calls, long eachCall, long eachPath) {
        for (int call = 0; call < calls; call++) {
            int asked = size.paths();
            size.answered(asked, eachCall + asked * eachPath);
        }
    }
}
