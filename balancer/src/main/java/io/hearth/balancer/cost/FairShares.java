// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.cost;

import io.hearth.common.model.LoadDimension;

/**
 * What is fair for each server, and its load as a share of that: 1 is fair. Planner and page both normalise loads here and
 * nowhere else. A server's fair share is the load that is fair for a server of mean capacity, times its capacity. Immutable.
 *
 * <p><b>Example.</b> Servers of capacity 1.5 and 0.5 with 500 and 300 requests per second: the mean is 400, the fair shares are
 * 600 and 200, and the shares 0.83 and 1.5.
 */
public final class FairShares {

    private static final LoadDimension[] DIMENSION = LoadDimension.values();
    private static final int DIMENSIONS = DIMENSION.length;

    private final double[] share;
    private final double[] capacity;
    private final double[] mean = new double[DIMENSIONS];
    private final double[] fair = new double[DIMENSIONS];

    /** What is fair for a server of mean capacity, in the dimension's unit. */
    @FunctionalInterface
    public interface FairLoad {

        /** The mean itself: no region is set apart. */
        FairLoad MEAN = (dimension, mean) -> mean;

        /**
         * What is fair in this dimension, above 0.
         *
         * @param mean load of a server, above 0
         */
        double of(LoadDimension dimension, double mean);
    }

    /**
     * The shares of these servers.
     *
     * @param loadByServer {@code loadByServer[server * dimensions + dimension]}, in the dimension's unit; copied
     * @param capacity of each server, in multiples of the mean
     */
    public FairShares(double[] loadByServer, double[] capacity, FairLoad fairLoad) {
        share = loadByServer.clone();
        this.capacity = capacity.clone();
        for (int index = 0; index < share.length; index++) {
            mean[index % DIMENSIONS] += share[index] / capacity.length;
        }
        for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
            fair[dimension] = mean[dimension] > 0 ? fairLoad.of(DIMENSION[dimension], mean[dimension]) : 0;
        }
        for (int index = 0; index < share.length; index++) {
            double ofDimension = fair[index % DIMENSIONS];
            share[index] = ofDimension > 0 ? share[index] / ofDimension / capacity[index / DIMENSIONS] : 1;
        }
    }

    /** The mean load of a server, in the dimension's unit. */
    public double mean(LoadDimension dimension) {
        return mean[dimension.ordinal()];
    }

    /** Whether any server has a load in this dimension. */
    public boolean hasLoad(LoadDimension dimension) {
        return mean(dimension) > 0;
    }

    /** What this server can take, in multiples of a mean server's. */
    public double capacity(int server) {
        return capacity[server];
    }

    /** The load of this server in multiples of its fair share; 1 where no server has any. */
    public double ofServer(int server, LoadDimension dimension) {
        return share[server * DIMENSIONS + dimension.ordinal()];
    }

    /** This load in multiples of what is fair for a mean server; 0 where no server has any. */
    public double of(double load, LoadDimension dimension) {
        double ofDimension = fair[dimension.ordinal()];
        return ofDimension > 0 ? load / ofDimension : 0;
    }

    /** A share in multiples of the mean, as an operator sees it, at least 1. */
    public double overMean(double ofFair, LoadDimension dimension) {
        return Math.max(1, hasLoad(dimension) ? ofFair * (fair[dimension.ordinal()] / mean(dimension)) : ofFair);
    }

    /** The share of every server, {@code [server * dimensions + dimension]}; a copy. */
    public double[] byServer() {
        return share.clone();
    }
}
