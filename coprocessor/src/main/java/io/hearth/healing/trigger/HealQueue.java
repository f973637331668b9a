package io.hearth.healing.trigger;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.ClusterLook;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The regions that may need healing, each once, with the time at which to look at their blocks.
 *
 * <p>A region is due once it has been with its server for the settle time, if it came there while we watched or if its
 * reported locality is below the threshold. After its blocks were looked at it rests until its server changes, its reported
 * locality changes, or a back-off that doubles has passed and the report is still below the threshold (or the last look did
 * not settle it). So where everything is at home nothing is due, and where a report stays low though the NameNode says
 * otherwise the NameNode is asked less and less. A region that is not served just now is forgotten until it is.
 *
 * <p>Not thread-safe; times are milliseconds of any one clock that does not go back.
 */
public final class HealQueue {

    private static final Comparator<ServedRegion> URGENCY = Comparator.comparing(ServedRegion::rank)
            .thenComparing(Comparator.comparingLong(ServedRegion::nonLocalBytes).reversed())
            .thenComparing(Comparator.naturalOrder());

    private final SortedMap<RegionId, QueuedRegion> queuedById = new TreeMap<>();
    private ClusterLook last = ClusterLook.NOTHING;

    /** Takes a look in; returns what has changed since the one before. */
    public AssignmentDiff observe(ClusterLook look, QueueRules rules, long nowMs) {
        AssignmentDiff diff = AssignmentDiff.between(last, look);
        last = look;
        queuedById.keySet().retainAll(look.servedById().keySet());
        for (ServedRegion region : look.servedById().values()) {
            QueuedRegion before = queuedById.get(region.region());
            boolean moved = diff.moved().contains(region.region());
            QueuedRegion now = before == null || moved ? QueuedRegion.arrived(region, moved) : before.seenAs(region);
            queuedById.put(region.region(), scheduled(now, rules, nowMs));
        }
        return diff;
    }

    /** Up to {@code limit} regions that are due, the most urgent first; they are in hand until they end. */
    public List<ServedRegion> takeDue(long nowMs, int limit) {
        List<ServedRegion> due = queuedById.values().stream()
                .filter(queued -> !queued.inHand() && queued.dueMs() <= nowMs)
                .map(QueuedRegion::region)
                .sorted(URGENCY)
                .limit(limit)
                .toList();
        due.forEach(region -> queuedById.computeIfPresent(region.region(), (id, queued) -> queued.taken()));
        return due;
    }

    /** Says how the work on a region ended; a region that has changed its server meanwhile is passed over. */
    public void ended(ServedRegion worked, LookResult result, QueueRules rules, long nowMs) {
        queuedById.computeIfPresent(
                worked.region(),
                (id, queued) -> queued.region().server().equals(worked.server()) && queued.inHand()
                        ? scheduled(queued.ended(result, nowMs), rules, nowMs)
                        : queued);
    }

    /** The region as it was at the last look, if it is served. */
    public Optional<ServedRegion> latest(RegionId region) {
        return Optional.ofNullable(last.servedById().get(region));
    }

    /** The number of regions that wait for their first look at this server, for another one, or for their moves' end. */
    public int size() {
        return (int) queuedById.values().stream()
                .filter(queued -> queued.inHand()
                        || (queued.dueMs() != QueuedRegion.NEVER
                                && queued.lastResult().orElse(LookResult.UNFINISHED) != LookResult.SETTLED))
                .count();
    }

    private static QueuedRegion scheduled(QueuedRegion queued, QueueRules rules, long nowMs) {
        if (queued.region().mode() == HealMode.OFF || !isWanted(queued, rules)) {
            return queued.dueAt(QueuedRegion.NEVER);
        }
        if (queued.lastResult().isEmpty()) {
            return queued.dueMs() == QueuedRegion.NEVER ? queued.dueAt(nowMs + rules.settleMs()) : queued;
        }
        if (!queued.inHand() && queued.reportChanged()) {
            return queued.startingOver()
                    .dueAt(queued.lastEndMs() + rules.backOff().delayMs(1));
        }
        return queued.dueAt(queued.lastEndMs() + rules.backOff().delayMs(queued.attempts()));
    }

    /** Whether something calls for a look: a move, a low report, or an end that left something. */
    private static boolean isWanted(QueuedRegion queued, QueueRules rules) {
        boolean unfinished = queued.lastResult()
                .filter(result -> result == LookResult.UNFINISHED || result == LookResult.UNKNOWN)
                .isPresent();
        boolean low = queued.ratio().filter(ratio -> ratio < rules.threshold()).isPresent();
        return queued.moved() || low || unfinished;
    }
}
