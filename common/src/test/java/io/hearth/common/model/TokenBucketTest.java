// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenBucketTest {

    @Test
    void whatIsThereIsTakenAndNoMore() {
        TokenBucket bucket = new TokenBucket(1_000);
        assertThat(bucket.takeUpTo(300, 500, 0)).isEqualTo(300);
        assertThat(bucket.takeUpTo(300, 500, 0)).as("of 500").isEqualTo(200);
        assertThat(bucket.takeUpTo(300, 500, 3)).as("1.5 have come in").isEqualTo(1);
        assertThat(bucket.takeUpTo(300, 500, 4)).as("and half of one was left").isEqualTo(1);
        bucket.charge(10, 500, 4);
        assertThat(bucket.takeUpTo(300, 500, 5)).as("in debt").isZero();
    }

    @Test
    void askingWhetherOneMayTakesNothing() {
        TokenBucket tokenBucket = new TokenBucket(1_000);
        assertThat(tokenBucket.canAcquire(100, 0)).isTrue();
        assertThat(tokenBucket.tryAcquire(150, 100, 0)).isTrue();
        assertThat(tokenBucket.canAcquire(100, 400)).isFalse();
        assertThat(tokenBucket.canAcquire(100, 600)).isTrue();
        assertThat(tokenBucket.canAcquire(0, 600)).isTrue();
    }

    private final TokenBucket tokenBucket = new TokenBucket(1_000);

    /** A bucket that nobody has asked holds a second, of which what has gone is taken. */
    @Test
    void whatHasGoneIsTakenFromAFullBucketToo() {
        tokenBucket.charge(150, 100, 0);
        assertThat(tokenBucket.waitMs(100, 0)).isEqualTo(501);
        tokenBucket.charge(10, 100, 400);
        assertThat(tokenBucket.waitMs(100, 400)).isEqualTo(201);
    }

    @Test
    void anEmptyBucketGivesNothing() {
        assertThat(tokenBucket.tryAcquire(100, 100, 5_000)).isTrue();
        assertThat(tokenBucket.canAcquire(100, 5_000)).isFalse();
        assertThat(tokenBucket.tryAcquire(1, 100, 5_000)).isFalse();
        assertThat(tokenBucket.canAcquire(100, 5_001)).isTrue();
    }

    @Test
    void noLimit() {
        assertThat(LongStream.range(0, 1000).allMatch(i -> tokenBucket.tryAcquire(1L << 40, 0, 0)))
                .isTrue();
        assertThat(tokenBucket.tryAcquireUnsaved(1L << 40, 0, 0)).isTrue();
    }

    @Test
    void aBlockLargerThanTheBucketPassesAndIsPaidFor() {
        assertThat(tokenBucket.tryAcquire(1_000, 100, 0)).isTrue();
        assertThat(tokenBucket.tryAcquire(1, 100, 9_000))
                .as("900 of 900 bytes of debt paid")
                .isFalse();
        assertThat(tokenBucket.tryAcquire(1, 100, 9_001)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 7, 64, 1_000, 50_000})
    void theRateIsKeptWhateverTheSizeOfABlock(long blockBytes) {
        long rate = 1_000;
        long seconds = 1_000;
        long taken = 0;
        for (long ms = 0; ms < seconds * 1_000; ms += 10) {
            while (tokenBucket.tryAcquire(blockBytes, rate, ms)) {
                taken += blockBytes;
            }
        }

        assertThat(taken).isBetween(rate * seconds - rate - blockBytes, rate * seconds + rate + blockBytes);
    }

    @Test
    void saysHowLongToWait() {
        TokenBucket quick = new TokenBucket(100);
        assertThat(quick.waitMs(1_000, 0)).isZero();
        assertThat(quick.tryAcquire(600, 1_000, 0)).isTrue();
        assertThat(quick.waitMs(1_000, 0)).isEqualTo(501);
        assertThat(quick.canAcquire(1_000, 500)).isFalse();
        assertThat(quick.waitMs(1_000, 501)).isZero();
        assertThat(quick.waitMs(0, 501)).isZero();
    }

    @Test
    void idleTimeIsNotSavedUp() {
        tokenBucket.tryAcquire(100, 100, 0);

        assertThat(tokenBucket.tryAcquire(101, 100, 3_600_000)).isTrue();
        assertThat(tokenBucket.tryAcquire(1, 100, 3_600_000)).isFalse();

        TokenBucket quick = new TokenBucket(100);
        assertThat(quick.tryAcquire(11, 100, 0))
                .as("a tenth of a second holds 10")
                .isTrue();
        assertThat(quick.tryAcquire(1, 100, 0)).isFalse();
    }

    @Test
    void oneTakingIsSavedUpWhereThatIsMore() {
        TokenBucket saving = TokenBucket.savingOneTaking(100);
        assertThat(saving.tryAcquire(600, 1_000, 0)).isTrue();
        assertThat(saving.waitMs(1_000, 10_000)).isZero();
        assertThat(saving.tryAcquire(300, 1_000, 10_000)).as("of 600").isTrue();
        assertThat(saving.tryAcquire(300, 1_000, 10_000)).as("of 300").isTrue();
        assertThat(saving.waitMs(1_000, 10_000)).isEqualTo(1);
        assertThat(saving.tryAcquire(10, 1_000, 20_000)).as("of 300").isTrue();
        assertThat(saving.takeUpTo(1_000, 1_000, 30_000))
                .as("a tenth of a second holds more than the last taking")
                .isEqualTo(100);
        assertThat(saving.tryAcquire(600, 1_000, 40_000)).isTrue();
        assertThat(saving.tryAcquireUnsaved(600, 1_000, 50_000)).isTrue();
        assertThat(saving.waitMs(1_000, 50_000)).as("of 100").isEqualTo(501);
    }
}
