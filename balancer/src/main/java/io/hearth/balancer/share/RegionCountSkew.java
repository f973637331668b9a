// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.share;

/**
 * The imbalance of the number of regions, measured as stock's {@code RegionCountSkewCostFunction} does ({@code
 * DoubleArrayCost} of HBase 2.6.4): 0 is as even as whole regions allow, 1 is everything on one server.
 */
public final class RegionCountSkew {

    private RegionCountSkew() {}

    /** The imbalance of these numbers of regions. */
    public static double imbalance(int[] countByServer) {
        double squares = 0;
        double total = 0;
        for (int count : countByServer) {
            total += count;
        }
        double mean = total / countByServer.length;
        for (int count : countByServer) {
            squares += (count - mean) * (count - mean);
        }
        return imbalance(squares, total, countByServer.length);
    }

    /**
     * The same from sums, which a move changes in constant time.
     *
     * @param squares the sum of the squares of each server's distance from the mean
     * @param total the number of regions
     */
    public static double imbalance(double squares, double total, int servers) {
        if (servers == 0 || !(total > 0)) {
            return 0;
        }
        double mean = total / servers;
        double least = leastSkew(total, servers);
        double most = Math.sqrt((total - mean) * (total - mean) + (servers - 1) * mean * mean);
        double skew = Math.sqrt(Math.max(0, squares));
        return most <= least ? 0 : Math.max(0, Math.min(1, (skew - least) / (most - least)));
    }

    private static double leastSkew(double total, int servers) {
        double mean = total / servers;
        double low = Math.floor(mean);
        double high = total - low * servers;
        return Math.sqrt(high * (low + 1 - mean) * (low + 1 - mean) + (servers - high) * (mean - low) * (mean - low));
    }
}
