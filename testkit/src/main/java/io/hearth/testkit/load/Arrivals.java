// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * When the requests of an open loop are due, in nanoseconds after its start: each call says when the next one is. The rate may grow in a
 * straight line, and the times between requests are all alike or those of a Poisson process. Not thread-safe.
 *
 * <p>A Poisson process of any rate is one of rate 1 whose times are put where the rate has come to that number of requests (Çinlar,
 * <i>Introduction to Stochastic Processes</i>, 1975).
 */
public final class Arrivals implements LongSupplier {

    private final double from;
    private final double to;
    private final double rampSeconds;
    private final boolean isPoisson;
    private final SplittableRandom random;
    private double requests;

    /** How far apart requests are. */
    public enum Spacing {
        /** All alike. */
        STEADY,
        /** By chance, as those of many clients that know nothing of each other. */
        POISSON
    }

    private Arrivals(double from, double to, double rampSeconds, Spacing spacing, long seed) {
        this.from = from;
        this.to = to;
        this.rampSeconds = rampSeconds;
        isPoisson = spacing == Spacing.POISSON;
        random = new SplittableRandom(seed);
        requests = isPoisson ? exponential() : 0;
    }

    /** Requests at a constant rate, the first at the start if they are steady. */
    public static Arrivals of(double perSecond, Spacing spacing, long seed) {
        return new Arrivals(perSecond, perSecond, 0, spacing, seed);
    }

    /** The same at a rate that grows, or falls, for so many seconds, and stays then. */
    static Arrivals ramp(double from, double to, double seconds, Spacing spacing, long seed) {
        return new Arrivals(from, to, seconds, spacing, seed);
    }

    private double exponential() {
        return -Math.log(1 - random.nextDouble());
    }

    @Override
    public long getAsLong() {
        double due = secondsUntil(requests);
        requests += isPoisson ? exponential() : 1;
        return (long) (due * 1e9);
    }

    /** When the rate has come to so many requests. */
    private double secondsUntil(double number) {
        double ofRamp = (from + to) / 2 * rampSeconds;
        if (number >= ofRamp) {
            return rampSeconds + (number - ofRamp) / to;
        }
        double growth = (to - from) / rampSeconds;
        return growth == 0 ? number / to : (Math.sqrt(from * from + 2 * growth * number) - from) / growth;
    }
}
