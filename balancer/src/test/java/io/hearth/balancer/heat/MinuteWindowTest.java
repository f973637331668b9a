// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MinuteWindowTest {

    private static final long MINUTE_MS = 60_000;

    private final MinuteWindow window = new MinuteWindow(3);

    @Test
    void requestsAreSpreadOverTheTimeInWhichTheyCame() {
        window.add(600, 60_000, 150_000);
        assertThat(window.count()).isEqualTo(600);
        window.add(0, 1, 4 * MINUTE_MS);
        assertThat(window.count()).as("minutes 2 to 4; half was in minute 1").isEqualTo(300);
        window.add(0, 1, 5 * MINUTE_MS);
        assertThat(window.count()).isZero();
    }

    @Test
    void whatCameBeforeTheWindowIsNotInIt() {
        window.add(1_000, 10 * MINUTE_MS, 10 * MINUTE_MS + 30_000);

        assertThat(window.count()).as("two and a half minutes of ten").isEqualTo(250);
    }

    @Test
    void aReportThatIsOlderThanTheNewestCountsInTheNewestMinute() {
        window.add(60, 1_000, 10 * MINUTE_MS + 5_000);
        window.add(40, 60_000, 5 * MINUTE_MS);
        assertThat(window.count()).isEqualTo(100);
        window.add(0, 1, 12 * MINUTE_MS);
        assertThat(window.count()).as("minute 10 is still in it").isEqualTo(100);
        window.add(0, 1, 13 * MINUTE_MS);
        assertThat(window.count()).isZero();
    }

    @Test
    void aMinuteHoldsWhatAnIntHolds() {
        window.add(Integer.MAX_VALUE, 1_000, 10_000);
        window.add(5, 1_000, 11_000);

        assertThat(window.count()).isEqualTo(Integer.MAX_VALUE);
    }

    /** Beside a bucket for every minute that ever was. */
    @Test
    void itIsTheSumOfTheLastMinutes() {
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            MinuteWindow tested = new MinuteWindow(4);
            long[] naive = new long[1_000];
            long reportMs = 10 * MINUTE_MS;
            for (int report = 0; report < 60; report++) {
                long elapsedMs = 1 + random.nextInt(200_000);
                long requests = random.nextInt(100_000);
                reportMs += elapsedMs;
                tested.add(requests, elapsedMs, reportMs);
                for (int minute = 0; minute < naive.length; minute++) {
                    long fromMs = Math.max(reportMs - elapsedMs, minute * MINUTE_MS);
                    long toMs = Math.min(reportMs, (minute + 1) * MINUTE_MS);
                    naive[minute] += toMs > fromMs ? Math.round((double) requests * (toMs - fromMs) / elapsedMs) : 0;
                }
                int newest = (int) (reportMs / MINUTE_MS);
                assertThat(tested.count())
                        .as("seed %d, report %d", seed, report)
                        .isEqualTo(Arrays.stream(naive, newest - 3, newest + 1).sum());
            }
        }
    }
}
