// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.queue;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ExponentialBackoff;
import io.hearth.common.model.ServerId;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.queue.HealRanking.HealPriority;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The regions that may need healing, each once, with the time at which to list their blocks.
 *
 * <p>A region is due if it came to its server while we watched or if its reported locality is below the threshold, once it has
 * settled: it has been with its server for the settle time and no compaction runs on it. After its blocks were listed it
 * rests until its server changes, its reported locality changes, or a back-off that doubles has passed and the report is
 * still below the threshold (or the last attempt did not settle it). So where everything is local nothing is due, and where a
 * report stays low though the NameNode says otherwise the NameNode is asked less and less. A region that is not served just
 * now is forgotten until it is. What is due is handed out in the order of {@link HealRanking}.
 *
 * <p>It keeps only regions that something calls for, so that a poll of a cluster that is local costs two lookups for each
 * region, and nothing if it is the snapshot before. Not thread-safe; times are milliseconds of any one clock that does not go back.
 */
public final class HealQueue {

    private final Map<EncodedRegionName, QueuedRegion> queuedById = new HashMap<>();
    private final HealSchedule schedule = new HealSchedule(queuedById);
    private HealRanking ranking = HealRanking.none();
    private final Set<EncodedRegionName> requested = new HashSet<>();
    private AssignmentSnapshot last;
    /** The last snapshot that was taken in whole. */
    private AssignmentSnapshot lastApplied;

    private @Nullable QueueConfig lastConfig;
    private int open;
    private final Map<String, Long> remoteBytesByHost = new HashMap<>();
    /** What is not local of these regions as the NameNode says, in bytes; their servers may report as little already, later or never. */
    private final Map<EncodedRegionName, Long> remoteBytesById = new HashMap<>();

    /** A queue before its first poll, in which nothing counts as moved. */
    public HealQueue() {
        this(AssignmentSnapshot.EMPTY);
    }

    /** @param settled what an earlier queue {@linkplain #settled left}: what is elsewhere in the first poll has moved */
    public HealQueue(AssignmentSnapshot settled) {
        this.last = settled;
        this.lastApplied = settled;
    }

    /**
     * The last snapshot without the regions that wait for something: whoever begins with it finds these to have come to their
     * servers, and so lists their blocks, whatever is reported of them.
     */
    public AssignmentSnapshot settled() {
        if (lastApplied == AssignmentSnapshot.EMPTY) {
            return lastApplied;
        }
        return AssignmentSnapshot.of(
                lastApplied.servedById().values().stream()
                        .filter(region -> !isPending(queuedById.get(region.region())))
                        .toList(),
                lastApplied.unserved());
    }

    /**
     * Takes a snapshot in; returns what has changed since the one before.
     *
     * @param heat how hot a region is; asked for those alone that wait
     */
    public AssignmentDiff observe(
            AssignmentSnapshot snapshot, QueueConfig config, Function<EncodedRegionName, RegionHeat> heat, long nowMs) {
        if (snapshot == last && config.equals(lastConfig) && queuedById.isEmpty()) {
            return AssignmentDiff.EMPTY;
        }
        boolean isFirst = last == AssignmentSnapshot.EMPTY;
        AssignmentDiff diff = AssignmentDiff.between(last, snapshot);
        last = snapshot;
        lastConfig = config;
        schedule.clear(nowMs);
        diff.hostLeftByRegion().keySet().stream()
                .filter(region -> !snapshot.servedById().containsKey(region))
                .forEach(this::forget);
        for (ServedRegion region : snapshot.servedById().values()) {
            boolean moved = !diff.moved().isEmpty() && diff.moved().contains(region.region());
            // Nothing has moved it since the poll before, so that it has been there for as long as we watch.
            long servedSinceMs = isFirst || moved ? nowMs : nowMs - config.regionStableMs();
            consider(region, moved, servedSinceMs, config);
        }
        rank(heat);
        lastApplied = snapshot;
        return diff;
    }

