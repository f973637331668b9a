// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.cost;

import java.util.Arrays;

/**
 * What is fair for a server in one dimension, where some regions have a load that no move can spread: the mean over the servers
 * of what is left when of each oversized region, one well above a fair share, only one fair share is counted. That makes the share
 * itself smaller, so it is found region by region, the hottest first, until the next region is none. Pure.
 *
 * <p><b>Example.</b> 20 servers of which 18 have 1,000 requests per second, one has 4,000, and one a region that is scanned with
 * 100,000. The mean is 6,100, and by that the server with 4,000 is cool; what is fair without the oversized region is 1,158.
 */
public final class FairShare {

    /** A fair share is never less than this part of the mean: beside it everything else is nothing. */
    private static final double LEAST_OF_MEAN = 1e-3;

    /** No more oversized regions than one for so many servers, or one, are set apart: of more, what is left is no measure for the others, and plans take more runs to come to rest. */
    private static final int MAX_OVERSIZED_ONE_IN = 10;

    private FairShare() {}

    /**
     * The load that is fair for a server of mean capacity, above 0 and at most the mean.
     *
     * @param loads of the regions, in any order
     * @param mean load of a server, above 0
     * @param largestCapacity of the servers, in multiples of the mean
     * @param oversizedAbove of how many fair shares of the largest server a region is an oversized region, above 1
     * @param least below this nothing is worth a move: a fair share is no less, if the mean is not
     */
    public static double of(
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
