// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.config.HealWindows.HealWindowsParser;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HealWindowsTest {

    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final String NIGHTS = "mon-fri 22:00-06:00, sat, sun 00:00-24:00";

    /** 2 March 2026 is a Monday. */
    @ParameterizedTest
    @CsvSource({
        "2026-03-02T21:59, false",
        "2026-03-02T22:00, true",
        "2026-03-03T05:59, true",
        "2026-03-03T06:00, false",
        "2026-03-02T05:00, false",
        "2026-03-07T12:00, true",
        "2026-03-08T23:59, true",
        "2026-03-07T03:00, true"
    })
    void nightsAndTheWeekend(LocalDateTime local, boolean open) {
        assertThat(parse(NIGHTS).isOpenAt(local.atZone(UTC).toInstant(), UTC)).isEqualTo(open);
    }

    @Test
    void theZoneThatIsNamedCounts() {
        HealWindows berlin = parse("22:00-23:00 in Europe/Berlin");

        assertThat(berlin.isOpenAt(
                        LocalDateTime.parse("2026-03-02T21:30").atZone(UTC).toInstant(), UTC))
                .isTrue();
        assertThat(berlin.isOpenAt(
                        LocalDateTime.parse("2026-03-02T22:30").atZone(UTC).toInstant(), UTC))
                .isFalse();
    }

    @Test
    void theMastersZoneCountsWhereNoneIsNamed() {
        HealWindows late = parse("22:00-23:00");

        assertThat(late.isOpenAt(
                        LocalDateTime.parse("2026-03-02T21:30").atZone(UTC).toInstant(), ZoneId.of("Europe/Berlin")))
                .isTrue();
    }

    @Test
    void daysGoOverTheEndOfTheWeek() {
        HealWindows windows = parse("SAT-Mon");

        assertThat(windows.isOpenAt(
                        LocalDateTime.parse("2026-03-02T12:00").atZone(UTC).toInstant(), UTC))
                .isTrue();
        assertThat(windows.isOpenAt(
                        LocalDateTime.parse("2026-03-03T12:00").atZone(UTC).toInstant(), UTC))
                .isFalse();
    }

    @Test
    void alwaysAndNever() {
        assertThat(parse("always")
                        .isOpenAt(
                                LocalDateTime.parse("2026-03-02T12:00")
                                        .atZone(UTC)
                                        .toInstant(),
                                UTC))
                .isTrue();
        assertThat(parse("never")
                        .isOpenAt(
                                LocalDateTime.parse("2026-03-02T12:00")
                                        .atZone(UTC)
                                        .toInstant(),
                                UTC))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "moon",
                "mon-",
                "mon 22-06",
                "mon 25:00-26:00",
                "mon 10:60-11:00",
                "mon 10:60-12:00",
                "mon 10:00-24:01",
                "mon 10:00-10:00",
                "mon 24:00-06:00",
                "mon,,tue",
                "mon in Atlantis"
            })
    void whatCanNotBeRead(String text) {
        assertThat(HealWindowsParser.parse(text)).isEmpty();
    }

    /** A window has its first minute and not its last one; 00:00 as an end is midnight. */
    @ParameterizedTest
    @CsvSource({
        "10:30-11:15, 10:29, false",
        "10:30-11:15, 10:30, true",
        "10:30-11:15, 11:14, true",
        "10:30-11:15, 11:15, false",
        "22:00-00:00, 23:59, true",
        "22:00-00:00, 00:00, false",
        "22:10-06:20, 06:19, true",
        "22:10-06:20, 06:20, false",
        "22:10-06:20, 22:09, false"
    })
    void aWindowIsOpenFromItsFirstMinuteToItsLast(String window, String time, boolean open) {
        assertThat(parse(window)
                        .isOpenAt(
                                LocalDateTime.parse("2026-03-04T" + time)
                                        .atZone(UTC)
                                        .toInstant(),
                                UTC))
                .isEqualTo(open);
    }

    @Test
    void windowsAreEqualThatAreOpenAtTheSameTimes() {
        assertThat(parse("mon 10:00-11:00")).isEqualTo(parse("mon 10:00-11:00"));
        assertThat(parse("mon 10:00-11:00")).hasSameHashCodeAs(parse("mon 10:00-11:00"));
        assertThat(parse("mon 10:00-11:00")).isNotEqualTo(parse("tue 10:00-11:00"));
        assertThat(parse("mon 10:00-11:00").hashCode())
                .isNotEqualTo(parse("tue 10:00-11:00").hashCode());
        assertThat(parse("10:00-11:00 in Europe/Berlin")).isNotEqualTo(parse("10:00-11:00"));
    }

    private static HealWindows parse(String text) {
        return HealWindowsParser.parse(text).orElseThrow();
    }
}
