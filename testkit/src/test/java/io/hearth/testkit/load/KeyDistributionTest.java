// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.testkit.load.LoadProfile.KeyDistribution;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import site.ycsb.generator.AcknowledgedCounterGenerator;
import site.ycsb.generator.NumberGenerator;

class KeyDistributionTest {

    private static final long ROWS = 10_000;
    private static final int REGIONS = 20;
    private static final int DRAWS = 200_000;

    private final AcknowledgedCounterGenerator inserted = new AcknowledgedCounterGenerator(ROWS);

    private NumberGenerator rows(KeyDistribution distribution) {
        return distribution.rows(ROWS, REGIONS, inserted, 0.2, 0.8, 1);
    }

    private static double share(NumberGenerator rows, LongPredicate of) {
        int hits = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            hits += of.test(rows.nextValue().longValue()) ? 1 : 0;
        }
        return (double) hits / DRAWS;
    }

    private static List<Long> byFrequency(NumberGenerator rows) {
        Map<Long, Integer> counts = new HashMap<>();
        for (int draw = 0; draw < DRAWS; draw++) {
            counts.merge(rows.nextValue().longValue(), 1, Integer::sum);
        }
        assertThat(counts.keySet()).allMatch(row -> row >= 0 && row < ROWS);
        return counts.entrySet().stream()
                .sorted(Map.Entry.<Long, Integer>comparingByValue().reversed())
                .map(Map.Entry::getKey)
                .toList();
    }

    @Test
    void aHotSpotIsTheLowestRowsAndGetsItsShareBesideThatOfAllRows() {
        assertThat(share(rows(KeyDistribution.HOTSPOT), row -> row < 2_000)).isCloseTo(0.8, within(0.01));
    }

    @Test
    void uniformAsksForAllRowsAlike() {
        assertThat(share(rows(KeyDistribution.UNIFORM), row -> row < 2_000)).isCloseTo(0.2, within(0.01));
    }

    @Test
    void theHottestRowsOfZipfianAreTheSameEachTimeAndAnywhere() {
        List<Long> once = byFrequency(rows(KeyDistribution.ZIPFIAN));
        List<Long> again = byFrequency(rows(KeyDistribution.ZIPFIAN));

        assertThat(again.subList(0, 3)).isEqualTo(once.subList(0, 3));
        assertThat(once.subList(0, 20)).anyMatch(row -> row < ROWS / 2).anyMatch(row -> row >= ROWS / 2);
        // YCSB's constant: 1 over the sum of i^-0.99 up to ten thousand million.
        assertThat(share(rows(KeyDistribution.ZIPFIAN), row -> row == once.get(0)))
                .isCloseTo(1 / 26.47, within(0.003));
    }

    @Test
    void theHottestRowsOfOrderedZipfianAreTheFirst() {
        assertThat(byFrequency(rows(KeyDistribution.ORDERED_ZIPFIAN)).subList(0, 3))
                .containsExactly(0L, 1L, 2L);
        // 51 to 70 % of the requests of such a load are for one region of many.
        assertThat(share(rows(KeyDistribution.ORDERED_ZIPFIAN), row -> row < ROWS / REGIONS))
                .isGreaterThan(0.6);
    }

    @Test
    void zipfianRegionsAreHotByTheirRankAndTheirRowsAreAlike() {
        double sum = IntStream.rangeClosed(1, REGIONS)
                .mapToDouble(rank -> Math.pow(rank, -0.99))
                .sum();
        NumberGenerator rows = rows(KeyDistribution.ZIPFIAN_REGIONS);

        assertThat(share(rows, row -> row < 500)).isCloseTo(1 / sum, within(0.005));
        assertThat(share(rows, row -> row < 250)).isCloseTo(0.5 / sum, within(0.005));
        assertThat(share(rows, row -> row >= 9_500)).isCloseTo(Math.pow(20, -0.99) / sum, within(0.002));
        assertThat(rows.mean()).isBetween(1_500.0, 3_500.0);
    }

    @Test
    void lognormalRegionsAreDrawnBySeed() {
        List<Double> shares = sharesOfRegions(1);

        assertThat(sharesOfRegions(1))
                .zipSatisfy(shares, (again, once) -> assertThat(again).isCloseTo(once, within(0.01)));
        assertThat(sharesOfRegions(2)).isNotEqualTo(shares);
        assertThat(shares).allMatch(share -> share > 0);
        double deviation = Math.sqrt(shares.stream()
                        .mapToDouble(share -> Math.pow(Math.log(share), 2))
                        .average()
                        .orElseThrow()
                - Math.pow(shares.stream().mapToDouble(Math::log).average().orElseThrow(), 2));
        assertThat(deviation)
                .as("of the logarithms of 20 draws with a sigma of 1")
                .isBetween(0.6, 1.4);
    }

    private List<Double> sharesOfRegions(long seed) {
        NumberGenerator rows = KeyDistribution.LOGNORMAL_REGIONS.rows(ROWS, REGIONS, inserted, 0, 0, seed);
        int[] hits = new int[REGIONS];
        for (int draw = 0; draw < DRAWS; draw++) {
            hits[(int) (rows.nextValue().longValue() / (ROWS / REGIONS))]++;
        }
        return Arrays.stream(hits).mapToObj(count -> (double) count / DRAWS).toList();
    }

    @Test
    void latestFollowsWhatIsInsertedOnceItIsAcknowledged() {
        NumberGenerator rows = rows(KeyDistribution.LATEST);
        assertThat(share(rows, row -> row >= ROWS)).isZero();
        assertThat(share(rows, row -> row >= ROWS - 100)).isGreaterThan(0.4);
        for (int insert = 0; insert < 100; insert++) {
            inserted.nextValue();
        }
        assertThat(share(rows, row -> row >= ROWS)).as("sent, not acknowledged").isZero();

        for (int insert = 0; insert < 100; insert++) {
            inserted.acknowledge(ROWS + insert);
        }

        assertThat(share(rows, row -> row >= ROWS)).isGreaterThan(0.4);
    }
}
