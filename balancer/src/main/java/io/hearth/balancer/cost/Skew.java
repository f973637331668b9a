// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.cost;

import java.util.Arrays;

/**
 * A measure of how unevenly a load is spread over servers that is free of scale: the same picture in other units, or twice
 * as hot, measures the same. (HBase's own {@code DoubleArrayCost} is not: it gives 0.89, 0.68 or 0 for one picture.)
 */
public final class Skew {

    private Skew() {}

    /** The standard deviation over the mean, at least 0; 0 where there is no load. */
    public static double coefficientOfVariation(double[] loadByServer) {
        double mean = Arrays.stream(loadByServer).average().orElse(0);
        if (!(mean > 0)) {
            return 0;
        }
        double squares = Arrays.stream(loadByServer)
                .map(load -> (load - mean) * (load - mean))
                .sum();
        return Math.sqrt(squares / loadByServer.length) / mean;
    }

    /**
     * A coefficient of variation as a cost from 0 (even) towards 1: {@code cv / (1 + cv)}. All load on one of n servers is
     * {@code cv = sqrt(n - 1)}: 0.63 for 4 servers, 0.97 for 1,000.
     */
    public static double asCost(double coefficientOfVariation) {
        return coefficientOfVariation / (1 + coefficientOfVariation);
    }
}
