// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.throttle;

import io.hearth.common.model.TokenBucket;
import io.hearth.healer.spi.NameNodeUsage;

/**
 * How much of the NameNode healing may use: a share of the time of one of its handlers, measured by how long its own calls take,
 * and so many calls a second at most. A call is paid for when it has been answered: a slow NameNode is asked less by itself. What was
 * saved up in a second may be used at once. Not thread-safe; times are milliseconds of any one clock that does not go back.
 */
public final class NameNodeBudget {

    private static final long SAVED_MS = 1_000;
    private static final long MICROS_PER_SECOND = 1_000_000;

    /** The weight of a call among those before it: some tens of calls tell how long one takes. */
    private static final double NEWEST = 0.05;

    private final NameNodeUsage usage;
    private final TokenBucket handlerMicros = new TokenBucket(SAVED_MS);
    private final TokenBucket calls = new TokenBucket(SAVED_MS);
    private long knownCalls;
    private long knownMicros;
    private double microsPerCall;
    private long microsEachSecond = MICROS_PER_SECOND;
    private long callsEachSecond = Long.MAX_VALUE / MICROS_PER_SECOND;

    public NameNodeBudget(NameNodeUsage usage) {
        this.usage = usage;
        this.knownCalls = usage.calls();
        this.knownMicros = usage.micros();
    }

    /**
     * Sets what may be used from now on.
     *
     * @param share of one handler's time, above 0 and at most 1
     * @param mostCalls a second, above 0
     */
    public void set(double share, int mostCalls) {
        microsEachSecond = Math.max(1, Math.round(share * MICROS_PER_SECOND));
        callsEachSecond = mostCalls;
    }

    /** Whether one more call may be made now. */
    public boolean mayCall(long nowMs) {
        pay(nowMs);
        return handlerMicros.canAcquire(microsEachSecond, nowMs) && calls.canAcquire(callsEachSecond, nowMs);
    }

    /** The calls that it is worth a second, by what a call took lately; above 0. */
    public double callsPerSecond() {
        double byTime = microsPerCall == 0 ? callsEachSecond : microsEachSecond / microsPerCall;
        return Math.min(callsEachSecond, byTime);
    }

    /** How long the longest call since the last time took, in milliseconds; 0 where there was none. */
    public long takeLongestMs() {
        return usage.takeLongestMicros() / 1_000;
    }

    private void pay(long nowMs) {
        long newCalls = usage.calls() - knownCalls;
        long newMicros = usage.micros() - knownMicros;
        if (newCalls == 0) {
            return;
        }
        knownCalls += newCalls;
        knownMicros += newMicros;
        handlerMicros.charge(newMicros, microsEachSecond, nowMs);
        calls.charge(newCalls, callsEachSecond, nowMs);
        double each = (double) newMicros / newCalls;
        double weight = microsPerCall == 0 ? 1 : 1 - Math.pow(1 - NEWEST, newCalls);
        microsPerCall += (each - microsPerCall) * weight;
    }
}
