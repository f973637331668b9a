// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.share;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The loads of all servers as shares: multiples of what is fair for that server, kept up to date move by move. 1 is fair.
 *
 * <p>A load is given in multiples of the mean server's. A server with {@code c} times the mean capacity has the share {@code
 * load / c}. The unevenness of a dimension is the sum over the servers of {@code weight c (max(0, share - target) +
 * 0.3 (share - 1)^2)}: the first term makes each step down to the target count fully however small it is, so that a search that
 * follows it neither stops short of the target nor goes beyond it; the square prefers, of moves alike in that, the one between
 * the hotter and the cooler server. What a move
 * changes is a constant number of operations. Not thread-safe; private scratch of one search.
 */
public final class ServerShares {

    /** How much the pull towards the fair share counts against a step towards the target. */
    private static final double EVENNESS_WEIGHT = 0.3;

    private final int dimensions;
    private final double[] share;
    private final double[] capacity;
    private final double[] weight;
    private final double[] target;

    /**
     * @param share the shares to begin with: {@code share[server * dimensions + dimension]}; copied
     * @param capacity of each server, in multiples of the mean
     * @param weight of each dimension, at least 0; 0 does not count
     * @param target of each dimension: the share at which a server is good enough
     */
    public ServerShares(double[] share, double[] capacity, double[] weight, double[] target) {
        dimensions = weight.length;
        this.share = share.clone();
        this.capacity = capacity.clone();
        this.weight = weight.clone();
        this.target = target.clone();
    }

    /** The load of this server in multiples of its fair share. */
    public double share(int server, int dimension) {
        return share[server * dimensions + dimension];
    }

    /** What the share of this server would be with so much more load, in multiples of the mean server's. */
    public double shareWith(int server, int dimension, double moreLoad) {
        return share(server, dimension) + moreLoad / capacity[server];
    }

    /** How much this dimension counts. */
    public double weight(int dimension) {
        return weight[dimension];
    }

    /** The share at which a server is good enough in this dimension. */
    double target(int dimension) {
        return target[dimension];
    }

    /** The dimensions that count. */
    int[] counted() {
        return IntStream.range(0, dimensions)
                .filter(dimension -> weight[dimension] > 0)
                .toArray();
    }

    /** The capacity of this server, in multiples of the mean. */
    public double capacity(int server) {
        return capacity[server];
    }

    /** How far below its target this server is in the dimension in which it is nearest to it; of those that count. */
    public double headroom(int server) {
        double headroom = Double.POSITIVE_INFINITY;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            if (weight[dimension] > 0) {
                headroom = Math.min(headroom, (target[dimension] - share(server, dimension)) * capacity[server]);
            }
        }
        return headroom;
    }

    /** What this server adds to the unevenness in this dimension, at least 0. */
    public double unevenness(int server, int dimension) {
        return weight[dimension] * capacity[server] * unevenness(share(server, dimension), target[dimension]);
    }

    /** What a server of mean capacity with this share adds in a dimension of weight 1. */
    static double unevenness(double share, double target) {
        return Math.max(0, share - target) + EVENNESS_WEIGHT * (share - 1) * (share - 1);
    }

    /** By how much it lowers the unevenness to give this server so much more load (below 0: less). */
    public double gain(int server, int dimension, double moreLoad) {
        return gain(share[server * dimensions + dimension], capacity[server], dimension, moreLoad);
    }

    /**
     * What {@link #gain(int, int, double)} is at most on any server with this share or more and this capacity or less: the cooler
     * and the larger a server, the better it takes a load.
     *
     * @param moreLoad at least 0
     */
    public double mostGain(double leastShare, double mostCapacity, int dimension, double moreLoad) {
        return gain(leastShare, mostCapacity, dimension, moreLoad);
    }

    private double gain(double before, double ofCapacity, int dimension, double moreLoad) {
        double change = moreLoad / ofCapacity;
        double square = -change * (2 * before + change - 2);
        double over = Math.max(0, before - target[dimension]) - Math.max(0, before + change - target[dimension]);
        return weight[dimension] * ofCapacity * (EVENNESS_WEIGHT * square + over);
    }

    /** Gives this server so much more load (below 0: less). */
    public void add(int server, int dimension, double moreLoad) {
        share[server * dimensions + dimension] += moreLoad / capacity[server];
    }

    /** The largest share in this dimension, at least 1. */
    public double maxOverMean(int dimension) {
        double max = 1;
        for (int index = dimension; index < share.length; index += dimensions) {
            max = Math.max(max, share[index]);
        }
        return max;
    }

    @Override
    public String toString() {
        return Arrays.toString(share);
    }
}
