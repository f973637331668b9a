// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jol.info.GraphLayout;

/**
 * A year of ordinary life leaves in the balancer's memory what a quarter leaves. Retained sizes are counted object by object, so that
 * no garbage collector has a say, and the mean of a week is compared, as a day has more pins and moves to remember than the next. The last fifty
 * decisions, of which each is as large as its plan, are counted and not measured.
 */
@Tag("computing")
class SimulatedYearIT {

    /** What is kept longest, the days on which Hearth only advised, is kept for 60 days. */
    private static final int WARM_UP_DAYS = 92;

    private static final int YEAR_DAYS = 365;
    private static final int WEEK_DAYS = 7;

    private static final double MOST_GROWTH = 1.1;

    /** How many plans are shown to an operator, whatever they have in them. */
    private static final int MOST_DECISIONS = 50;

    @BeforeAll
    static void recordsCanBeMeasured() {
        System.setProperty("jol.magicFieldOffset", "true");
    }

    @Test
    @Tag("soak")
    void whatTheBalancerRemembersDoesNotGrow() {
        assertThatItDoesNotGrow(20);
    }

    @ParameterizedTest(name = "seed {0}")
    @Tag("release-checks")
    @ValueSource(longs = {21, 22})
    void whatTheBalancerRemembersDoesNotGrow(long seed) {
        assertThatItDoesNotGrow(seed);
    }

    private static void assertThatItDoesNotGrow(long seed) {
        SimulatedYear year = new SimulatedYear(seed);
        for (int day = 0; day < WARM_UP_DAYS; day++) {
            year.day();
        }
        int regions = year.regions();
        Map<String, Double> afterAQuarter = week(year);
        for (int day = WARM_UP_DAYS + WEEK_DAYS; day < YEAR_DAYS - WEEK_DAYS; day++) {
            year.day();
        }
        Map<String, Double> afterAYear = week(year);

        assertThat(year.regions()).as("the cluster is as large as it was").isEqualTo(regions);
        assertThat(year.decisions())
                .as("the last decisions, of which there are as many after a quarter")
                .hasSizeLessThanOrEqualTo(MOST_DECISIONS);
        assertThat(year.located()).as("regions whose bytes are known").isEqualTo(regions);
        assertThat(year.moves()).as("plans are made and carried out").isGreaterThan(YEAR_DAYS);
        afterAYear.forEach((what, bytes) -> System.out.printf(
                "seed %d  %-32s %,12.0f bytes after a quarter, %,12.0f after a year%n",
                seed, what, afterAQuarter.get(what), bytes));
        afterAYear.forEach((what, bytes) -> assertThat(bytes)
                .as(what + ", bytes, seed " + seed)
                .isLessThanOrEqualTo(MOST_GROWTH * afterAQuarter.get(what)));
    }

    /** The mean over a week of the bytes that each part keeps alive at the end of a day. */
    private static Map<String, Double> week(SimulatedYear year) {
        Map<String, Double> bytes = new LinkedHashMap<>();
        for (int day = 0; day < WEEK_DAYS; day++) {
            year.day();
            year.state()
                    .forEach((what, root) -> bytes.merge(
                            what,
                            (double) GraphLayout.parseInstance(root)
                                            .subtract(GraphLayout.parseInstance(year.decisions(), year.cluster()))
                                            .totalSize()
                                    / WEEK_DAYS,
                            Double::sum));
            bytes.merge("tracking, as it is kept", (double) year.bytesKept() / WEEK_DAYS, Double::sum);
        }
        return bytes;
    }
}
