// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.balancer.config.HeatConfig;

/**
 * The horizons of heat: a short one to see, a longer one to act on, and one of hours that swings around it cancel out in. Not
 * thread-safe.
 *
 * @param intervalMs observed time after which the rates to act on count as drawn anew, in milliseconds
 */
record RateDecays(ExponentialDecay recent, ExponentialDecay smoothed, ExponentialDecay longTerm, long intervalMs) {

    /** Two hours beside the five minutes of the default: some tens of swings of ten minutes. */
    private static final long LONG_TERM_OVER_SMOOTHED = 24;

    private static final long INTERVAL_OVER_SMOOTHED = 2;

    static RateDecays of(HeatConfig config) {
        return new RateDecays(
                new ExponentialDecay(config.recentHalfLifeMs()),
                new ExponentialDecay(config.halfLifeMs()),
                new ExponentialDecay(LONG_TERM_OVER_SMOOTHED * config.halfLifeMs()),
                INTERVAL_OVER_SMOOTHED * config.halfLifeMs());
    }

    /**
     * How fast heat forgets: events and the time they took both lose half their weight in every half-life of observed time, and
     * a rate is the one over the other.
     *
     * <p>The weight of an observed time {@code T} is then {@code 1 - 2^(-T / half-life)} in closed form, whatever samples it was
     * cut into. So a rate needs no sum of its own beside it: the mean of an older and a newer stretch of time follows from their
     * two rates and two times. It is unbiased from the first sample on (no ramp from 0), a steady rate gives the same however
     * time was cut, gaps in which nothing was observed do not age it, and another half-life can take over at any time. Within a
     * sample events are taken as evenly spread. The maths is the forward-decayed mean (Cormode, Shkapenyuk, Srivastava and Xu,
     * "Forward Decay", ICDE 2009) with an exponential decay.
     *
     * <p>Remembers the last two weights: the regions of one report are all seen for as long, and most have been for as long before. Not
     * thread-safe.
     */
    static final class ExponentialDecay {

        private static final double LN_2 = Math.log(2);

        private final long halfLifeMs;
        private final LastWeight ofNewer = new LastWeight();
        private final LastWeight ofAll = new LastWeight();

        /** @param halfLifeMs in milliseconds, above 0 */
        ExponentialDecay(long halfLifeMs) {
            if (halfLifeMs <= 0) {
                throw new IllegalArgumentException("The half-life is " + halfLifeMs + " ms: it must be above 0.");
            }
            this.halfLifeMs = halfLifeMs;
        }

        /** In milliseconds. */
        long halfLifeMs() {
            return halfLifeMs;
        }

        /** What is left of a weight after this much more observed time, 1 down to 0. */
        double kept(long ms) {
            return Math.exp(-LN_2 * ms / halfLifeMs);
        }

        /**
         * The share of the newer stretch in the mean of two, one after the other, 0 to 1.
         *
         * @param olderMs observed time of the older stretch, at least 0
         * @param newerMs observed time of the newer stretch, above 0
         */
        double shareOfNewer(long olderMs, long newerMs) {
            return ofNewer.of(newerMs) / ofAll.of(olderMs + newerMs);
        }

        /** The observed time that has the weight which {@code observedMs} has left after {@code ageMs} in which it was not seen. */
        long discounted(long observedMs, long ageMs) {
            double weight = (1 - kept(observedMs)) * kept(ageMs);
            return Math.min(observedMs, (long) (-Math.log1p(-weight) / LN_2 * halfLifeMs));
        }

        /** The weight of an observed time, and the last one that was asked for. */
        private final class LastWeight {

            private long observedMs;
            private double weight;

            double of(long ms) {
                if (ms != observedMs) {
                    observedMs = ms;
                    weight = -Math.expm1(-LN_2 * ms / halfLifeMs);
                }
                return weight;
            }
        }
    }
}
