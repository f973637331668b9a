// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/**
 * A clock that goes from event to event, in microseconds from 0. Events of one moment run in the order in which they were
 * scheduled, so that the same calls give the same run. Not thread-safe.
 */
final class SimulatedTime {

    private record Event(long micros, long number, Runnable action) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::micros).thenComparingLong(Event::number));
    private long nowMicros;
    private long nextNumber;

    long nowMicros() {
        return nowMicros;
    }

    long nowMs() {
        return nowMicros / 1_000;
    }

    /** Has this done then, or as soon as the clock moves if that is over. */
    void at(long micros, Runnable action) {
        events.add(new Event(Math.max(micros, nowMicros), nextNumber++, action));
    }

    void after(long micros, Runnable action) {
        at(nowMicros + micros, action);
    }

    /** Lets time pass until then, with all that happens by then. */
    void advanceTo(long micros) {
        advanceUntil(() -> false, micros);
    }

    /** Lets time pass until this holds, but no longer than until then. */
    void advanceUntil(BooleanSupplier holds, long micros) {
        while (!holds.getAsBoolean()) {
            Event next = events.peek();
            if (next == null || next.micros() > micros) {
                nowMicros = Math.max(nowMicros, micros);
                return;
            }
            events.remove();
            nowMicros = next.micros();
            next.action().run();
        }
    }
}
