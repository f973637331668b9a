// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.common.model.ServerId;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The RegionServers that flap: that were restarted {@value #RESTARTS} times within an hour, as by a script that starts again whatever
 * dies. Each death makes all its regions move, and what is given to such a server moves again soon.
 *
 * <p>A restart is a start code that was not there before, at a host and port where another one was. A server flaps from its third restart
 * within an hour until an hour after its last one. Where more than a third of all servers do, somebody restarts the cluster, and none
 * counts. It remembers what this HMaster has seen, and nothing from before it became active.
 *
 * <p>Times are milliseconds of a clock that nobody sets. Thread-safe.
 */
final class FlappingServers {

    static final int RESTARTS = 3;
    static final long HOUR_MS = 3_600_000;

    private static final String WHY =
            "it was restarted " + RESTARTS + " times within an hour, and gets none until an hour after the last";

    private final Map<Place, Seen> seenByPlace = new HashMap<>();
    private SortedMap<ServerId, String> flapping = Collections.emptySortedMap();

    /** Where a server is, whichever process that is. */
    private record Place(String host, int port) {

        static Place of(ServerId server) {
            return new Place(server.host(), server.port());
        }
    }

    /** What was seen at one place. */
    private static final class Seen {

        private long startCode;
        private long lastSeenMs;
        /** The last ones, the latest last. */
        private final Deque<Long> restartsMs = new ArrayDeque<>();

        private Seen(long startCode) {
            this.startCode = startCode;
        }

        private void at(long nextStartCode, long nowMs) {
            // An older one is the same server by a report that was under way when it died.
            if (nextStartCode > startCode) {
                startCode = nextStartCode;
                restartsMs.addLast(nowMs);
                if (restartsMs.size() > RESTARTS) {
                    restartsMs.removeFirst();
                }
            }
            lastSeenMs = nowMs;
        }

        /** Whether the last three lie within an hour, and the last of them no longer ago than that. */
        private boolean isHeld(long nowMs) {
            return restartsMs.size() == RESTARTS
                    && restartsMs.getLast() - restartsMs.getFirst() <= HOUR_MS
                    && nowMs - restartsMs.getLast() <= HOUR_MS;
        }
    }

    /** Takes the servers that live now. */
    synchronized void observe(Collection<ServerId> live, long nowMs) {
        live.forEach(server -> seenByPlace
                .computeIfAbsent(Place.of(server), first -> new Seen(server.startCode()))
                .at(server.startCode(), nowMs));
        seenByPlace.values().removeIf(seen -> nowMs - seen.lastSeenMs > HOUR_MS);
        SortedMap<ServerId, String> held = new TreeMap<>();
        seenByPlace.forEach((place, seen) -> {
            if (seen.isHeld(nowMs)) {
                held.put(new ServerId(place.host(), place.port(), seen.startCode), WHY);
            }
        });
        flapping = ExcludedServers.isCommon(held.size(), live.size())
                ? Collections.emptySortedMap()
                : Collections.unmodifiableSortedMap(held);
    }

    /** Those that flap now, be they away for a moment or not, each with the reason as the end of a sentence. */
    synchronized SortedMap<ServerId, String> now() {
        return flapping;
    }

    /** Those of these servers. */
    SortedMap<ServerId, String> among(Set<ServerId> servers) {
        SortedMap<ServerId, String> all = now();
        if (all.isEmpty()) {
            return all;
        }
        SortedMap<ServerId, String> some = new TreeMap<>(all);
        some.keySet().retainAll(servers);
        return some;
    }
}
