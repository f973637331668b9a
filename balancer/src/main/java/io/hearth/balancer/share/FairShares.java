// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.share;

import io.hearth.common.model.LoadDimension;
import java.util.Arrays;

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

    /** A fair share is at least this part of the mean, so that no share grows without bound. */
    private static final double LEAST_OF_MEAN = 1e-3;

    /** At most one oversized region for so many servers, or one, is left out of the mean: with more, plans need more runs until none moves anything. */
    private static final int MAX_OVERSIZED_ONE_IN = 10;

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

    /**
     * What is fair for a server of mean capacity in one dimension, where some regions have a load that no move can spread: the
     * mean over the servers of what is left when of each oversized region, one well above a fair share, only one fair share is
     * counted. That makes the share itself smaller, so it is found region by region, the hottest first, until the next region is
     * none. Above 0 and at most the mean.
     *
     * <p><b>Example.</b> 20 servers of which 18 have 1,000 requests per second, one has 4,000, and one a region that is scanned
     * with 100,000. The mean is 6,100, and by that the server with 4,000 is cool; what is fair without the oversized region is
     * 1,158.
     *
     * @param loads of the regions, in any order
     * @param mean load of a server, above 0
     * @param largestCapacity of the servers, in multiples of the mean
     * @param oversizedAbove of how many fair shares of the largest server a region is an oversized region, above 1
     * @param least below this nothing is worth a move: a fair share is no less, if the mean is not
     */
    public static double meanWithoutOversized(
            double[] loads, int servers, double mean, double largestCapacity, double oversizedAbove, double least) {
        double fair = mean;
        double hottest = Arrays.stream(loads).max().orElse(0);
        if (hottest <= oversizedAbove * mean * largestCapacity) {
            return fair;
        }
        double floor = Math.max(Math.min(mean, least), mean * LEAST_OF_MEAN);
        double[] sorted = loads.clone();
        Arrays.sort(sorted);
        int most = Math.min(loads.length, Math.max(1, servers / MAX_OVERSIZED_ONE_IN));
        double left = mean * servers;
        for (int oversized = 0; oversized < most; oversized++) {
            double load = sorted[sorted.length - 1 - oversized];
            double others = servers - (oversized + 1) * largestCapacity;
            if (load <= oversizedAbove * fair * largestCapacity || others <= 0) {
                return fair;
            }
            left -= load;
            fair = Math.max(floor, Math.min(fair, left / others));
        }
        return fair;
    }
}
