package io.hearth.balancer.heat;

/**
 * What is known of a region's rates from a time before it was followed: out of a snapshot, or from its parents. Immutable.
 *
 * @param observedMs how much observed time it stands for, in milliseconds
 * @param acting rates over the long horizon
 * @param recent rates over the short horizon
 */
record PastHeat(long observedMs, Rates acting, Rates recent) {

    /** The same rates, standing for no more than this time. */
    PastHeat atMost(long ms) {
        return new PastHeat(Math.min(observedMs, ms), acting, recent);
    }

    /** A share of these rates. */
    PastHeat times(double share) {
        return new PastHeat(observedMs, acting.times(share), recent.times(share));
    }

    /** The sum of two regions' rates, which stands for the shorter of their times. */
    PastHeat plus(PastHeat other) {
        return new PastHeat(
                Math.min(observedMs, other.observedMs), acting.plus(other.acting), recent.plus(other.recent));
    }
}
