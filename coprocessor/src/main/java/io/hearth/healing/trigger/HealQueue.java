package io.hearth.healing.trigger;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.ClusterLook;
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
 * The regions that may need healing, each once, with the time at which to look at their blocks.
 *
 * <p>A region is due if it came to its server while we watched or if its reported locality is below the threshold, once it has
 * settled: it has been with its server for the settle time and no compaction runs on it. After its blocks were looked at it
 * rests until its server changes, its reported locality changes, or a back-off that doubles has passed and the report is
 * still below the threshold (or the last look did not settle it). So where everything is at home nothing is due, and where a
 * report stays low though the NameNode says otherwise the NameNode is asked less and less. A region that is not served just
 * now is forgotten until it is. What is due is handed out in the order of {@link HealRanking}.
 *
 * <p>It keeps only regions that something calls for, so that a look at a cluster that is at home costs two lookups for each
 * region, and nothing if it is the look before. Not thread-safe; times are milliseconds of any one clock that does not go back.
 */
public final class HealQueue {

    private final Map<RegionId, QueuedRegion> queuedById = new HashMap<>();
    private final HealAgenda agenda = new HealAgenda();
    private HealRanking ranking = HealRanking.none();
    private final Set<RegionId> wished = new HashSet<>();
    private ClusterLook last;
    /** The last look that was taken in whole. */
    private ClusterLook takenIn;

    private @Nullable QueueRules lastRules;
    private int open;

    /** A queue before its first look, in which nothing counts as moved. */
    public HealQueue() {
        this(ClusterLook.NOTHING);
    }

    /** @param settled what an earlier queue {@linkplain #settled left}: what is elsewhere in the first look has moved */
    public HealQueue(ClusterLook settled) {
        this.last = settled;
        this.takenIn = settled;
    }

    /**
     * The last look without the regions that wait for something: whoever begins with it finds these to have come to their
     * servers, and so looks at their blocks, whatever is reported of them.
     */
    public ClusterLook settled() {
        if (takenIn == ClusterLook.NOTHING) {
            return takenIn;
        }
        return ClusterLook.of(
                takenIn.servedById().values().stream()
                        .filter(region -> !isOpen(queuedById.get(region.region())))
                        .toList(),
                takenIn.unserved());
    }

    /**
     * Takes a look in; returns what has changed since the one before.
     *
     * @param heat how hot a region is; asked for those alone that wait
     */
    public AssignmentDiff observe(ClusterLook look, QueueRules rules, Function<RegionId, RegionHeat> heat, long nowMs) {
        if (look == last && rules.equals(lastRules) && queuedById.isEmpty()) {
            return AssignmentDiff.NOTHING;
        }
        boolean isFirst = last == ClusterLook.NOTHING;
        AssignmentDiff diff = AssignmentDiff.between(last, look);
        last = look;
        lastRules = rules;
        List.copyOf(queuedById.keySet()).stream()
                .filter(region -> !look.servedById().containsKey(region))
                .forEach(this::forget);
        for (ServedRegion region : look.servedById().values()) {
            boolean moved = !diff.moved().isEmpty() && diff.moved().contains(region.region());
            // Nothing has moved it since the look before, so that it has been there for as long as we watch.
            long servedSinceMs = isFirst || moved ? nowMs : nowMs - rules.settleMs();
            consider(region, moved, servedSinceMs, rules);
        }
        rank(heat);
        takenIn = look;
        return diff;
    }

    /** A person wants these regions to be looked at now, before others and whatever came of the last look. */
    public void wish(Set<RegionId> regions, QueueRules rules, long nowMs) {
        for (RegionId region : regions) {
            lookable(region).ifPresent(served -> {
                wished.add(region);
                lookNow(served, true, rules, nowMs);
            });
        }
    }

    /**
     * Somebody knows better than these regions' servers, which report that they are at home: those that nothing calls for yet,
     * and that have not moved on, are looked at, after what is known to be away.
     *
     * @param hostByRegion the host of the server whose report is doubted
     * @return how many are looked at for that
     */
    public int doubt(Map<RegionId, String> hostByRegion, QueueRules rules, long nowMs) {
        List<ServedRegion> doubted = hostByRegion.entrySet().stream()
                .filter(doubt -> !isOpen(queuedById.get(doubt.getKey())))
                .flatMap(doubt ->
                        lookable(doubt.getKey())
                                .filter(served -> served.server().host().equals(doubt.getValue()))
                                .stream())
                .toList();
        doubted.forEach(served -> lookNow(served, wished.contains(served.region()), rules, nowMs));
        return doubted.size();
    }

    /** The region as it is served now, unless its table forbids to look at it or somebody does. */
    private Optional<ServedRegion> lookable(RegionId region) {
        QueuedRegion queued = queuedById.get(region);
        if (queued == null) {
            return latest(region).filter(served -> served.mode() != HealMode.OFF);
        }
        return queued.inHand() || queued.region().mode() == HealMode.OFF
                ? Optional.empty()
                : Optional.of(queued.region());
    }

