// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RateSearchTest {

    private static double found(double limit, int tries) {
        RateSearch search = new RateSearch(360, 1_320);
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
    void whereNoRateWasHeldNoneIsClaimed() {
        assertThat(found(100, 5)).isZero();
    }
}
