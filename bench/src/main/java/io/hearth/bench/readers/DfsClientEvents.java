// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import java.util.List;
import java.util.Optional;

/**
 * What HDFS's clients have said of one folder's files: that they lost a replica and took another (a failover), or that they had
 * none left, waited and asked the NameNode (a stall). Immutable.
 */
record DfsClientEvents(List<Event> events) {

    /** What happened. */
    enum Kind {
        FAILOVER,
        STALL
    }

    /** @param nanoTime when it was said, by {@link System#nanoTime} */
    record Event(Kind kind, long nanoTime) {}

    DfsClientEvents {
        events = List.copyOf(events);
    }

    /** What a message of HDFS's client is, if it is one of these; a stall does not name its file, so those of all files count. */
    static Optional<Kind> kind(String message, String folder) {
        if (message.contains("Will get new block locations from namenode")) {
            return Optional.of(Kind.STALL);
        }
        return isFailover(message) && message.contains(folder) ? Optional.of(Kind.FAILOVER) : Optional.empty();
    }

    private static boolean isFailover(String message) {
        return message.startsWith("Connection failure:") || message.contains("add to deadNodes and continue");
    }

    int count(Kind kind, long fromNanos, long toNanos) {
        return (int) events.stream()
                .filter(event -> event.kind() == kind && isWithin(event, fromNanos, toNanos))
                .count();
    }

    /** Whether anything happened within this time. */
    boolean anyWithin(long fromNanos, long toNanos) {
        return events.stream().anyMatch(event -> isWithin(event, fromNanos, toNanos));
    }

    private static boolean isWithin(Event event, long fromNanos, long toNanos) {
        return event.nanoTime() - fromNanos >= 0 && toNanos - event.nanoTime() >= 0;
    }
}