    /** As if it had come and settled. */
    private void lookNow(ServedRegion served, boolean isWished, QueueRules rules, long nowMs) {
        QueuedRegion now = WhenDue.scheduled(QueuedRegion.arrived(served, true, nowMs - rules.settleMs()), rules);
        put(now);
        if (now.dueMs() == QueuedRegion.NEVER) {
            agenda.remove(served.region());
        } else {
            putOnAgenda(now, isWished);
        }
    }

    /** Whether the time has come for any region. */
    public boolean hasDue(long nowMs) {
        return agenda.hasDue(nowMs);
    }

    /** The first of the regions that are due on servers that have room for moves; it is in hand until it ends. */
    public Optional<ServedRegion> take(long nowMs, Predicate<ServerId> hasRoom) {
        Optional<QueuedRegion> due = agenda.take(nowMs, hasRoom);
        due.ifPresent(queued -> put(queued.taken()));
        return due.map(QueuedRegion::region);
    }

    /** Says how the work on a region ended; a region that has changed its server meanwhile is passed over. */
    public void ended(ServedRegion worked, LookResult result, QueueRules rules, long nowMs) {
        QueuedRegion queued = queuedById.get(worked.region());
        if (queued != null && queued.inHand() && queued.region().server().equals(worked.server())) {
            QueuedRegion next = WhenDue.scheduled(queued.ended(result, nowMs), rules);
            wished.remove(worked.region());
            put(next);
            putOnAgenda(next);
        }
    }

    /** Takes a region back with which nothing was done. */
    public void putBack(ServedRegion region) {
        QueuedRegion queued = queuedById.get(region.region());
        if (queued != null && queued.inHand()) {
            put(queued.putBack());
            putOnAgenda(queued.putBack());
        }
    }

    /** Takes a region back with which nothing was done and nothing is to be done until then, or until the next look. */
    public void defer(ServedRegion region, long untilMs) {
        QueuedRegion queued = queuedById.get(region.region());
        if (queued != null && queued.inHand()) {
            QueuedRegion later = queued.putBack().dueAt(untilMs);
            put(later);
            putOnAgenda(later);
        }
    }

    /** What held regions up has changed: those of which something is left are due again as after a first look. */
    public void startOver(QueueRules rules) {
        agenda.clear();
        List.copyOf(queuedById.values()).stream()
                .filter(queued -> !queued.inHand())
                .filter(queued -> queued.lastResult().filter(LookResult::isOpen).isPresent())
                .forEach(queued -> put(WhenDue.scheduled(queued.startingOver(), rules)));
        queuedById.values().forEach(this::putOnAgenda);
    }

    /** The region as it was at the last look, if it is served. */
    public Optional<ServedRegion> latest(RegionId region) {
        return Optional.ofNullable(last.servedById().get(region));
    }

    /** The number of regions that wait for their first look at this server, for another one, or for their moves' end. */
    public int size() {
        return open;
    }

    private void consider(ServedRegion region, boolean moved, long servedSinceMs, QueueRules rules) {
        QueuedRegion before = queuedById.isEmpty() ? null : queuedById.get(region.region());
        if (before == null && !moved && !WhenDue.isLow(region, rules)) {
            return;
        }
        QueuedRegion now =
                before == null || moved ? QueuedRegion.arrived(region, moved, servedSinceMs) : before.seenAs(region);
        if (now.inHand() || WhenDue.isWanted(now, rules)) {
            put(WhenDue.scheduled(now, rules));
        } else {
            forget(region.region());
        }
    }

    private void rank(Function<RegionId, RegionHeat> heat) {
        agenda.clear();
        ranking = HealRanking.of(
                queuedById.values().stream().map(QueuedRegion::region).toList(), heat);
        queuedById.values().forEach(this::putOnAgenda);
    }

    private void putOnAgenda(QueuedRegion queued) {
        if (!queued.inHand() && queued.dueMs() != QueuedRegion.NEVER) {
            putOnAgenda(queued, wished.contains(queued.region().region()));
        }
    }

    private void putOnAgenda(QueuedRegion queued, boolean isWished) {
        HealPriority priority = ranking.priority(queued.region());
        agenda.put(queued, isWished ? priority.first() : priority);
    }

    private void put(QueuedRegion queued) {
        count(queuedById.put(queued.region().region(), queued), -1);
        count(queued, 1);
    }

    private void forget(RegionId region) {
        wished.remove(region);
        count(queuedById.remove(region), -1);
    }

    private void count(@Nullable QueuedRegion queued, int change) {
        open += isOpen(queued) ? change : 0;
    }

    private static boolean isOpen(@Nullable QueuedRegion queued) {
        return queued != null && queued.isOpen();
    }
}
