// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.doctor.check.BalancerWeightsCheck.StockSkew;
import org.apache.hadoop.hbase.master.balancer.StockArrayCost;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StockSkewTest {

    /** Against HBase's own class, on loads so large that whole numbers do not matter. */
    @ParameterizedTest
    @CsvSource({"2, 1.5", "2, 2", "4, 1", "4, 2", "4, 3.5", "100, 2", "100, 10", "1000, 10", "1000, 1000"})
    void itIsWhatHBaseComputes(int servers, double times) {
        double[] loads = new double[servers];
        java.util.Arrays.fill(loads, 1e9 * (servers - times) / (servers - 1));
        loads[0] = 1e9 * times;

        assertThat(StockSkew.ofOneServer(times, servers)).isCloseTo(StockArrayCost.cost(loads), within(1e-6));
    }

    @Test
    void howManyTimesTheMeanIsTheSameTheOtherWayRound() {
        assertThat(StockSkew.timesFor(StockSkew.ofOneServer(7, 50), 50)).isCloseTo(7, within(1e-9));
    }
}
