// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.throttle;

import io.hearth.common.model.TokenBucket;
import io.hearth.healer.spi.NameNodeUsage;

/**
 * How much of the NameNode healing may use: a share of the time of one of its handlers, measured by how long its own calls take,
 * and so many calls a second at most. A call is paid for when it has been answered: a slow NameNode is asked less by itself. What was
 * saved up in a second may be used at once. Regular calls are paid for first, with half of the time at most: the other half is left for
 * files and blocks, which would never be asked for again where regular calls alone take longer. Not thread-safe; times are milliseconds of
 * any one clock that does not go back.
 */
public final class NameNodeBudget {

    private static final long SAVED_MS = 1_000;
    private static final long MICROS_PER_SECOND = 1_000_000;

    /** Regular calls are paid for with half of what has come in for so long at most, in milliseconds: they are made that often. */
    private static final long REGULAR_MS = 10_000;

    /** The weight of a call among those before it: some tens of calls tell how long one takes. */
    private static final double NEWEST = 0.05;

    private final NameNodeUsage usage;
    private final TokenBucket handlerMicros = new TokenBucket(SAVED_MS);
    private final TokenBucket calls = new TokenBucket(SAVED_MS);
    /** What regular calls may still be paid for with. */
    private final TokenBucket regularMicros = new TokenBucket(REGULAR_MS);

    private long knownCalls;
    private long knownMicros;
    private long knownRegularMicros;
    private double microsPerCall;
    private long microsEachSecond = MICROS_PER_SECOND;
    private long callsEachSecond = Long.MAX_VALUE / MICROS_PER_SECOND;

    public NameNodeBudget(NameNodeUsage usage) {
        this.usage = usage;
        this.knownCalls = usage.calls();
        this.knownMicros = usage.micros();
        this.knownRegularMicros = usage.regularMicros();
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
        payRegular(nowMs);
        pay(nowMs);
        return handlerMicros.canAcquire(microsEachSecond, nowMs) && calls.canAcquire(callsEachSecond, nowMs);
    }

    /** The calls for files and blocks that it is worth a second, by what one took lately; above 0. */
    public double callsPerSecond() {
        double byTime = microsPerCall == 0 ? callsEachSecond : microsEachSecond / microsPerCall;
        return Math.min(callsEachSecond, byTime);
    }

    /** How long the longest call since the last time took, in milliseconds; 0 where there was none. */
    public long takeLongestMs() {
        return usage.takeLongestMicros() / 1_000;
    }

    private void payRegular(long nowMs) {
        long newMicros = usage.regularMicros() - knownRegularMicros;
        if (newMicros == 0) {
            return;
        }
        knownRegularMicros += newMicros;
        long paidMicros = regularMicros.takeUpTo(newMicros, Math.max(1, microsEachSecond / 2), nowMs);
        handlerMicros.charge(paidMicros, microsEachSecond, nowMs);
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
