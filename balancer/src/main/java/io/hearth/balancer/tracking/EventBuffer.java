// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.tracking.TrackerEvent.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** News that nobody has fetched yet; when nobody does, the oldest are lost. Not thread-safe. */
final class EventBuffer {

    private static final int CAPACITY = 1_000;

    private final Deque<TrackerEvent> events = new ArrayDeque<>();

    void add(long whenMs, Kind kind, String text) {
        if (events.size() >= CAPACITY) {
            events.removeFirst();
        }
        events.addLast(new TrackerEvent(whenMs, kind, text));
    }

    List<TrackerEvent> take() {
        List<TrackerEvent> taken = List.copyOf(events);
        events.clear();
        return taken;
    }
}
