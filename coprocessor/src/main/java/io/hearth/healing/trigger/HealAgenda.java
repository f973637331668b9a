package io.hearth.healing.trigger;

import io.hearth.balancer.load.ServerId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * The regions that wait, in the order of their times, and those whose time has come, in the order of their priorities, apart
 * for each server: where a server's DataNode has its hands full the best region of another one is next. What has changed
 * since it was put in is left out when it is met. Not thread-safe.
 */
final class HealAgenda {

    private record Waiting(QueuedRegion queued, HealPriority priority) {}

    private final PriorityQueue<Waiting> byTime = new PriorityQueue<>(
            Comparator.comparingLong(waiting -> waiting.queued().dueMs()));
    private final Map<ServerId, PriorityQueue<Waiting>> dueByServer = new HashMap<>();
    private final Predicate<QueuedRegion> isCurrent;

    /** @param isCurrent whether a region still stands as it did when it was put in */
    HealAgenda(Predicate<QueuedRegion> isCurrent) {
        this.isCurrent = isCurrent;
    }

    void clear() {
        byTime.clear();
        dueByServer.clear();
    }

    void add(QueuedRegion queued, HealPriority priority) {
        byTime.add(new Waiting(queued, priority));
    }

    /** The first of the regions whose time has come, of those on servers that have room; it is taken out. */
    Optional<QueuedRegion> take(long nowMs, Predicate<ServerId> hasRoom) {
        admit(nowMs);
        Optional<PriorityQueue<Waiting>> best = dueByServer.entrySet().stream()
                .filter(entry -> headIsCurrent(entry.getValue()) && hasRoom.test(entry.getKey()))
                .map(Map.Entry::getValue)
                .min(Comparator.comparing(due -> due.element().priority()));
        return best.map(due -> due.remove().queued());
    }

    private void admit(long nowMs) {
        while (!byTime.isEmpty() && byTime.element().queued().dueMs() <= nowMs) {
            Waiting due = byTime.remove();
            if (isCurrent.test(due.queued())) {
                dueByServer
                        .computeIfAbsent(due.queued().region().server(), HealAgenda::newHeap)
                        .add(due);
            }
        }
    }

    private static PriorityQueue<Waiting> newHeap(ServerId server) {
        return new PriorityQueue<>(Comparator.comparing(Waiting::priority));
    }

    /** Drops what has changed from the head; false if nothing is left. */
    private boolean headIsCurrent(PriorityQueue<Waiting> due) {
        while (!due.isEmpty() && !isCurrent.test(due.element().queued())) {
            due.remove();
        }
        return !due.isEmpty();
    }
}
