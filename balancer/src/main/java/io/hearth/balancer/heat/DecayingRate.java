package io.hearth.balancer.heat;

/**
 * A rate of events that forgets: events and the time they took both lose half their weight in every half-life of observed
 * time, and the rate is the one over the other.
 *
 * <p>So the rate is unbiased from the first sample on (no ramp from 0), a steady rate gives the same however time was cut
 * into samples, and gaps in which nothing was observed do not age it. Within a sample events are taken as evenly spread.
 * Rates are per second. The maths is the forward-decayed mean (Cormode, Shkapenyuk, Srivastava and Xu, "Forward Decay", ICDE
 * 2009) with an exponential decay. Not thread-safe.
 */
public final class DecayingRate {

    private final double meanLifeMs;
    private double events;
    private double elapsedMs;

    /** @param halfLifeMs observed time in which old samples lose half their weight, in milliseconds, above 0 */
    public DecayingRate(long halfLifeMs) {
        if (halfLifeMs <= 0) {
            throw new IllegalArgumentException("The half-life is " + halfLifeMs + " ms: it must be above 0.");
        }
        meanLifeMs = halfLifeMs / Math.log(2);
    }

    /** Adds what was seen in a stretch of time of {@code sampleMs} milliseconds, above 0. */
    public void add(long sampleEvents, long sampleMs) {
        double kept = Math.exp(-sampleMs / meanLifeMs);
        double weightMs = meanLifeMs * (1 - kept);
        events = events * kept + sampleEvents * weightMs / sampleMs;
        elapsedMs = elapsedMs * kept + weightMs;
    }

    /** Events per second; 0 before the first sample. */
    public double perSecond() {
        return elapsedMs == 0 ? 0 : events * 1000 / elapsedMs;
    }
}
