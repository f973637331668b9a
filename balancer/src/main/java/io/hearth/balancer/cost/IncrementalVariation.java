// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.cost;

/**
 * The coefficient of variation of the servers' loads in one dimension, kept up to date by a constant number of operations a
 * move: from the sum (which a move does not change) and the sum of squares. {@link Skew#coefficientOfVariation} is its
 * oracle. Not thread-safe; private scratch of one search.
 */
public final class IncrementalVariation {

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
