// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FlappingServersTest {

    private static final long MINUTE_MS = 60_000;

    private final FlappingServers flapping = new FlappingServers();

    private static ServerId a(long startCode) {
        return new ServerId("a", 16020, startCode);
    }

    /** With five others that stay. */
    private void seen(long minute, ServerId... servers) {
        List<ServerId> live = new ArrayList<>(List.of(servers));
        for (String host : List.of("b", "c", "d", "e", "f")) {
            live.add(new ServerId(host, 16020, 1));
        }
        flapping.observe(live, minute * MINUTE_MS);
    }

    @Test
    void theThirdRestartWithinAnHourIsOneTooMany() {
        seen(0, a(1));
        seen(10, a(2));
        seen(20, a(3));
        assertThat(flapping.now()).as("two restarts").isEmpty();

        seen(60, a(4));

        assertThat(flapping.now())
                .hasSize(1)
                .containsEntry(
                        a(4), "it was restarted 3 times within an hour, and gets none until an hour after the last");
    }

    @Test
    void itGetsRegionsAgainAnHourAfterTheLastRestart() {
        seen(0, a(1));
        seen(10, a(2));
        seen(20, a(3));
        seen(30, a(4));

        seen(90, a(4));
        assertThat(flapping.now()).containsOnlyKeys(a(4));

        seen(91, a(4));
        assertThat(flapping.now()).isEmpty();
    }

    @Test
    void eachFurtherRestartHoldsItForAnotherHour() {
        seen(0, a(1));
        seen(10, a(2));
        seen(20, a(3));
        seen(30, a(4));
        seen(60, a(5));

        seen(120, a(5));

        assertThat(flapping.now()).containsOnlyKeys(a(5));
    }

    @Test
    void threeRestartsInMoreThanAnHourAreNone() {
        seen(0, a(1));
        seen(10, a(2));
        seen(40, a(3));
        seen(71, a(4));

        assertThat(flapping.now()).isEmpty();
    }

    @Test
    void aServerThatComesForTheFirstTimeWasNotRestarted() {
        seen(0, a(2));
        seen(10, a(3));
        seen(20, a(4));

        assertThat(flapping.now()).isEmpty();
    }

    @Test
    void aReportOfTheDeadOneIsNoRestart() {
        seen(0, a(1));
        for (int minute = 10; minute < 50; minute += 10) {
            seen(minute, a(2));
            seen(minute + 1, a(1));
            seen(minute + 2, a(2));
        }

        assertThat(flapping.now()).isEmpty();
    }

    @Test
    void whereAThirdOfAllFlapSomebodyRestartsTheCluster() {
        for (int startCode = 1; startCode <= 4; startCode++) {
            int code = startCode;
            flapping.observe(
                    List.of(a(code), new ServerId("b", 16020, code), new ServerId("c", 16020, 1)),
                    startCode * MINUTE_MS);
        }

        assertThat(flapping.now()).isEmpty();
    }

    @Test
    void whoIsAwayForAMomentFlapsAllTheSame() {
        seen(0, a(1));
        seen(1, a(2));
        seen(2, a(3));
        seen(3, a(4));

        seen(4);

        assertThat(flapping.now()).containsOnlyKeys(a(4));
    }

    @Test
    void whoIsAwayForMoreThanAnHourIsForgotten() {
        seen(0, a(1));
        seen(1, a(2));
        seen(2, a(3));
        seen(63);

        seen(64, a(4));

        assertThat(flapping.now()).isEmpty();
    }

    @Test
    void ofSomeServersItSaysThoseAlone() {
        seen(0, a(1));
        seen(1, a(2));
        seen(2, a(3));
        seen(3, a(4));

        assertThat(flapping.among(Set.of(a(4)))).containsOnlyKeys(a(4));
        assertThat(flapping.among(Set.of(new ServerId("b", 16020, 1)))).isEmpty();
    }
}
