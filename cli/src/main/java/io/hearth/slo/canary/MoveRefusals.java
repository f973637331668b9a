// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.canary;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Which servers did not take the region that was moved to them, as those of another group of servers do not: they are left alone for a
 * minute after the first time, and twice as long after each further one, up to an hour. Time is that of {@link System#nanoTime}. Used by
 * one thread.
 */
public final class MoveRefusals {

    private static final long FIRST_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long MAX_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Map<String, Refusal> refusals = new HashMap<>();

    private record Refusal(long untilNanos, long pauseNanos) {}

    /** None has refused. */
    public MoveRefusals() {}

    /** The region went elsewhere. */
    public void refused(String server, long nowNanos) {
        Refusal last = refusals.get(server);
        long pauseNanos = last == null ? FIRST_NANOS : Math.min(2 * last.pauseNanos(), MAX_NANOS);
        refusals.put(server, new Refusal(nowNanos + pauseNanos, pauseNanos));
    }

    /** Others than these have a region, or are gone: nothing is kept of them. */
    public void retain(Set<String> serversWithout) {
        refusals.keySet().retainAll(serversWithout);
    }

    /** Those that are left alone now. */
    public Set<String> refusing(long nowNanos) {
        return refusals.entrySet().stream()
                .filter(entry -> entry.getValue().untilNanos() - nowNanos > 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }
}
