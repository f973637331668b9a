// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.balancer.heat.ingest.Rates;

/**
 * What is known of a region's rates from a time before it was followed: out of a snapshot, or from its parents. Immutable.
 *
 * @param observedMs how much observed time it stands for, in milliseconds
 * @param smoothed rates with the half-life {@code hearth.balancer.heat.half.life.ms}
 * @param recent rates with the half-life {@code hearth.balancer.heat.recent.half.life.ms}
 * @param longTerm what it carries over hours, as far as that is known; it is handed to the next master, not to daughters
 */
record InheritedRates(long observedMs, Rates smoothed, Rates recent, LongTermRates.Prior longTerm) {

    /** Heat of which nothing is known over hours. */
    InheritedRates(long observedMs, Rates smoothed, Rates recent) {
        this(observedMs, smoothed, recent, LongTermRates.Prior.NONE);
    }

    /** The same rates, standing for no more than this time. */
    InheritedRates atMost(long ms) {
        return new InheritedRates(Math.min(observedMs, ms), smoothed, recent, longTerm);
    }

    /** The same after so much time in which nobody looked: the recent rates have gone back towards the smoothed ones by as much. */
    InheritedRates aged(RateDecays decays, long ageMs) {
        return new InheritedRates(
                decays.smoothed().discounted(observedMs, ageMs),
                smoothed,
                smoothed.towards(recent, decays.recent().kept(ageMs)),
                longTerm.aged(decays, ageMs));
    }

    /** A share of these rates. */
    InheritedRates times(double share) {
        return new InheritedRates(observedMs, smoothed.times(share), recent.times(share));
    }

    /** The sum of two regions' rates, which stands for the shorter of their times. */
    InheritedRates plus(InheritedRates other) {
        return new InheritedRates(
                Math.min(observedMs, other.observedMs), smoothed.plus(other.smoothed), recent.plus(other.recent));
    }
}
