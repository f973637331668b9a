// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.deletion;

import io.hearth.common.model.NamedMetric;
import io.hearth.datanode.config.DeletionDelaySettings.DeletionDelayConfig;
import io.hearth.datanode.deletion.ReplicaDeletionDelay.DeletionDelayCounts.DeletionDelayCounter;
import io.hearth.datanode.deletion.Replicas.PendingDeletion;
import io.hearth.datanode.deletion.Replicas.ReplicaId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Delays the deletion of a replica that another one has replaced, so that a stream that still reads it learns of the new location
 * first.
 *
 * <p>Goals: a replica outlives its replacement by the delay. Constraints: an order to delete carries no reason, so that one waits
 * only if a client has opened the replica within the delay; a file's deletion never waits, nor that of a replica that this
 * DataNode found bad; nothing waits on a volume that failed or is short of space; no more waits than the limits allow; nothing that
 * waits is lost while the process can still act. Algorithm: {@link #admit} keeps those that may wait and hands back the rest,
 * {@link #doWork} deletes those that are due or in the way.
 *
 * <p>Times are milliseconds of one clock that never goes backwards. Thread-safe: {@link Replicas} is called outside the lock
 * for deletions.
 */
public final class ReplicaDeletionDelay {

    /** As many as the scanners of a DataNode find before it is taken out of service; the oldest are forgotten. */
    private static final int MOST_BAD = 10_000;

    private final Replicas replicas;
    private final Supplier<DeletionDelayConfig> config;

    private final RecentReads reads = new RecentReads();
    private final PendingDeletions pending = new PendingDeletions();
    private final Set<ReplicaId> bad = new LinkedHashSet<>();
    private final EnumMap<DeletionDelayCounter, Long> counts = new EnumMap<>(DeletionDelayCounter.class);
    private boolean isStopped;

    public ReplicaDeletionDelay(Replicas replicas, Supplier<DeletionDelayConfig> config) {
        this.replicas = replicas;
        this.config = config;
    }

    /** A client opens this block. Takes no lock. */
    public void opened(String blockPool, long blockId, long nowMs) {
        reads.opened(blockPool, blockId, nowMs);
    }

    /** This DataNode has found the replica bad: it does not wait, and is deleted now if it does. */
    public void foundBad(ReplicaId replica) {
        delete(remember(replica));
    }

    private synchronized List<PendingDeletion> remember(ReplicaId replica) {
        if (bad.size() >= MOST_BAD) {
            bad.remove(bad.iterator().next());
        }
        bad.add(replica);
        return take(DeletionDelayCounter.REPORTED_BAD, deletion -> deletion.replica()
                .equals(replica));
    }

    /** Whether this replica, whose deletion was ordered, waits from now on (or still); if not it is to be deleted now. */
    public synchronized boolean admit(ReplicaId replica, long bytes, long nowMs) {
        DeletionDelayConfig now = config.get();
        if (isStopped || now.delayMs() == 0) {
            pending.remove(replica);
            return false;
        }
        if (pending.contains(replica)) {
            return true;
        }
        return replicas.volumeOf(replica)
                .map(volume -> admit(new PendingDeletion(replica, bytes, volume, nowMs), now))
                .orElse(false);
    }

    private boolean admit(PendingDeletion deletion, DeletionDelayConfig now) {
        Optional<DeletionDelayCounter> obstacle = obstacle(deletion, now);
        obstacle.ifPresentOrElse(why -> count(why, 1), () -> {
            pending.add(deletion);
            count(DeletionDelayCounter.DELAYED, 1);
        });
        return obstacle.isEmpty();
    }

    /** Why this one may not wait. */
    private Optional<DeletionDelayCounter> obstacle(PendingDeletion deletion, DeletionDelayConfig now) {
        if (bad.remove(deletion.replica())) {
            return Optional.of(DeletionDelayCounter.REPORTED_BAD);
        }
        if (!isRead(deletion, now)) {
            return Optional.of(DeletionDelayCounter.NOT_READ);
        }
        if (isShortOfSpace(deletion.volume(), now)) {
            return Optional.of(DeletionDelayCounter.RELEASED_FOR_SPACE);
        }
        return pending.size() >= now.maxReplicas() || pending.bytes() + deletion.bytes() > now.maxBytes()
                ? Optional.of(DeletionDelayCounter.RELEASED_OVER_LIMIT)
                : Optional.empty();
    }

    private boolean isRead(PendingDeletion deletion, DeletionDelayConfig now) {
        ReplicaId replica = deletion.replica();
        return reads.isOpenedWithin(replica.blockPool(), replica.blockId(), now.delayMs(), deletion.sinceMs())
                || replicas.isHeldOpen(replica);
    }

    /** The replica is deleted by someone else: a file went. */
    public synchronized void forget(ReplicaId replica) {
        pending.remove(replica);
    }

    /** Whether the deletion of this one waits. */
    public synchronized boolean waits(ReplicaId replica) {
        return pending.contains(replica);
    }

    /** What waits in this block pool. */
    public synchronized Set<ReplicaId> pendingOf(String blockPool) {
        return pending.replicas(blockPool);
    }

    /** Deletes what is due and what is in the way; returns how many. */
    public int doWork(long nowMs) {
        DeletionDelayConfig now = config.get();
        return delete(takeDue(nowMs, now)) + delete(takeForSpace(now)) + delete(takeAboveLimits(now));
    }

    private synchronized List<PendingDeletion> takeAboveLimits(DeletionDelayConfig now) {
        return counted(DeletionDelayCounter.RELEASED_OVER_LIMIT, pending.takeAbove(now.maxReplicas(), now.maxBytes()));
    }

    private synchronized List<PendingDeletion> takeDue(long nowMs, DeletionDelayConfig now) {
        return counted(DeletionDelayCounter.RELEASED_IN_TIME, pending.takeDue(nowMs, now.delayMs()));
    }

    private synchronized List<PendingDeletion> takeForSpace(DeletionDelayConfig now) {
        Set<String> shortOfSpace = new HashSet<>(pending.volumes());
        shortOfSpace.removeIf(volume -> !isShortOfSpace(volume, now));
        return shortOfSpace.isEmpty()
                ? List.of()
                : take(DeletionDelayCounter.RELEASED_FOR_SPACE, deletion -> shortOfSpace.contains(deletion.volume()));
    }

    /** A volume whose free space can't be known counts as full. */
    private boolean isShortOfSpace(String volume, DeletionDelayConfig now) {
        OptionalLong free = replicas.freeBytes(volume);
        return free.isEmpty() || free.getAsLong() < now.minFreeBytes();
    }

    /** Deletes what waits in this block pool, which is about to stop; returns how many. */
    public int releaseBlockPool(String blockPool) {
        return delete(take(
                DeletionDelayCounter.RELEASED_AT_STOP,
                deletion -> deletion.replica().blockPool().equals(blockPool)));
    }

    /** Forgets what waits in this block pool, whose data are deleted as a whole. */
    public void dropBlockPool(String blockPool) {
        take(
                DeletionDelayCounter.DROPPED_WITH_BLOCK_POOL,
                deletion -> deletion.replica().blockPool().equals(blockPool));
    }

    /** Deletes all that waits, and lets nothing wait any more; returns how many. */
    public int stop() {
        synchronized (this) {
            isStopped = true;
        }
        return delete(take(DeletionDelayCounter.RELEASED_AT_STOP, any -> true));
    }

    /** The deletion delay failed somewhere: counts it, and deletes all that waits. */
    public void failed() {
        countFailure();
        delete(take(DeletionDelayCounter.RELEASED_AFTER_FAILURE, any -> true));
    }

    public synchronized void countFailure() {
        count(DeletionDelayCounter.FAILURES, 1);
    }

    public synchronized DeletionDelayCounts counts() {
        return DeletionDelayCounts.of(counts, pending);
    }

    private synchronized List<PendingDeletion> take(DeletionDelayCounter why, Predicate<PendingDeletion> which) {
        return counted(why, pending.take(which));
    }

    private List<PendingDeletion> counted(DeletionDelayCounter why, List<PendingDeletion> taken) {
        count(why, taken.size());
        return taken;
    }

    private void count(DeletionDelayCounter counter, long times) {
        counts.merge(counter, times, Long::sum);
    }

    private int delete(List<PendingDeletion> deletions) {
        Map<String, List<PendingDeletion>> deletionsByBlockPool = new LinkedHashMap<>();
        deletions.forEach(deletion -> deletionsByBlockPool
                .computeIfAbsent(deletion.replica().blockPool(), any -> new ArrayList<>())
                .add(deletion));
        deletionsByBlockPool.forEach(replicas::delete);
        return deletions.size();
    }

    /**
     * When a client last opened which block, in a table of fixed size: 1 MiB, whatever is read. Two blocks may share a place, by which
     * one that nobody reads can pass for one that is read, never the other way round. Thread-safe, without locks.
     */
    static final class RecentReads {

        private static final int PLACES = 1 << 18;

        /** Times are kept in units of 256 ms. */
        private static final int UNIT_SHIFT = 8;

        private final AtomicIntegerArray openedByPlace = new AtomicIntegerArray(PLACES);

        /** A client opens this block now. */
        void opened(String blockPool, long blockId, long nowMs) {
            openedByPlace.lazySet(place(blockPool, blockId), units(nowMs));
        }

        /** Whether a client has opened this block within so many milliseconds before now, or up to 511 more. */
        boolean isOpenedWithin(String blockPool, long blockId, long withinMs, long nowMs) {
            int opened = openedByPlace.get(place(blockPool, blockId));
            return opened != 0 && units(nowMs) - opened <= (withinMs >> UNIT_SHIFT) + 1;
        }

        /** Never 0, which is a place where nothing was opened. */
        private static int units(long ms) {
            return (int) (ms >> UNIT_SHIFT) | 1 << 31;
        }

        private static int place(String blockPool, long blockId) {
            long mixed = (blockId + blockPool.hashCode()) * 0x9E3779B97F4A7C15L;
            return (int) (mixed >>> 46);
        }
    }

    /** How often what has happened since the DataNode started, and what waits now. Immutable. */
    public record DeletionDelayCounts(
            Map<DeletionDelayCounter, Long> countByCounter, long pendingReplicas, long pendingBytes) {

        public DeletionDelayCounts {
            countByCounter = Map.copyOf(countByCounter);
        }

        static DeletionDelayCounts of(EnumMap<DeletionDelayCounter, Long> counts, PendingDeletions pending) {
            return new DeletionDelayCounts(counts, pending.size(), pending.bytes());
        }

        public long count(DeletionDelayCounter counter) {
            return countByCounter.getOrDefault(counter, 0L);
        }

        /** What is counted about delayed deletions, each in replicas unless it says otherwise. */
        public enum DeletionDelayCounter implements NamedMetric {
            DELAYED("Delayed", "Deletions that waited; one ordered twice counts once"),
            RELEASED_IN_TIME("ReleasedInTime", "Deletions made when their time was over"),
            RELEASED_FOR_SPACE("ReleasedForSpace", "Deletions made at once or early for want of free space"),
            RELEASED_OVER_LIMIT(
                    "ReleasedOverLimit", "Deletions made at once or early because too many, or too many bytes, waited"),
            NOT_READ("NotRead", "Deletions made at once because no client had opened the replica"),
            REPORTED_BAD(
                    "ReportedBad", "Deletions made at once or early because this DataNode had found the replica bad"),
            RELEASED_AT_STOP("ReleasedAtStop", "Deletions made because the DataNode or a block pool stopped"),
            RELEASED_AFTER_FAILURE("ReleasedAfterFailure", "Deletions made because the delay had failed"),
            DROPPED_WITH_BLOCK_POOL("DroppedWithBlockPool", "Deletions forgotten with their block pool"),
            FAILURES("Failures", "Times that the delay failed and HDFS went on without it");

            private final MetricText text;

            DeletionDelayCounter(String metric, String doc) {
                text = new MetricText(metric, doc);
            }

            @Override
            public MetricText text() {
                return text;
            }
        }
    }
}
