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
 * for each server: where a server's DataNode has its hands full the best region of another one is next. Each region is in it
 * at most once. Not thread-safe.
 *
 * <p>To add, remove or take a region costs O(log n). A heap can't remove from its middle in less than a pass over all of it,
 * so that a region that was removed stays in its heap and is dropped when it comes to its head (lazy deletion), or when more
 * entries are removed ones than not.
 */
final class HealSchedule {

    private static final class Waiting {

        private final QueuedRegion queued;
        private final HealPriority priority;
        private boolean removed;

        private Waiting(QueuedRegion queued, HealPriority priority) {
            this.queued = queued;
            this.priority = priority;
        }

        private EncodedRegionName region() {
            return queued.region().region();
        }

        private ServerId server() {
            return queued.region().server();
        }

        private boolean isRemoved() {
            return removed;
        }
    }

    /** Few enough that to go through them is nothing. */
    private static final int REMOVED_KEPT = 1_000;

    private final Map<EncodedRegionName, Waiting> waitingById = new HashMap<>();
    private final PriorityQueue<Waiting> byTime =
            new PriorityQueue<>(Comparator.comparingLong(waiting -> waiting.queued.dueMs()));
    private final Map<ServerId, PriorityQueue<Waiting>> dueByServer = new HashMap<>();
    /** The best of each server that has any; never a removed one. */
    private final TreeMap<HealPriority, Waiting> firstOfServers = new TreeMap<>();
    /** At most so many entries of the heaps are removed ones. */
    private int removed;

    void clear() {
        waitingById.clear();
        byTime.clear();
        dueByServer.clear();
        firstOfServers.clear();
        removed = 0;
    }

    /** Takes this region out, if it is there. */
    void remove(EncodedRegionName region) {
        Waiting waiting = waitingById.remove(region);
        if (waiting != null) {
            takeOut(waiting);
        }
    }

    /** Takes a region in, in the place of what was there of it. */
    void put(QueuedRegion queued, HealPriority priority) {
        Waiting waiting = new Waiting(queued, priority);
        Waiting before = waitingById.put(waiting.region(), waiting);
        if (before != null) {
            takeOut(before);
        }
        byTime.add(waiting);
    }

    boolean hasDue(long nowMs) {
        admit(nowMs);
        return !firstOfServers.isEmpty();
    }

    /** The first of the regions whose time has come, of those on servers that have room; it is taken out. */
    Optional<QueuedRegion> take(long nowMs, Predicate<ServerId> hasRoom) {
        admit(nowMs);
        Optional<Waiting> first = firstOfServers.values().stream()
                .filter(waiting -> hasRoom.test(waiting.server()))
                .findFirst();
        first.ifPresent(waiting -> remove(waiting.region()));
        return first.map(waiting -> waiting.queued);
    }

    private void admit(long nowMs) {
        while (!byTime.isEmpty() && byTime.element().queued.dueMs() <= nowMs) {
            Waiting due = byTime.remove();
            if (!due.removed) {
                PriorityQueue<Waiting> ofServer = dueByServer.computeIfAbsent(
                        due.server(),
                        server -> new PriorityQueue<>((one, other) -> one.priority.compareTo(other.priority)));
                dropRemoved(ofServer);
                Waiting first = ofServer.peek();
                ofServer.add(due);
                if (first == null || due.priority.compareTo(first.priority) < 0) {
                    if (first != null) {
                        firstOfServers.remove(first.priority);
                    }
                    firstOfServers.put(due.priority, due);
                }
            }
        }
    }

    private void takeOut(Waiting waiting) {
        waiting.removed = true;
        removed++;
        if (firstOfServers.remove(waiting.priority, waiting)) {
            showFirst(dueByServer.get(waiting.server()));
        }
        if (removed > REMOVED_KEPT + waitingById.size()) {
            byTime.removeIf(Waiting::isRemoved);
            dueByServer.values().forEach(ofServer -> ofServer.removeIf(Waiting::isRemoved));
            removed = 0;
        }
    }

    private void showFirst(@Nullable PriorityQueue<Waiting> ofServer) {
        if (ofServer != null) {
            dropRemoved(ofServer);
            Optional.ofNullable(ofServer.peek()).ifPresent(next -> firstOfServers.put(next.priority, next));
        }
    }

    private static void dropRemoved(PriorityQueue<Waiting> heap) {
        while (!heap.isEmpty() && heap.element().removed) {
            heap.remove();
        }
    }
}
