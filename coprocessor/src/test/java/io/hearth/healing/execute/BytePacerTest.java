package io.hearth.healing.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BytePacerTest {

    @Test
    void askingWhetherOneMayTakesNothing() {
        BytePacer pacer = new BytePacer();
        assertThat(pacer.mayTake(100, 0)).isTrue();
        assertThat(pacer.tryTake(150, 100, 0)).isTrue();
        assertThat(pacer.mayTake(100, 400)).isFalse();
        assertThat(pacer.mayTake(100, 600)).isTrue();
        assertThat(pacer.mayTake(0, 600)).isTrue();
    }

    private final BytePacer pacer = new BytePacer();

    @Test
    void noLimit() {
        assertThat(LongStream.range(0, 1000).allMatch(i -> pacer.tryTake(1L << 40, 0, 0)))
                .isTrue();
    }

    @Test
    void aBlockLargerThanTheBucketPassesAndIsPaidFor() {
        assertThat(pacer.tryTake(1_000, 100, 0)).isTrue();
        assertThat(pacer.tryTake(1, 100, 9_000))
                .as("900 of 900 bytes of debt paid")
                .isFalse();
        assertThat(pacer.tryTake(1, 100, 9_001)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 7, 64, 1_000, 50_000})
    void theRateIsKeptWhateverTheSizeOfABlock(long blockBytes) {
        long rate = 1_000;
        long seconds = 1_000;
        long taken = 0;
        for (long ms = 0; ms < seconds * 1_000; ms += 10) {
            while (pacer.tryTake(blockBytes, rate, ms)) {
                taken += blockBytes;
            }
        }

        assertThat(taken).isBetween(rate * seconds - rate - blockBytes, rate * seconds + rate + blockBytes);
    }

    @Test
    void idleTimeIsNotSavedUp() {
        pacer.tryTake(100, 100, 0);

        assertThat(pacer.tryTake(101, 100, 3_600_000)).isTrue();
        assertThat(pacer.tryTake(1, 100, 3_600_000)).isFalse();
    }
}
