// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Something that an operator wants to find in the log. Immutable.
 *
 * @param whenMs when it was noticed, in milliseconds since 1970
 * @param text one sentence, without its full stop
 */
public record TrackerEvent(long whenMs, Kind kind, String text) {

    /** What kinds of news there are. */
    public enum Kind {
        /** A planned move was not made: the region is free again, and its table's budget has the move back. */
        MOVE_DROPPED,
        /** A planned region turned up elsewhere than planned, or nowhere. */
        MOVE_MISDIRECTED,
        /** A planned region did not open at its target and is left alone for a time: the move counts for its table's budget. */
        MOVE_NOT_OPENED,
        /** A region went to and fro and is left alone for a time. */
        REGION_OSCILLATING,
        /** A region that was moved manually stays where it was put. */
        MANUAL_PIN_SET,
        /** A region that was moved manually is not pinned. */
        MANUAL_MOVE_NOT_PINNED,
        /** Many manual moves are the emptying or filling of a server, and none of them pins. */
        BULK_MOVE,
        /** A region that was moved manually may be moved again. */
        MANUAL_PIN_ENDED,
        /** A run came out otherwise than its plan said, because others have changed the cluster. */
        CLUSTER_CHANGED,
        /** A run came out otherwise than its plan said, because the load of regions has changed. */
        LOAD_CHANGED,
        /** A run came out otherwise than its plan said: the next ones of its group make fewer moves. */
        RUN_MISPREDICTED,
        /** Hearth only advises from now on, because somebody asked for it. */
        ADVISE_ONLY,
        /** Hearth may act again, or a group's runs make as many moves as before. */
        ACT_RESUMED
    }

    /** News that nobody has fetched yet; when nobody does, the oldest are lost. Not thread-safe. */
    static final class EventBuffer {

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
}