    /** A person wants these regions to be checked now, before others and whatever came of the last attempt. */
    public void healNow(Set<EncodedRegionName> regions, QueueConfig config, long nowMs) {
        schedule.admitDue(nowMs);
        for (EncodedRegionName region : regions) {
            eligible(region).ifPresent(served -> {
                requested.add(region);
                enqueueNow(served, true, config, nowMs);
            });
        }
    }

    /**
     * Somebody knows better than these regions' servers, which report that they are local: those that nothing calls for yet,
     * and that have not moved on, are checked, after what is known to be remote.
     *
     * @param hostByRegion the host of the server whose report is doubted
     * @return how many are checked for that
     */
    public int recheck(Map<EncodedRegionName, String> hostByRegion, QueueConfig config, long nowMs) {
        List<ServedRegion> localityStale = hostByRegion.entrySet().stream()
                .filter(recheck -> !isPending(queuedById.get(recheck.getKey())))
                .flatMap(recheck ->
                        eligible(recheck.getKey())
                                .filter(served -> served.server().host().equals(recheck.getValue()))
                                .stream())
                .toList();
        localityStale.forEach(served -> {
            // What was healed of it may have gone again.
            remoteBytesById.remove(served.region());
            enqueueNow(served, requested.contains(served.region()), config, nowMs);
        });
        return localityStale.size();
    }

    /** The region as it is served now, unless its table forbids to heal it or somebody does. */
    private Optional<ServedRegion> eligible(EncodedRegionName region) {
        QueuedRegion queued = queuedById.get(region);
        if (queued == null) {
            return latest(region).filter(served -> served.mode() != TableHealingMode.OFF);
        }
        return queued.inProgress() || queued.region().mode() == TableHealingMode.OFF
                ? Optional.empty()
                : Optional.of(queued.region());
    }

    /** As if it had come and settled. */
    private void enqueueNow(ServedRegion served, boolean isRequested, QueueConfig config, long nowMs) {
        QueuedRegion now =
                DuePolicy.scheduled(QueuedRegion.arrived(served, true, nowMs - config.regionStableMs()), config);
        put(now);
        if (now.dueMs() != QueuedRegion.NEVER) {
            addToSchedule(now, isRequested);
        }
    }

    /** Whether the time has come for any region. */
    public boolean hasDue(long nowMs) {
        return schedule.hasDue(nowMs);
    }

    /** The first of the regions that are due on servers that have room for moves; it is in hand until it ends. */
    public Optional<ServedRegion> take(long nowMs, Predicate<ServerId> hasRoom) {
        Optional<QueuedRegion> due = schedule.take(nowMs, hasRoom);
        due.ifPresent(queued -> put(queued.taken()));
        return due.map(QueuedRegion::region);
    }

    /** The NameNode says that so many bytes of a region are not local where it is worked at. */
    public void listed(ServedRegion worked, long remoteBytes) {
        QueuedRegion queued = queuedById.get(worked.region());
        if (queued != null && queued.region().server().equals(worked.server())) {
            count(queued, -1);
            remoteBytesById.put(worked.region(), remoteBytes);
            count(queued, 1);
        }
    }

    /** So many more bytes of a region that was {@linkplain #listed listed} are local where it was worked at. */
    public void healed(ServedRegion worked, long bytes) {
        Long before = remoteBytesById.get(worked.region());
        if (before != null) {
            listed(worked, before - bytes);
        }
    }

    /** Says how the work on a region ended; a region that has changed its server meanwhile is passed over. */
    public void ended(ServedRegion worked, AttemptResult result, QueueConfig config, long nowMs) {
        QueuedRegion queued = queuedById.get(worked.region());
        if (queued != null && queued.inProgress() && queued.region().server().equals(worked.server())) {
            QueuedRegion next = DuePolicy.scheduled(queued.ended(result, nowMs), config);
            requested.remove(worked.region());
            put(next);
            addToSchedule(next);
        }
    }

