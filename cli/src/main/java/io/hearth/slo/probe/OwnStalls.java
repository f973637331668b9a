// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.probe;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The last times at which this process itself stood still: a collection of garbage, a SIGSTOP, a machine that was suspended or had no
 * processor to spare. An answer that came meanwhile was seen only afterwards, so what a probe says of its target is in doubt if it ended
 * during a stall, or while what had piled up was worked off. For that a stall is taken to last twice as long, but for no more than
 * {@value #MAX_BACKLOG_MS} ms longer. Not thread-safe.
 */
final class OwnStalls {

    /** So much later than it was to run is a stall. */
    static final long LEAST_NANOS = 25_000_000;

    static final long MAX_BACKLOG_MS = 1_000;
    private static final long MAX_BACKLOG_NANOS = MAX_BACKLOG_MS * 1_000_000;

    /** Connections that broke while a machine was suspended are found to be broken within this time. */
    private static final long RECONNECT_NANOS = 5_000_000_000L;

    /** More than can matter for what has ended since the last turn. */
    private static final int REMEMBERED = 16;

    /**
     * A stall. Times are of a monotonic clock.
     *
     * @param startNanos when the process last ran, or was to wake up
     * @param endNanos when it ran again
     * @param backlogNanos until when what had piled up is worked off
     * @param suspended whether only the wall clock shows it, so that no latency is wrong, but connections may be broken
     */
    record Stall(long startNanos, long endNanos, long backlogNanos, boolean suspended) {

        long nanos() {
            return endNanos - startNanos;
        }
    }

    private final Deque<Stall> last = new ArrayDeque<>();
    private long expectedNanos;

    /** Without a stall. The process runs at this time, or is to wake up then. */
    OwnStalls(long expectedNanos) {
        this.expectedNanos = expectedNanos;
    }

    /** The process sleeps, and is to wake up at this time. */
    void sleepUntil(long nanos) {
        expectedNanos = nanos;
    }

    /**
     * The process runs at this time. To be called often while it does not sleep, or its work is taken for a stall.
     *
     * @return whether it has stood still since it last ran, or was to wake up
     */
    boolean runAt(long nanos) {
        long startNanos = expectedNanos;
        expectedNanos = nanos;
        boolean isStall = nanos - startNanos > LEAST_NANOS;
        if (isStall) {
            add(new Stall(startNanos, nanos, nanos + Math.min(nanos - startNanos, MAX_BACKLOG_NANOS), false));
        }
        return isStall;
    }

    /** The wall clock was set, or went on while the machine was suspended and the monotonic one stood. */
    void wallClockJumped(long startNanos, long endNanos) {
        add(new Stall(startNanos, endNanos, endNanos + RECONNECT_NANOS, true));
    }

    private void add(Stall stall) {
        if (last.size() == REMEMBERED) {
            last.removeFirst();
        }
        last.addLast(stall);
    }

    /** The latest stall that began while this was under way, and in or right after which it ended. */
    Optional<Stall> atTheEndOf(long sentNanos, long endedNanos) {
        return last.stream()
                .filter(stall -> sentNanos <= stall.startNanos()
                        && stall.startNanos() <= endedNanos
                        && endedNanos <= stall.backlogNanos())
                .reduce((earlier, later) -> later);
    }
}
