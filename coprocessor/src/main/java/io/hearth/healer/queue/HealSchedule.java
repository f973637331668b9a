// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.queue;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.healer.queue.HealRanking.HealPriority;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The regions that wait, in the order of their times, and those whose time has come, in the order of their priorities, apart
 * for each server: where a server's DataNode has its hands full the best region of another one is next. Not thread-safe.
 *
 * <p>To add, replace or take a region costs O(log n). A heap can't remove from its middle in less than a pass over all of it,
 * so that an entry stays in its heap when its region changes, and is dropped when it comes to the heap's head (lazy deletion),
 * or when most entries are such. An entry counts as long as its {@link QueuedRegion} is the very object that the queue holds of
 * that region, so that nothing but the queue's own map is kept for each region.
 */
final class HealSchedule {

    private record Waiting(QueuedRegion queued, HealPriority priority) {

        ServerId server() {
            return queued.region().server();
        }
    }

    /** Few enough that to go through them is nothing. */
    private static final int STALE_KEPT = 1_000;

    private final Map<EncodedRegionName, QueuedRegion> current;
    private final PriorityQueue<Waiting> byTime =
            new PriorityQueue<>(Comparator.comparingLong(waiting -> waiting.queued.dueMs()));
    /** The heads are never stale. */
    private final Map<ServerId, PriorityQueue<Waiting>> dueByServer = new HashMap<>();
    /** The best of each server that has any. */
    private final TreeMap<HealPriority, Waiting> firstOfServers = new TreeMap<>();
    /** The entries of all heaps. */
    private int entries;

    /** The time it knows of: what was due then needs no place in the order of times. */
    private long latestMs = Long.MIN_VALUE;

    /** @param current what the queue holds of each region; it is read only */
    HealSchedule(Map<EncodedRegionName, QueuedRegion> current) {
        this.current = current;
    }

    /** Takes all out, at this time. */
    void clear(long nowMs) {
        byTime.clear();
        dueByServer.clear();
        firstOfServers.clear();
        entries = 0;
        latestMs = nowMs;
    }

    /** The queue holds this one no more. */
    void replaced(QueuedRegion before) {
        PriorityQueue<Waiting> ofServer = dueByServer.get(before.region().server());
        Waiting first = ofServer == null ? null : ofServer.peek();
        if (first != null && first.queued == before) {
            firstOfServers.remove(first.priority);
            showFirst(ofServer);
        }
    }

    /** Takes in what the queue holds of a region now; not the same object twice. */
    void put(QueuedRegion queued, HealPriority priority) {
        if (entries > STALE_KEPT + 2 * current.size()) {
            dropAllStale();
        }
        Waiting waiting = new Waiting(queued, priority);
        entries++;
        if (queued.dueMs() <= latestMs) {
            admit(waiting);
        } else {
            byTime.add(waiting);
        }
    }

    boolean hasDue(long nowMs) {
        admitDue(nowMs);
        return !firstOfServers.isEmpty();
    }

    /** The first of the regions whose time has come, of those on servers that have room; it is taken out. */
    Optional<QueuedRegion> take(long nowMs, Predicate<ServerId> hasRoom) {
        admitDue(nowMs);
        Optional<Waiting> first = firstOfServers.values().stream()
                .filter(waiting -> hasRoom.test(waiting.server()))
                .findFirst();
        first.ifPresent(this::takeOut);
        return first.map(waiting -> waiting.queued);
    }

    /** It is so late now: what is due is put among what is due on its server. */
    void admitDue(long nowMs) {
        latestMs = nowMs;
        while (!byTime.isEmpty() && byTime.element().queued.dueMs() <= nowMs) {
            Waiting due = byTime.remove();
            if (isStale(due)) {
                entries--;
            } else {
                admit(due);
            }
        }
    }

    private void admit(Waiting due) {
        PriorityQueue<Waiting> ofServer = dueByServer.computeIfAbsent(
                due.server(), server -> new PriorityQueue<>((one, other) -> one.priority.compareTo(other.priority)));
        Waiting first = ofServer.peek();
        ofServer.add(due);
        if (first == null || due.priority.compareTo(first.priority) < 0) {
            if (first != null) {
                firstOfServers.remove(first.priority);
            }
            firstOfServers.put(due.priority, due);
        }
    }

    /** The first of its server. */
    private void takeOut(Waiting first) {
        firstOfServers.remove(first.priority);
        PriorityQueue<Waiting> ofServer = dueByServer.get(first.server());
        if (ofServer != null) {
            ofServer.remove();
            entries--;
        }
        showFirst(ofServer);
    }

    private void showFirst(@Nullable PriorityQueue<Waiting> ofServer) {
        if (ofServer != null) {
            dropStale(ofServer);
            Optional.ofNullable(ofServer.peek()).ifPresent(next -> firstOfServers.put(next.priority, next));
        }
    }

    private void dropStale(PriorityQueue<Waiting> heap) {
        while (!heap.isEmpty() && isStale(heap.element())) {
            heap.remove();
            entries--;
        }
    }

    private void dropAllStale() {
        byTime.removeIf(this::isStale);
        entries = byTime.size();
        for (PriorityQueue<Waiting> ofServer : dueByServer.values()) {
            ofServer.removeIf(this::isStale);
            entries += ofServer.size();
        }
    }

    private boolean isStale(Waiting waiting) {
        return current.get(waiting.queued.region().region()) != waiting.queued;
    }
}
