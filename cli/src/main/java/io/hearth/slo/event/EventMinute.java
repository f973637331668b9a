// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.event;

import java.util.List;

/**
 * What one daemon saw happen between two looks at the cluster, which are a minute apart. A minute in which nothing happened has an empty
 * list; one without any is unknown. Immutable.
 *
 * @param startMs the start of the minute of the second look, in ms since 1970, by the clock at the time
 * @param events bounded, as {@link EventFinder} has them
 */
public record EventMinute(long startMs, List<ClusterEvent> events) {

    private static final long MINUTE_MS = 60_000;

    /** Copies the list. */
    public EventMinute {
        events = List.copyOf(events);
    }

    /** The minute in which this time is. */
    public static EventMinute at(long nowMs, List<ClusterEvent> events) {
        return new EventMinute(Math.floorDiv(nowMs, MINUTE_MS) * MINUTE_MS, events);
    }
}
