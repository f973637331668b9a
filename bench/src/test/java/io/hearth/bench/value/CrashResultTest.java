// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.value.LayoutResult.Balancer;
import java.util.List;
import org.junit.jupiter.api.Test;

class CrashResultTest {

    private static CrashResult crash(double... inTime) {
        return new CrashResult(
                Balancer.HEARTH, java.util.Arrays.stream(inTime).boxed().toList(), 1.1, 0.4, 0);
    }

    @Test
    void aShareIsReachedWhereItIsHeldForFiveSeconds() {
        CrashResult crash = crash(0.8, 0.1, 0.95, 0.7, 0.93, 0.95, 0.95, 0.96, 0.97, 1, 1, 1, 1);

        assertThat(crash.secondsUntil(0.9)).hasValue(4);
        assertThat(crash.secondsUntil(0.99)).as("four seconds are not enough").isEmpty();
    }

    @Test
    void whoNeverGetsThereHasNoTime() {
        assertThat(ValueTable.ofCrash(List.of(crash(0.2, 0.3, 0.3, 0.3, 0.3, 0.3)))
                        .lines()
                        .toList()
                        .get(1)
                        .trim()
                        .replaceAll("  +", " | "))
                .isEqualTo("Hearth | never | never | 1.10 | 0");
    }

    @Test
    void failedRequestsAreSaid() {
        CrashResult failed = new CrashResult(Balancer.STOCK, List.of(0.5, 1.0, 1.0, 1.0, 1.0, 1.0), 1, 0.4, 3);
        CrashResult late = new CrashResult(Balancer.HEARTH, List.of(0.5, 0.9, 0.9, 0.9, 0.9, 0.98), 1, 0.4, 0);

        assertThat(ValueThresholds.ofCrash(List.of(failed, late)).violations())
                .containsExactly(
                        "a crash, stock: 3 requests failed",
                        "a crash, Hearth: 99 % of the requests were never answered in time again");
    }

    @Test
    void thatStockIsSlowIsNoFaultOfHearths() {
        CrashResult slow = new CrashResult(Balancer.STOCK, List.of(0.5, 0.9, 0.9, 0.9, 0.9, 0.98), 1, 0.4, 0);

        assertThat(ValueThresholds.ofCrash(List.of(slow)).violations()).isEmpty();
        assertThat(ValueTable.ofCrash(List.of(slow))).contains("never");
    }
}