    /** Takes a region back with which nothing was done. */
    public void putBack(ServedRegion region) {
        QueuedRegion queued = queuedById.get(region.region());
        if (queued != null && queued.inProgress()) {
            QueuedRegion waiting = queued.putBack();
            put(waiting);
            addToSchedule(waiting);
        }
    }

    /** Takes a region back with which nothing was done and nothing is to be done until then, or until the next poll. */
    public void defer(ServedRegion region, long untilMs) {
        QueuedRegion queued = queuedById.get(region.region());
        if (queued != null && queued.inProgress()) {
            QueuedRegion later = queued.putBack().dueAt(untilMs);
            put(later);
            addToSchedule(later);
        }
    }

    /** What held regions up has changed: those of which something is left are due again as after a first poll. */
    public void startOver(QueueConfig config, long nowMs) {
        schedule.clear(nowMs);
        List.copyOf(queuedById.values()).stream()
                .filter(queued -> !queued.inProgress())
                .filter(queued -> queued.lastResult()
                        .filter(AttemptResult::needsAnotherAttempt)
                        .isPresent())
                .forEach(queued -> put(DuePolicy.scheduled(queued.startingOver(), config)));
        queuedById.values().forEach(this::addToSchedule);
    }

    /** The region as it was at the last poll, if it is served. */
    public Optional<ServedRegion> latest(EncodedRegionName region) {
        return Optional.ofNullable(last.servedById().get(region));
    }

    /** Whether there was such a region at the last poll, served or not. */
    public boolean isKnown(EncodedRegionName region) {
        return last.servedById().containsKey(region) || last.unserved().contains(region);
    }

    /** The number of regions that wait for their first check on this server, for another one, or for their moves' end. */
    public int size() {
        return open;
    }

    /**
     * What is not local of those regions but for those whose last attempt won nothing: what the servers of a host report, or what a region was {@linkplain #listed listed} with and has
     * not been {@linkplain #healed healed} since, whichever is less; in bytes, for each host that has any.
     */
    public Map<String, Long> remoteBytesByHost() {
        return Collections.unmodifiableMap(remoteBytesByHost);
    }

    private void consider(ServedRegion region, boolean moved, long servedSinceMs, QueueConfig config) {
        QueuedRegion before = queuedById.isEmpty() ? null : queuedById.get(region.region());
        if (before == null && !moved && !DuePolicy.isBelowThreshold(region, config)) {
            return;
        }
        QueuedRegion now = before == null || moved
                ? QueuedRegion.arrived(region, moved, servedSinceMs)
                : before.withRegion(region);
        if (now.inProgress() || DuePolicy.needsAttempt(now, config)) {
            put(DuePolicy.scheduled(now, config));
        } else {
            forget(region.region());
        }
    }

    private void rank(Function<EncodedRegionName, RegionHeat> heat) {
        ranking = HealRanking.of(
                queuedById.values().stream().map(QueuedRegion::region).toList(), heat);
        queuedById.values().forEach(this::addToSchedule);
    }

    private void addToSchedule(QueuedRegion queued) {
        if (!queued.inProgress() && queued.dueMs() != QueuedRegion.NEVER) {
            addToSchedule(queued, requested.contains(queued.region().region()));
        }
    }

    private void addToSchedule(QueuedRegion queued, boolean isRequested) {
        HealPriority priority = ranking.priority(queued.region());
        schedule.put(queued, isRequested ? priority.first() : priority);
    }

    private void put(QueuedRegion queued) {
        QueuedRegion before = queuedById.put(queued.region().region(), queued);
        replaced(before);
        if (before != null && !remoteBytesById.isEmpty()) {
            followReport(before.region(), queued.region());
        }
        count(queued, 1);
    }

    private void forget(EncodedRegionName region) {
        requested.remove(region);
        replaced(queuedById.remove(region));
        remoteBytesById.remove(region);
    }

