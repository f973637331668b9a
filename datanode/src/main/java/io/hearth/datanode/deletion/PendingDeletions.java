// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.deletion;

import io.hearth.datanode.deletion.Replicas.PendingDeletion;
import io.hearth.datanode.deletion.Replicas.ReplicaId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The deletions that wait, oldest first; no replica is in it twice. The clock never goes backwards from one addition to the
 * next. Not thread-safe.
 */
final class PendingDeletions {

    private final Map<ReplicaId, PendingDeletion> deletionByReplica = new LinkedHashMap<>();
    private long bytes;

    /** Adds this deletion unless its replica waits already, which keeps its earlier time then; returns whether it was added. */
    boolean add(PendingDeletion deletion) {
        if (deletionByReplica.putIfAbsent(deletion.replica(), deletion) != null) {
            return false;
        }
        bytes += deletion.bytes();
        return true;
    }

    boolean contains(ReplicaId replica) {
        return deletionByReplica.containsKey(replica);
    }

    /** Forgets this one, if it waits. */
    void remove(ReplicaId replica) {
        PendingDeletion removed = deletionByReplica.remove(replica);
        if (removed != null) {
            bytes -= removed.bytes();
        }
    }

    /** Takes out those that have waited for {@code delayMs}. */
    List<PendingDeletion> takeDue(long nowMs, long delayMs) {
        List<PendingDeletion> due = new ArrayList<>();
        for (PendingDeletion deletion : deletionByReplica.values()) {
            if (nowMs - deletion.sinceMs() < delayMs) {
                break;
            }
            due.add(deletion);
        }
        due.forEach(deletion -> remove(deletion.replica()));
        return due;
    }

    /** Takes out those for which this holds. */
    List<PendingDeletion> take(Predicate<PendingDeletion> which) {
        List<PendingDeletion> taken = new ArrayList<>();
        Iterator<PendingDeletion> all = deletionByReplica.values().iterator();
        while (all.hasNext()) {
            PendingDeletion deletion = all.next();
            if (which.test(deletion)) {
                all.remove();
                bytes -= deletion.bytes();
                taken.add(deletion);
            }
        }
        return taken;
    }

    /** Takes out the oldest until no more than so many, of so many bytes, are left. */
    List<PendingDeletion> takeAbove(long maxReplicas, long maxBytes) {
        List<PendingDeletion> taken = new ArrayList<>();
        Iterator<PendingDeletion> oldestFirst = deletionByReplica.values().iterator();
        while (deletionByReplica.size() > maxReplicas || bytes > maxBytes) {
            PendingDeletion oldest = oldestFirst.next();
            oldestFirst.remove();
            bytes -= oldest.bytes();
            taken.add(oldest);
        }
        return taken;
    }

    Set<ReplicaId> replicas(String blockPool) {
        return deletionByReplica.keySet().stream()
                .filter(replica -> replica.blockPool().equals(blockPool))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The volumes on which something waits. */
    List<String> volumes() {
        return deletionByReplica.values().stream()
                .map(PendingDeletion::volume)
                .distinct()
                .sorted()
                .toList();
    }

    int size() {
        return deletionByReplica.size();
    }

    long bytes() {
        return bytes;
    }
}
