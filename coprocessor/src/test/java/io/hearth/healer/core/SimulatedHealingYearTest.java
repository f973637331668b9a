// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.fakes.RetainedSize;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A year of ordinary life leaves in the healer's memory what a month leaves. Retained sizes are counted object by object, so that no garbage
 * collector has a say, and the mean of a week is compared.
 */
class SimulatedHealingYearTest {

    /** With {@code -Dproperty.repetitions=4} or more. */
    private static final boolean IS_WHOLE = Integer.getInteger("hearth.test.repetitions", 1) >= 4;

    /** Where tests are to be quick a month stands for the year. */
    private static final int WARM_UP_DAYS = IS_WHOLE ? 31 : 8;

    private static final int YEAR_DAYS = IS_WHOLE ? 365 : 31;

    private static final int WEEK_DAYS = IS_WHOLE ? 7 : 3;

    /** Ten times what was seen between a month and a year. */
    private static final double MOST_GROWTH = 1.1;

    static Stream<Arguments> healers() {
        Stream<Arguments> quick = Stream.of(
                Arguments.of("it only gives advice", Map.of("mode", "advise"), false),
                Arguments.of("it fails once a day", Map.of("max.reverted.moves.per.hour", "0"), true));
        // The last ten thousand moves are remembered, which takes a month to fill.
        return IS_WHOLE
                ? Stream.concat(
                        quick,
                        Stream.of(Arguments.of(
                                "it heals, and no number of undone moves alarms it",
                                Map.of("max.reverted.moves.per.hour", "0"),
                                false)))
                : quick;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("healers")
    void whatTheHealerRemembersDoesNotGrow(String how, Map<String, String> policy, boolean failsDaily) {
        long seed = 21;
        SimulatedHealingYear year = new SimulatedHealingYear(seed, policy, failsDaily);
        for (int day = 0; day < WARM_UP_DAYS; day++) {
            year.day();
        }
        int regions = year.regions();
        double afterAMonth = week(year);
        for (int day = WARM_UP_DAYS + WEEK_DAYS; day < YEAR_DAYS - WEEK_DAYS; day++) {
            year.day();
        }
        double afterAYear = week(year);

        System.out.printf(
                "%s, seed %d: %,.0f bytes after %d days, %,.0f after %d%n",
                how, seed, afterAMonth, WARM_UP_DAYS, afterAYear, YEAR_DAYS);
        assertThat(year.regions()).as("the cluster is as large as it was").isEqualTo(regions);
        if (policy.containsKey("mode")) {
            assertThat(year.count(HealingCounter.BLOCKS_ADVISED)).isGreaterThan(100L * YEAR_DAYS);
        } else {
            assertThat(year.count(HealingCounter.BLOCKS_VERIFIED)).isGreaterThan(330L * YEAR_DAYS);
            assertThat(year.count(HealingCounter.BLOCKS_REVERTED)).isGreaterThan(YEAR_DAYS);
        }
        assertThat(year.count(HealingCounter.REGIONS_UNREADABLE)).isGreaterThan(YEAR_DAYS);
        assertThat(year.count(HealingCounter.ATTEMPTS_FAILED)).isEqualTo(failsDaily ? YEAR_DAYS : 0);
        assertThat(afterAYear).as("bytes, seed " + seed).isLessThanOrEqualTo(MOST_GROWTH * afterAMonth);
    }

    /** The mean over a week of the bytes that the healer keeps alive at the end of a day. */
    private static double week(SimulatedHealingYear year) {
        double bytes = 0;
        for (int day = 0; day < WEEK_DAYS; day++) {
            year.day();
            bytes += (double) RetainedSize.bytes(year.healer(), year.surroundings()) / WEEK_DAYS;
        }
        return bytes;
    }
}
