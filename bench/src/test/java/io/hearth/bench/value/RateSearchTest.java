// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RateSearchTest {

    private static double found(double limit, int tries) {
        return found(RateSearch.byDifference(360, 1_320), limit, tries);
    }

    private static double found(RateSearch search, double limit, int tries) {
        for (int attempt = 0; attempt < tries; attempt++) {
            search.tell(search.next() <= limit);
        }
        return search.highest();
    }

    @Test
    void whatIsFoundIsHeldAndLessThanAStepBelowTheLimit() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int run = 0; run < 1_000; run++) {
            double limit = 390 + random.nextDouble() * 930;
            assertThat(found(limit, 5))
                    .as("limit %s, seed %s", limit, seed)
                    .isLessThanOrEqualTo(limit)
                    .isGreaterThan(limit - 960.0 / 32 - 1e-9);
        }
    }

    @Test
    void byRatioItIsFoundToTheSameShareHoweverLowItIs() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        double step = Math.pow(3_000 / 100.0, 1 / 128.0);
        for (int run = 0; run < 1_000; run++) {
            double limit = 103 * Math.pow(29, random.nextDouble());
            assertThat(found(RateSearch.byRatio(100, 3_000), limit, 7))
                    .as("limit %s, seed %s", limit, seed)
                    .isLessThanOrEqualTo(limit)
                    .isGreaterThan(limit / step - 1e-9);
        }
    }

    @Test
    void byRatioTheFirstTryIsNotFarAboveALowRate() {
        assertThat(RateSearch.byRatio(100, 2_500).next()).isCloseTo(500, within(1e-9));
    }

    @Test
    void whereNoRateWasHeldNoneIsClaimed() {
        assertThat(found(100, 5)).isZero();
        assertThat(found(RateSearch.byRatio(100, 3_000), 90, 7)).isZero();
    }
}
