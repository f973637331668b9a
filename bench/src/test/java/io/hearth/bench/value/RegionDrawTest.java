// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hearth.testkit.load.LoadProfile.KeyDistribution;
import io.hearth.testkit.load.RegionWeights;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RegionDrawTest {

    private static final int SERVERS = 4;
    private static final int REGIONS = 80;

    private static List<String> inPlace() {
        return IntStream.range(0, REGIONS)
                .mapToObj(place -> "host" + place / (REGIONS / SERVERS))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"LOGNORMAL_REGIONS", "ZIPFIAN_REGIONS"})
    void aPlaceIsAskedAsOftenAsTheLoadAsksTheRegionThere(KeyDistribution distribution) {
        RegionDraw draw = RegionDraw.of(distribution, REGIONS, 7);
        List<Integer> regionByPlace = new ArrayList<>(IntStream.range(0, REGIONS)
                .map(place -> REGIONS - 1 - place)
                .boxed()
                .toList());
        List<Double> byRank = distribution == KeyDistribution.ZIPFIAN_REGIONS
                ? RegionWeights.zipfWeights(REGIONS)
                : RegionWeights.lognormalWeights(REGIONS, 7);

        List<Integer> order = draw.order(regionByPlace);

        assertThat(order).containsExactlyInAnyOrderElementsOf(regionByPlace);
        for (int rank = 0; rank < REGIONS; rank++) {
            int place = regionByPlace.indexOf(order.get(rank));
            assertThat(draw.weightsByPlace().get(place)).isEqualTo(byRank.get(rank));
        }
    }

    @Test
    void anotherServersNameForTheSameRegionsIsAsUneven() {
        RegionDraw draw = RegionDraw.of(KeyDistribution.LOGNORMAL_REGIONS, REGIONS, 3);

        assertThat(draw.skew(inPlace(), SERVERS)).isCloseTo(draw.skewInPlace(SERVERS), within(1e-12));
        assertThat(draw.skew(Collections.nCopies(REGIONS, "host0"), SERVERS))
                .as("all on one server, and three that are asked nothing")
                .isCloseTo(SERVERS, within(1e-12));
    }

    @Test
    void theSharesOfTheServersAreAll() {
        RegionDraw draw = RegionDraw.of(KeyDistribution.LOGNORMAL_REGIONS, REGIONS, 3);
        List<Double> shares = IntStream.range(0, SERVERS)
                .mapToObj(server -> draw.shareOf("host" + server, inPlace()))
                .toList();

        assertThat(shares.stream().mapToDouble(Double::doubleValue).sum()).isCloseTo(1, within(1e-12));
        assertThat(Collections.max(shares) * SERVERS).isCloseTo(draw.skewInPlace(SERVERS), within(1e-12));
        assertThat(draw.shareOf("elsewhere", inPlace())).isZero();
    }

    @Test
    void ofTwentyOneDrawsFiveTenAndFifteenAreLessUnevenThanTheQuartiles() {
        List<Double> all = LongStream.rangeClosed(1, RegionDraw.DRAWS)
                .mapToObj(seed -> RegionDraw.of(KeyDistribution.LOGNORMAL_REGIONS, REGIONS, seed)
                        .skewInPlace(SERVERS))
                .toList();

        assertThat(RegionDraw.quartiles(KeyDistribution.LOGNORMAL_REGIONS, SERVERS, REGIONS / SERVERS).stream()
                        .map(draw -> draw.skewInPlace(SERVERS))
                        .map(quartile ->
                                all.stream().filter(skew -> skew < quartile).count()))
                .containsExactly(5L, 10L, 15L);
    }

    @Test
    void rowsAsSuchHaveNoWeightsOfRegions() {
        assertThatThrownBy(() -> RegionDraw.of(KeyDistribution.ZIPFIAN, REGIONS, 1))
                .hasMessage("ZIPFIAN is not over regions");
    }
}
