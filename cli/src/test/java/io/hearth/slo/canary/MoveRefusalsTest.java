// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.canary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MoveRefusalsTest {

    private static final long START_NANOS = Long.MAX_VALUE - TimeUnit.MINUTES.toNanos(1);

    private final MoveRefusals refusals = new MoveRefusals();

    private static long after(long seconds) {
        return START_NANOS + TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void oneRefusalCostsAMinuteAndEachFurtherOneTwiceAsLongUpToAnHour() {
        long atSeconds = 0;
        for (long pauseSeconds : new long[] {60, 120, 240, 480, 960, 1920, 3600, 3600}) {
            refusals.refused("a", after(atSeconds));
            assertThat(refusals.refusing(after(atSeconds + pauseSeconds - 1))).containsExactly("a");
            assertThat(refusals.refusing(after(atSeconds + pauseSeconds))).isEmpty();
            atSeconds += pauseSeconds;
        }
    }

    @Test
    void aServerThatHasOneBeginsAnew() {
        refusals.refused("a", after(0));
        refusals.refused("a", after(60));
        refusals.refused("b", after(60));

        refusals.retain(Set.of("b"));

        assertThat(refusals.refusing(after(61))).containsExactly("b");
        refusals.refused("a", after(61));
        assertThat(refusals.refusing(after(122))).isEmpty();
    }
}
