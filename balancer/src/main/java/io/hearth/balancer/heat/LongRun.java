package io.hearth.balancer.heat;

/**
 * What one region carries in the long run, and by how much its rates swing around that: a mean over hours ({@link
 * Horizons#longRun}), and the variance of the rates of the last minute, from the differences of rates that are {@link
 * Horizons#lagMs} apart (half the mean square successive difference, von Neumann 1941), which a slow rise or fall hardly touches. It
 * begins anew where a shift was found that is no swing. Packed, one for each region; not thread-safe.
 */
final class LongRun {

    /** What nothing is known of yet counts as this many differences. */
    private static final double LAGS_BEFORE = 3;

    /** The standard deviation of something that is anywhere between 40 and 160 % of its mean. */
    private static final double SWING_BEFORE = 0.35;

    /** A mean over this many half-lives is as good as one over any more. */
    private static final double WEIGHT_OF_ALL = 2 / Math.log(2);

    private float meanReads;
    private float meanWrites;
    private float varianceReads;
    private float varianceWrites;
    private float lagReads;
    private float lagWrites;
    private long observedMs;
    private long comparedMs;
    private long lagMs;
    private boolean hasLag;

    /** Adds what was seen in this time. */
    void learn(Rates seen, Rates recent, long elapsedMs, Horizons horizons) {
        double share = horizons.longRun().shareOfNewer(observedMs, elapsedMs);
        setMean(mean().towards(seen, share));
        observedMs += elapsedMs;
        lagMs += elapsedMs;
        if (lagMs >= horizons.lagMs()) {
            if (hasLag) {
                compare(recent, horizons);
            }
            lagReads = (float) recent.readsPerSecond();
            lagWrites = (float) recent.writesPerSecond();
            hasLag = true;
            lagMs = 0;
        }
    }

    private void compare(Rates recent, Horizons horizons) {
        double share = horizons.longRun().shareOfNewer(comparedMs, lagMs);
        varianceReads = towards(varianceReads, recent.readsPerSecond() - lagReads, meanReads, share);
        varianceWrites = towards(varianceWrites, recent.writesPerSecond() - lagWrites, meanWrites, share);
        comparedMs += lagMs;
    }

    /** A difference of more than the mean is a shift, and counts as one of the mean. */
    private static float towards(float variance, double difference, float mean, double share) {
        double most = Math.min(Math.abs(difference), mean);
        return (float) (variance + (most * most / 2 - variance) * share);
    }

    /**
     * From now on these rates are what is known, as if seen for one lag. How much they swing stays, unless they are so much more
     * or less that nothing is known of that.
     */
    void beginAnew(Rates recent, Horizons horizons) {
        if (isOfAnotherSize(recent.readsPerSecond(), meanReads)
                || isOfAnotherSize(recent.writesPerSecond(), meanWrites)) {
            varianceReads = 0;
            varianceWrites = 0;
            comparedMs = 0;
        }
        setMean(recent);
        observedMs = horizons.lagMs();
        hasLag = false;
        lagMs = 0;
    }

    private static boolean isOfAnotherSize(double now, double before) {
        return now > 2 * before || now < before / 2;
    }

    /** What is known from elsewhere, where nothing is known here yet. */
    void beginWith(Rates past, Horizons horizons) {
        if (observedMs == 0) {
            beginAnew(past, horizons);
        }
    }

    Rates mean() {
        return new Rates(meanReads, meanWrites);
    }

    /**
     * The variance of the rates of the last minute around this mean, that of the mean itself included. A few differences say little:
     * swings of {@value #SWING_BEFORE} of the mean count as {@value #LAGS_BEFORE} more.
     */
    Rates varianceOfDifference(Horizons horizons) {
        double lags = (double) comparedMs / horizons.lagMs();
        double before = LAGS_BEFORE / (lags + LAGS_BEFORE);
        Rates swing = new Rates(square(SWING_BEFORE * meanReads), square(SWING_BEFORE * meanWrites));
        return variance().towards(swing, before).times(1 + 1 / draws(horizons));
    }

    /** The variance of the mean, by what was seen. */
    Rates varianceOfMean(Horizons horizons) {
        return variance().times(1 / draws(horizons));
    }

    private static double square(double value) {
        return value * value;
    }

    /** How many rates that are independent of each other the mean is made of. */
    private double draws(Horizons horizons) {
        double most = WEIGHT_OF_ALL * horizons.longRun().halfLifeMs();
        return Math.max(1, Math.min(observedMs, most) / horizons.lagMs());
    }

    private Rates variance() {
        return new Rates(varianceReads, varianceWrites);
    }

    private void setMean(Rates rates) {
        meanReads = (float) rates.readsPerSecond();
        meanWrites = (float) rates.writesPerSecond();
    }
}
