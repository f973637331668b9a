package io.hearth.healing.trigger;

import io.hearth.balancer.load.ServerId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The regions that wait, in the order of their times, and those whose time has come, in the order of their priorities, apart
 * for each server: where a server's DataNode has its hands full the best region of another one is next. Each region is in it
 * at most once. Not thread-safe.
 */
final class HealAgenda {

    private record Waiting(QueuedRegion queued, HealPriority priority) {

        ServerId server() {
            return queued.region().server();
        }
    }

    private final PriorityQueue<Waiting> byTime = new PriorityQueue<>(
            Comparator.comparingLong(waiting -> waiting.queued().dueMs()));
    private final Map<ServerId, PriorityQueue<Waiting>> dueByServer = new HashMap<>();
    /** The best of each server that has any. */
    private final TreeMap<HealPriority, Waiting> firstOfServers = new TreeMap<>();

    void clear() {
        byTime.clear();
        dueByServer.clear();
        firstOfServers.clear();
    }

    void add(QueuedRegion queued, HealPriority priority) {
        byTime.add(new Waiting(queued, priority));
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
        first.ifPresent(this::takeOut);
        return first.map(Waiting::queued);
    }

    private void admit(long nowMs) {
        while (!byTime.isEmpty() && byTime.element().queued().dueMs() <= nowMs) {
            Waiting due = byTime.remove();
            PriorityQueue<Waiting> ofServer = dueByServer.computeIfAbsent(
                    due.server(), server -> new PriorityQueue<>(Comparator.comparing(Waiting::priority)));
            if (!ofServer.isEmpty()) {
                firstOfServers.remove(ofServer.element().priority());
            }
            ofServer.add(due);
            firstOfServers.put(ofServer.element().priority(), ofServer.element());
        }
    }

    private void takeOut(Waiting first) {
        firstOfServers.remove(first.priority());
        PriorityQueue<Waiting> ofServer = dueByServer.get(first.server());
        if (ofServer != null) {
            ofServer.remove();
            Optional.ofNullable(ofServer.peek()).ifPresent(next -> firstOfServers.put(next.priority(), next));
        }
    }
}
