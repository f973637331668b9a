// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackingLowerBoundTest {

    @Test
    void sixRegionsOnFourServersMakeTwoShareOne() {
        PackingLowerBound.Bound least = least(4, 1, 1, 1, 1, 1, 1);

        assertThat(least).isEqualTo(new PackingLowerBound.Bound(2, 2));
    }

    @Test
    void oneHotRegionIsTheBoundWhereItIsMoreThanTwoOthers() {
        assertThat(least(2, 9, 4, 3, 2)).isEqualTo(new PackingLowerBound.Bound(9, 1));
        assertThat(least(2, 6, 4, 3, 2)).isEqualTo(new PackingLowerBound.Bound(7, 2));
    }

    @Test
    void threeOfSevenOnThreeServers() {
        assertThat(least(3, 5, 5, 5, 5, 5, 5, 5)).isEqualTo(new PackingLowerBound.Bound(15, 3));
    }

    @Test
    void withoutLoadThereIsNoBound() {
        assertThat(least(3)).isEqualTo(new PackingLowerBound.Bound(0, 0));
        assertThat(least(3, 0, 0)).isEqualTo(new PackingLowerBound.Bound(0, 0));
    }

    /** Whatever each of up to eight regions is on, no assignment has a lower largest load; with equal loads the bound is it. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void noAssignmentIsBelowIt(int servers) {
        for (long seed = 1; seed <= 60; seed++) {
            Random random = new Random(seed * servers);
            boolean equal = seed % 3 == 0;
            double[] loads = new double[1 + random.nextInt(8)];
            Arrays.setAll(loads, region -> equal ? 1 : random.nextInt(10));
            double best = best(loads, new double[servers], 0);
            double bound = least(servers, loads).load();
            assertThat(bound).as("seed %d, %s", seed, Arrays.toString(loads)).isLessThanOrEqualTo(best + 1e-9);
            if (equal) {
                assertThat(bound).as("seed %d", seed).isCloseTo(best, within(1e-9));
            }
        }
    }

    private static double best(double[] loads, double[] onServer, int region) {
        if (region == loads.length) {
            return Arrays.stream(onServer).max().orElse(0);
        }
        double best = Double.POSITIVE_INFINITY;
        for (int server = 0; server < onServer.length; server++) {
            onServer[server] += loads[region];
            best = Math.min(best, best(loads, onServer, region + 1));
            onServer[server] -= loads[region];
        }
        return best;
    }

    private static PackingLowerBound.Bound least(int servers, double... loads) {
        PackingLowerBound packingBound =
                new PackingLowerBound(servers, Arrays.stream(loads).sum() / servers);
        Arrays.stream(loads).forEach(packingBound::add);
        return packingBound.least();
    }
}
