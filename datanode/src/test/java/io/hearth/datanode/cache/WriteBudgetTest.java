// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteBudgetTest {

    private static final long HOUR_MS = 3_600_000;
    private static final long DAY_MS = 24 * HOUR_MS;

    private final WriteBudget budget = new WriteBudget();

    @Test
    void aDaysBudgetIsThereAtOnceAndThenItsRate() {
        assertThat(budget.tryTake(2_400, 2_400, 5)).isTrue();
        assertThat(budget.tryTake(1, 2_400, 5)).isFalse();
        assertThat(budget.tryTake(101, 2_400, 5 + HOUR_MS)).isFalse();
        assertThat(budget.tryTake(100, 2_400, 5 + HOUR_MS)).isTrue();
        assertThat(budget.availableBytes(2_400, 5 + 10 * DAY_MS)).isEqualTo(2_400);
    }

    @Test
    void whatIsLargerThanADaysBudgetNeverGoes() {
        assertThat(budget.tryTake(2_401, 2_400, 0)).isFalse();
        assertThat(budget.tryTake(2_401, 2_400, 100 * DAY_MS)).isFalse();
    }

    @Test
    void whatWasNotWrittenIsGivenBack() {
        budget.tryTake(2_000, 2_400, 0);
        budget.giveBack(1_500);
        assertThat(budget.availableBytes(2_400, 0)).isEqualTo(1_900);
        budget.giveBack(5_000);
        assertThat(budget.availableBytes(2_400, 0)).isEqualTo(2_400);
    }

    @Test
    void aRestartBringsNoNewBudget() {
        budget.startWithSpent(2_300);
        assertThat(budget.availableBytes(2_400, 7)).isEqualTo(100);
        assertThat(budget.availableBytes(2_400, 7 + HOUR_MS)).isEqualTo(200);

        WriteBudget full = new WriteBudget();
        full.startWithSpent(99_999);
        assertThat(full.availableBytes(2_400, 7)).isZero();
        assertThat(full.availableBytes(2_400, 7 + HOUR_MS)).isEqualTo(100);
    }

    @Test
    void aLowerBudgetHoldsAtOnceAndAHigherOneIsEarned() {
        assertThat(budget.availableBytes(2_400, 0)).isEqualTo(2_400);
        assertThat(budget.availableBytes(1_200, 0)).isEqualTo(1_200);
        assertThat(budget.availableBytes(2_400, 0)).isEqualTo(1_200);
        assertThat(budget.availableBytes(2_400, HOUR_MS)).isEqualTo(1_300);
    }

    @Test
    void aClockThatIsReadLateByAThreadEarnsNothingTwice() {
        budget.tryTake(2_400, 2_400, 0);
        assertThat(budget.availableBytes(2_400, HOUR_MS)).isEqualTo(100);
        assertThat(budget.availableBytes(2_400, 0)).isEqualTo(100);
        assertThat(budget.availableBytes(2_400, HOUR_MS)).isEqualTo(100);
    }

    /** In so many days, no more than so many budgets and one. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void overAnyTimeTheRateIsKept(long seed) {
        Random random = new Random(seed);
        long perDay = 1L + random.nextInt(1_000_000_000);
        long nowMs = 0;
        long taken = 0;
        for (int asked = 0; asked < 20_000; asked++) {
            nowMs += random.nextInt(60_000);
            long bytes = random.nextInt((int) Math.max(1, perDay / 10));
            taken += budget.tryTake(bytes, perDay, nowMs) ? bytes : 0;
            assertThat((double) taken)
                    .as("seed %s, asked %s", seed, asked)
                    .isLessThanOrEqualTo(perDay * (1 + (double) nowMs / DAY_MS) + 1);
        }
        assertThat((double) taken).as("seed %s", seed).isGreaterThan(0.9 * perDay * nowMs / DAY_MS);
    }
}
