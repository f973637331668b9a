// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.share;

/**
 * By how much it lowers the unevenness that one load goes from a server to another and other loads come back for it, for many such
 * loads in turn. What does not depend on the load that comes back is computed once. Where the unevenness does not grow, equal to the sum
 * of {@link ServerShares#gain} but for {@link #rounding}. Not thread-safe; scratch of one search.
 */
public final class ExchangeGain {

    /** Where shares are a few, the difference to the sum of gains is below this by far. */
    public static final double ROUNDING = 1e-9;

    private final ServerShares shares;
    /** The dimensions that count, so many of them. */
    private final int[] counted;

    private final double[] weight;
    private final double[] target;
    /** By place in {@link #counted}: the share of the server that gives, without the load that it gives. */
    private final double[] shareOfGiver;
    /** The same of the one that takes it, with that load. */
    private final double[] shareOfTaker;

    private double giverCapacity;
    private double takerCapacity;
    private double before;

    public ExchangeGain(ServerShares shares) {
        this.shares = shares;
        counted = shares.counted();
        weight = new double[counted.length];
        target = new double[counted.length];
        for (int place = 0; place < counted.length; place++) {
            weight[place] = shares.weight(counted[place]);
            target[place] = shares.target(counted[place]);
        }
        shareOfGiver = new double[counted.length];
        shareOfTaker = new double[counted.length];
    }

    /**
     * Gives this load from one server to another; asked for with {@link #of} until any share changes.
     *
     * @param loads by dimension from {@code first} on, in multiples of the mean server's
     */
    public void give(double[] loads, int first, int giver, int taker) {
        giverCapacity = shares.capacity(giver);
        takerCapacity = shares.capacity(taker);
        before = 0;
        for (int place = 0; place < counted.length; place++) {
            int dimension = counted[place];
            double load = loads[first + dimension];
            shareOfGiver[place] = shares.shareWith(giver, dimension, -load);
            shareOfTaker[place] = shares.shareWith(taker, dimension, load);
            before += shares.unevenness(giver, dimension) + shares.unevenness(taker, dimension);
        }
    }

    /**
     * The difference to the sum of gains is below this by far: a difference of two sums is as exact as they are, and beside a region of
     * hundreds of fair shares they are large.
     */
    public double rounding() {
        return ROUNDING * Math.max(1, before);
    }

    /** The gain where that load comes back for it. */
    public double of(double[] loads, int first) {
        double perGiver = 1 / giverCapacity;
        double perTaker = 1 / takerCapacity;
        double after = 0;
        for (int place = 0; place < counted.length; place++) {
            double load = loads[first + counted[place]];
            after += weight[place]
                    * (giverCapacity * ServerShares.unevenness(shareOfGiver[place] + load * perGiver, target[place])
                            + takerCapacity
                                    * ServerShares.unevenness(shareOfTaker[place] - load * perTaker, target[place]));
        }
        return before - after;
    }
}
