// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.probe;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/** How many probes of each kind had something happen to them that their results do not say. Thread-safe. */
public final class ProbeCounts {

    /** What may happen to a probe. */
    public enum Event {
        /** It was sent. */
        SENT,
        /** It was sent more than 5 ms after it was due, and counts from when it was due. */
        LATE,
        /** This process stood still when it was due, or when its answer may have come. It is not counted as due. */
        OWN_STALL,
        /** What it asked for was on another server, such as a region that was moved. It is not counted as due. */
        NOT_ON_TARGET
    }

    private static final int EVENTS = Event.values().length;

    private final AtomicLongArray counts = new AtomicLongArray(EVENTS * ProbeKind.values().length);

    void add(ProbeKind kind, Event event, long probes) {
        counts.addAndGet(place(kind, event), probes);
    }

    private static int place(ProbeKind kind, Event event) {
        return kind.ordinal() * EVENTS + event.ordinal();
    }

    /** Of one kind, since the start. */
    public long count(ProbeKind kind, Event event) {
        return counts.get(place(kind, event));
    }

    /** Of all kinds, since the start. */
    public long count(Event event) {
        return Arrays.stream(ProbeKind.values())
                .mapToLong(kind -> count(kind, event))
                .sum();
    }
}
