// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both clocks begin at 0 with the first report, in milliseconds. */
class ServerClockTest {

    private final ServerClock clock = new ServerClock(0, 0);

    /** Looks a minute apart show reports that may be as old. */
    @ParameterizedTest
    @CsvSource({
        "0, false",
        "62499, false",
        "62500, false",
        "-32500, false",
        "-32501, true",
        "65000, false",
        "65001, true"
    })
    void inLooksAMinuteApartItIsRightUpToAMinuteAndFiveSeconds(long aheadMs, boolean isSet) {
        clock.shows(60_000, 60_000);
        clock.shows(120_000 + aheadMs, 120_000);

        assertThat(clock.takeWasSet()).isEqualTo(isSet);
        assertThat(clock.takeWasSet()).as("said once").isFalse();
    }

    /** The report of 1 s is at most a second old, since the look before did not show it. */
    @ParameterizedTest
    @CsvSource({"5000, false", "6000, false", "6001, true"})
    void aReportIsNoOlderThanTheLookThatDidNotShowIt(long aheadMs, boolean isSet) {
        clock.shows(1_000, 1_000);
        clock.shows(61_000 + aheadMs, 61_000);

        assertThat(clock.takeWasSet()).isEqualTo(isSet);
    }

    /** What the look at 60 s does not show yet was made after it. */
    @ParameterizedTest
    @CsvSource({"55000, false", "54999, true"})
    void aReportIsNoOlderThanTheLookThatStillShowedTheOneBefore(long reportMs, boolean isSet) {
        clock.shows(0, 60_000);
        clock.shows(reportMs, 61_000);

        assertThat(clock.takeWasSet()).isEqualTo(isSet);
    }

    /** Its clock is set back by 50 s while nothing of it is shown: 72 s went by, not 21. */
    @Test
    void aReportThatWasShownForAMinuteWasMadeBeforeThat() {
        clock.shows(12_000, 12_000);
        clock.shows(12_000, 72_000);
        clock.shows(33_000, 84_000);

        assertThat(clock.takeWasSet()).isTrue();
    }

    @Test
    void oneLateReportIsNone() {
        clock.shows(100_000, 100_000);
        clock.shows(30_000, 101_000);
        clock.shows(103_000, 103_000);
        clock.shows(35_000, 104_000);

        assertThat(clock.takeWasSet()).isFalse();
        assertThat(clock.isNewest(103_000)).isTrue();
        assertThat(clock.isNewest(35_000)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"39999, 40000, true", "40000, 40001, false", "40000, 40000, false", "40000, 39000, false"})
    void twoLateReportsAMinuteBackShowThatItWasSetBack(long firstMs, long secondMs, boolean isSet) {
        clock.shows(100_000, 100_000);
        clock.shows(firstMs, 101_000);
        clock.shows(secondMs, 102_000);

        assertThat(clock.takeWasSet()).isEqualTo(isSet);
        assertThat(clock.isNewest(secondMs)).isEqualTo(isSet);
    }
}
