// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.common.model.LoadDimension;
import org.junit.jupiter.api.Test;

class FairSharesTest {

    /** Servers of capacity 1.5 and 0.5 with 500 and 300 reads a second, and nothing else. */
    private static FairShares shares(FairShares.FairLoad fair) {
        int dimensions = LoadDimension.values().length;
        double[] load = new double[2 * dimensions];
        load[LoadDimension.READS.ordinal()] = 500;
        load[dimensions + LoadDimension.READS.ordinal()] = 300;
        return new FairShares(load, new double[] {1.5, 0.5}, fair);
    }

    @Test
    void aShareIsALoadOverTheMeanTimesTheCapacity() {
        FairShares shares = shares(FairShares.FairLoad.MEAN);

        assertThat(shares.mean(LoadDimension.READS)).isEqualTo(400);
        assertThat(shares.ofServer(0, LoadDimension.READS)).isCloseTo(500 / 600.0, within(1e-12));
        assertThat(shares.ofServer(1, LoadDimension.READS)).isCloseTo(1.5, within(1e-12));
        assertThat(shares.of(100, LoadDimension.READS)).isEqualTo(0.25);
        assertThat(shares.overMean(1.5, LoadDimension.READS)).isEqualTo(1.5);
    }

    /** What is fair without an oversized region is less than the mean; an operator still sees multiples of the mean. */
    @Test
    void whatIsFairMayBeLessThanTheMean() {
        FairShares shares = shares((dimension, mean) -> mean / 2);

        assertThat(shares.ofServer(1, LoadDimension.READS)).isCloseTo(3, within(1e-12));
        assertThat(shares.overMean(shares.ofServer(1, LoadDimension.READS), LoadDimension.READS))
                .isCloseTo(1.5, within(1e-12));
        assertThat(shares.overMean(0.1, LoadDimension.READS)).isEqualTo(1);
    }

    @Test
    void withoutLoadEveryServerHasItsShareAndNoRegionHasAny() {
        FairShares shares = shares(FairShares.FairLoad.MEAN);

        assertThat(shares.hasLoad(LoadDimension.WRITES)).isFalse();
        assertThat(shares.ofServer(0, LoadDimension.WRITES)).isEqualTo(1);
        assertThat(shares.of(7, LoadDimension.WRITES)).isZero();
        assertThat(shares.overMean(1, LoadDimension.WRITES)).isEqualTo(1);
    }
}
