// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hearth.testkit.measure.WeightedChoice.WeylSequence;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SkewedLoadTest {

    @ParameterizedTest
    @CsvSource({"4,40,1", "5,40,2", "6,40,3", "6,60,4", "6,61,5", "8,60,6", "10,100,7", "12,60,8", "12,240,9"})
    void shares_sum_to_one_no_region_passes_the_cap_and_the_skew_passes_the_bar(int hosts, int regions, long seed) {
        SortedMap<String, List<Integer>> regionsByHost = roundRobin(hosts, regions);
        SkewedLoad skewedLoad = SkewedLoad.of(regionsByHost, seed);

        assertThat(skewedLoad.readHost()).as("seed %d", seed).isNotEqualTo(skewedLoad.writeHost());
        for (List<Double> shares : List.of(skewedLoad.readShares(), skewedLoad.writeShares())) {
            assertThat(shares).hasSize(regions).allMatch(share -> share > 0 && share <= SkewedLoad.REGION_CAP);
            assertThat(shares.stream().mapToDouble(share -> share).sum())
                    .as("seed %d", seed)
                    .isCloseTo(1, within(1e-9));
            assertThat(skew(regionsByHost, shares)).as("seed %d", seed).isBetween(2.6, 3.1);
        }
    }

    @Test
    void the_shares_that_the_cap_cuts_go_to_the_other_hot_regions() {
        SortedMap<String, List<Integer>> regionsByHost = new TreeMap<>();
        regionsByHost.put("hot", List.of(0, 1, 2, 3, 4, 5, 6, 7));
        regionsByHost.put("cold", List.of(8, 9, 10, 11, 12, 13));
        regionsByHost.put("c2", List.of(14, 15, 16, 17, 18, 19));
        regionsByHost.put("c3", List.of(20, 21, 22, 23, 24, 25));
        regionsByHost.put("c4", List.of(26, 27, 28, 29, 30, 31));
        regionsByHost.put("c5", List.of(32, 33, 34, 35, 36, 37));

        SkewedLoad skewedLoad = SkewedLoad.of(regionsByHost, 42);

        assertThat(skewedLoad.readHost()).isEqualTo("hot");
        assertThat(skewedLoad.readShares().subList(0, 8).stream()
                        .mapToDouble(s -> s)
                        .sum())
                .isCloseTo(0.5, within(1e-9));
        assertThat(skewedLoad.readShares()).contains(SkewedLoad.REGION_CAP);
    }

    @Test
    void the_same_seed_gives_the_same_plan() {
        assertThat(SkewedLoad.of(roundRobin(6, 60), 7)).isEqualTo(SkewedLoad.of(roundRobin(6, 60), 7));
        assertThat(SkewedLoad.of(roundRobin(6, 60), 7)).isNotEqualTo(SkewedLoad.of(roundRobin(6, 60), 8));
    }

    @Test
    void one_host_cannot_be_skewed() {
        assertThatThrownBy(() -> SkewedLoad.of(roundRobin(1, 60), 7))
                .hasMessage("A skewed load needs regions on 2 hosts or more, not on 1.");
    }

    @Test
    void a_choice_follows_the_weights() {
        WeightedChoice choice = new WeightedChoice(List.of(1.0, 0.0, 3.0));
        assertThat(choice.at(0)).isEqualTo(0);
        assertThat(choice.at(0.2499)).isEqualTo(0);
        assertThat(choice.at(0.25)).isEqualTo(2);
        assertThat(choice.at(Math.nextDown(1.0))).isEqualTo(2);

        SplittableRandom random = new SplittableRandom(5);
        int[] chosen = new int[3];
        for (int i = 0; i < 40_000; i++) {
            chosen[choice.at(random.nextDouble())]++;
        }
        assertThat(chosen[0] / 40_000.0).as("seed 5").isCloseTo(0.25, within(0.01));
        assertThat(chosen[1]).isZero();
    }

    @Test
    void a_steady_sequence_gives_every_region_its_share_in_every_stretch() {
        List<Double> shares = SkewedLoad.of(roundRobin(6, 60), 3).readShares();
        WeightedChoice choice = new WeightedChoice(shares);
        WeylSequence steady = new WeylSequence(0.4);
        for (int stretch = 0; stretch < 5; stretch++) {
            int[] chosen = new int[60];
            for (int i = 0; i < 2_000; i++) {
                chosen[choice.at(steady.next())]++;
            }
            for (int region = 0; region < 60; region++) {
                assertThat(chosen[region])
                        .as("region %d", region)
                        .isCloseTo((int) (shares.get(region) * 2_000), within(4));
            }
        }
    }

    private static double skew(SortedMap<String, List<Integer>> regionsByHost, List<Double> shares) {
        List<Double> loads = new ArrayList<>();
        regionsByHost
                .values()
                .forEach(regions ->
                        loads.add(regions.stream().mapToDouble(shares::get).sum()));
        return LoadSkew.maxOverMean(loads).orElseThrow();
    }

    private static SortedMap<String, List<Integer>> roundRobin(int hosts, int regions) {
        SortedMap<String, List<Integer>> regionsByHost = new TreeMap<>();
        for (int i = 0; i < regions; i++) {
            regionsByHost
                    .computeIfAbsent("host" + (i % hosts + 1), host -> new ArrayList<>())
                    .add(i);
        }
        return regionsByHost;
    }
}