    /** More is a new file; less are blocks that were confirmed or will be. Of another server only its report is known. */
    private void followReport(ServedRegion before, ServedRegion now) {
        long moreBytes = Math.max(0, remoteBytes(now) - remoteBytes(before));
        remoteBytesById.computeIfPresent(
                now.region(), (region, bytes) -> before.server().equals(now.server()) ? bytes + moreBytes : null);
    }

    private static long remoteBytes(ServedRegion region) {
        return region.reported().map(ReportedLocality::nonLocalBytes).orElse(0L);
    }

    private void replaced(@Nullable QueuedRegion before) {
        if (before != null) {
            count(before, -1);
            schedule.replaced(before);
        }
    }

    private void count(@Nullable QueuedRegion queued, int change) {
        if (queued != null && queued.isPending()) {
            open += change;
        }
        if (queued != null && queued.isGettingOn()) {
            long reported = remoteBytes(queued.region());
            long bytes = Math.min(
                    reported, remoteBytesById.getOrDefault(queued.region().region(), reported));
            if (bytes > 0) {
                remoteBytesByHost.merge(
                        queued.region().server().host(),
                        change * bytes,
                        (before, more) -> before + more == 0 ? null : before + more);
            }
        }
    }

    private static boolean isPending(@Nullable QueuedRegion queued) {
        return queued != null && queued.isPending();
    }

    /** Says whether a region of the queue is to be checked, and when. Pure. */
    private static final class DuePolicy {

        private DuePolicy() {}

        /** The region with the time at which to check it. */
        static QueuedRegion scheduled(QueuedRegion queued, QueueConfig config) {
            if (!needsAttempt(queued, config) || queued.region().compaction().isRunning()) {
                return queued.dueAt(QueuedRegion.NEVER);
            }
            if (queued.lastResult().isEmpty()) {
                return queued.dueAt(queued.servedSinceMs() + config.regionStableMs());
            }
            if (!queued.inProgress() && queued.reportChanged()) {
                return queued.startingOver()
                        .dueAt(queued.lastEndMs() + config.backoff().delayMs(1));
            }
            return queued.dueAt(queued.lastEndMs() + config.backoff().delayMs(queued.attempts()));
        }

        /** Whether something calls for a check: a move, a low report, or an end that left something. */
        static boolean needsAttempt(QueuedRegion queued, QueueConfig config) {
            boolean unfinished = queued.lastResult()
                    .filter(AttemptResult::needsAnotherAttempt)
                    .isPresent();
            return queued.region().mode() != TableHealingMode.OFF
                    && (queued.moved() || unfinished || isBelowThreshold(queued.region(), config));
        }

        /** Whether the server reports less than is asked for. */
        static boolean isBelowThreshold(ServedRegion region, QueueConfig config) {
            return region.reported().map(ReportedLocality::ratio).orElse(1.0) < config.threshold();
        }
    }

    /**
     * When a region is checked. Immutable.
     *
     * @param threshold the reported locality below which a region is checked, 0 to 1
     * @param regionStableMs how long a region must have been served by the same server
     * @param backoff the wait before a region is checked again
     */
    public record QueueConfig(double threshold, long regionStableMs, ExponentialBackoff backoff) {}

    /** How the work on a region ended. */
    public enum AttemptResult {
        /** Every block is local according to the NameNode, or what is not local can't be moved at all. */
        COMPLETED,
        /** Something is left for later, and nothing was won: blocks that stay for now, or moves that did not end healed. */
        UNFINISHED,
        /** Something is left, and it is no sign of trouble: some of it was done, or nothing could be begun yet. */
        PROGRESSED,
        /** The NameNode could not say. */
        UNKNOWN,
        /** The region or its table is gone, or it is not served where it was. */
        OBSOLETE;

        /** Whether the region has to be checked again, whatever its server reports. */
        boolean needsAnotherAttempt() {
            return switch (this) {
                case UNFINISHED, PROGRESSED, UNKNOWN -> true;
                case COMPLETED, OBSOLETE -> false;
            };
        }
    }
}
