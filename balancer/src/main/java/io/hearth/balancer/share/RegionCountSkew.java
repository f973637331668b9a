// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.share;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The imbalance of the number of regions, measured as stock's {@code RegionCountSkewCostFunction} does ({@code
 * DoubleArrayCost} of HBase 2.6.4): 0 is as even as whole regions allow, 1 is everything on one server. What is fair for a
 * server goes with its capacity; where all have the same, it is the mean, as in stock. Not changed once made; thread-safe.
 */
public final class RegionCountSkew {

    private final double[] fair;
    private final double mean;
    private final double leastSkew;
    private final double mostSkew;

    /**
     * @param total the number of regions
     * @param capacity of each server, in multiples of the mean
     */
    public RegionCountSkew(int total, double[] capacity) {
        mean = capacity.length == 0 ? 0 : (double) total / capacity.length;
        fair = Arrays.stream(capacity).map(times -> times * mean).toArray();
        leastSkew = Math.sqrt(squares(mostEven(total)));
        double lowest = Arrays.stream(fair).min().orElse(0);
        double all = Arrays.stream(fair).map(count -> count * count).sum();
        mostSkew = Math.sqrt((total - lowest) * (total - lowest) + all - lowest * lowest);
    }

    /** The imbalance of these numbers of regions on servers that are all alike. */
    public static double imbalance(int[] countByServer) {
        double[] alike = new double[countByServer.length];
        Arrays.fill(alike, 1);
        RegionCountSkew skew = new RegionCountSkew(Arrays.stream(countByServer).sum(), alike);
        return skew.imbalance(skew.squares(countByServer));
    }

    /** What is fair for a server of mean capacity. */
    public double mean() {
        return mean;
    }

    /** What is fair for this server. */
    public double fair(int server) {
        return fair[server];
    }

    /** The sum of the squares of each server's distance from what is fair for it. */
    public double squares(int[] countByServer) {
        double squares = 0;
        for (int server = 0; server < fair.length; server++) {
            squares += (countByServer[server] - fair[server]) * (countByServer[server] - fair[server]);
        }
        return squares;
    }

    /** The imbalance from {@link #squares}, which a move changes in constant time. */
    public double imbalance(double squares) {
        if (!(mean > 0) || mostSkew <= leastSkew) {
            return 0;
        }
        double skew = Math.sqrt(Math.max(0, squares));
        return Math.max(0, Math.min(1, (skew - leastSkew) / (mostSkew - leastSkew)));
    }

    /**
     * The imbalance among some of the servers, as if the others had what is fair.
     *
     * @param counts whether a server is one of them
     */
    public double imbalance(int[] countByServer, IntPredicate counts) {
        double regions = 0;
        double fairTogether = 0;
        for (int server = 0; server < fair.length; server++) {
            if (counts.test(server)) {
                regions += countByServer[server];
                fairTogether += fair[server];
            }
        }
        double squares = 0;
        for (int server = 0; server < fair.length; server++) {
            if (counts.test(server)) {
                double distance = countByServer[server] - fair[server] / fairTogether * regions;
                squares += distance * distance;
            }
        }
        return imbalance(squares);
    }

    /** Whole numbers as near to what is fair as they can be: those with the largest fractions are rounded up. */
    private int[] mostEven(int total) {
        int[] counts = Arrays.stream(fair).mapToInt(count -> (int) count).toArray();
        int left = total - Arrays.stream(counts).sum();
        IntStream.range(0, fair.length)
                .boxed()
                .sorted(Comparator.comparingDouble(server -> counts[server] - fair[server]))
                .limit(Math.max(0, left))
                .forEach(server -> counts[server]++);
        return counts;
    }
}
