// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.share;

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

    /**
     * The coefficient of variation of the servers' loads in one dimension, kept up to date by a constant number of operations a
     * move: from the sum (which a move does not change) and the sum of squares. {@link Skew#coefficientOfVariation} is its
     * oracle. Not thread-safe; private scratch of one search.
     */
    public static final class IncrementalVariation {

        private final double[] loadByServer;
        private double sum;
        private double sumOfSquares;

        /** @param loadByServer the loads to begin with, at least 0 each; copied */
        public IncrementalVariation(double[] loadByServer) {
            this.loadByServer = loadByServer.clone();
            for (double load : loadByServer) {
                sum += load;
                sumOfSquares += load * load;
            }
        }

        /** Adds this load to a server: a region was assigned to it. */
        public void add(int server, double load) {
            change(server, load);
        }

        /** Takes this load from one server and gives it to another. */
        public void move(int from, int to, double load) {
            change(from, -load);
            change(to, load);
        }

        /** The standard deviation over the mean, at least 0; 0 where there is no load. */
        public double coefficientOfVariation() {
            int servers = loadByServer.length;
            if (!(sum > 0)) {
                return 0;
            }
            // n * sum(x^2) / sum(x)^2 - 1; rounding may take an even spread a hair below 0.
            return Math.sqrt(Math.max(0, servers * sumOfSquares / (sum * sum) - 1));
        }

        private void change(int server, double change) {
            double before = loadByServer[server];
            double after = before + change;
            loadByServer[server] = after;
            sum += change;
            sumOfSquares += after * after - before * before;
        }
    }
}
