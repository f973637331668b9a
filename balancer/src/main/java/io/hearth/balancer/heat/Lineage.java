package io.hearth.balancer.heat;

import io.hearth.balancer.load.TableId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the parents of regions that are new, from the reports alone, and hands down their heat.
 *
 * <p>Goals: a region that came out of a split or a merge is known at once; nobody inherits from a region that lives.
 *
 * <p>Constraints: a report carries a region's table, start key and region id, but no end key; parents and children may be in
 * reports of different servers and so turn up and drop out in any order, within {@value #WAIT_MS} ms.
 *
 * <p>Algorithm: where a new region has the start key of a region of its table that is no longer reported,
 *
 * <ul>
 *   <li>and another new one shares its region id and begins before any other region does, the two are the daughters of a
 *       split: each inherits the parent's rates by its share of the two's store bytes, or one half where both are empty;
 *   <li>or it has more store bytes than that region had, and the next ones before the next that lives are no longer
 *       reported either: it was merged from as many of them as come nearest to its store bytes (the others may be on their
 *       way to another server), and inherits the sum of their rates. Where store bytes say nothing it inherits nothing: a
 *       first daughter may be reported before the second.
 * </ul>
 *
 * What is inherited stands for no more observed time than is needed to be known, so that the region's own counters soon
 * outweigh it. A truncated table inherits nothing if its split keys were kept (a single parent is no merge). Worked example:
 * (a..) and (g..) live, (g..) is split at m: new (g..) and new (m..) share a region id, old (g..) is missing, no other region
 * begins in (g, m]; so new (g..) gets its share of old (g..)'s rates and new (m..) the rest. Not thread-safe.
 */
final class Lineage {

    /** How long after it was made a region may still look for its parents, in milliseconds. */
    static final long WAIT_MS = 120_000;

    private final Map<TableId, List<Newborn>> newbornsByTable = new HashMap<>();

    /** A region that has not been reported for so long is nobody's parent any more, in milliseconds. */
    private static final long PARENT_MS = WAIT_MS + 60_000;

    /** A region that is new, and when its name says that it was made. */
    record Newborn(RegionTrack region, long regionIdMs) {}

    /** Who inherits what, and who has no more part in anything. */
    record Heirs(Map<RegionTrack, PastHeat> heatByHeir, Set<RegionTrack> parents) {}

    /** Takes a region that was not followed before; one that was made long ago has its parents behind it. */
    void born(RegionTrack region, long regionIdMs, long nowMs) {
        if (Math.abs(nowMs - regionIdMs) <= WAIT_MS) {
            newbornsByTable
                    .computeIfAbsent(region.table(), table -> new ArrayList<>())
                    .add(new Newborn(region, regionIdMs));
        }
    }

    /** Finds parents among all regions for those that are still looking; each is found once. */
    Heirs resolve(Collection<RegionTrack> all, long nowMs) {
        Heirs heirs = new Heirs(new HashMap<>(), new HashSet<>());
        newbornsByTable.values().forEach(ofTable -> ofTable.removeIf(newborn -> isTooOld(newborn, nowMs)));
        newbornsByTable.values().removeIf(List::isEmpty);
        if (!newbornsByTable.isEmpty()) {
            regionsByTable(all, nowMs).forEach((table, regions) -> {
                if (regions.stream().anyMatch(RegionTrack::isMissing)) {
                    resolve(newbornsByTable.getOrDefault(table, List.of()), KeyOrder.of(regions), heirs);
                }
            });
        }
        return heirs;
    }

    /** The regions of the tables that have new ones, without those that have been gone for long. */
    private Map<TableId, List<RegionTrack>> regionsByTable(Collection<RegionTrack> all, long nowMs) {
        Map<TableId, List<RegionTrack>> regionsByTable = new HashMap<>();
        for (RegionTrack region : all) {
            boolean counts = region.startKey() != null && region.seenAtMs() >= nowMs - PARENT_MS;
            if (counts && newbornsByTable.containsKey(region.table())) {
                regionsByTable
                        .computeIfAbsent(region.table(), table -> new ArrayList<>())
                        .add(region);
            }
        }
        return regionsByTable;
    }

    private static boolean isTooOld(Newborn newborn, long nowMs) {
        return Math.abs(nowMs - newborn.regionIdMs()) > WAIT_MS;
    }

    private static void resolve(List<Newborn> newborns, KeyOrder order, Heirs heirs) {
        for (Newborn newborn : List.copyOf(newborns)) {
            if (newborns.contains(newborn) && handDown(newborn, newborns, order, heirs)) {
                newborns.removeIf(other -> heirs.heatByHeir().containsKey(other.region())
                        || heirs.parents().contains(other.region()));
                order.removeAll(heirs.parents());
            }
        }
    }

    private static boolean handDown(Newborn newborn, List<Newborn> newborns, KeyOrder order, Heirs heirs) {
        Optional<RegionTrack> parent = order.missingAt(newborn.region());
        if (parent.isEmpty()) {
            return false;
        }
        Optional<Newborn> sister = sister(newborn, newborns, order);
        if (sister.isPresent()) {
            split(parent.get(), newborn.region(), sister.get().region(), heirs);
            return true;
        }
        return newborn.region().storeBytes() > parent.get().storeBytes()
                && merge(order.missingFrom(newborn.region()), newborn.region(), heirs);
    }

    /** The second daughter of the split that made this one: it shares the region id and is next in the table. */
    private static Optional<Newborn> sister(Newborn first, List<Newborn> newborns, KeyOrder order) {
        return order.next(first.region()).flatMap(next -> newborns.stream()
                .filter(other -> other.region() == next && other.regionIdMs() == first.regionIdMs())
                .findFirst());
    }

    private static void split(RegionTrack parent, RegionTrack first, RegionTrack second, Heirs heirs) {
        double bytes = first.storeBytes() + second.storeBytes();
        double share = bytes > 0 ? first.storeBytes() / bytes : 0.5;
        heirs.heatByHeir().put(first, parent.asPast().times(share));
        heirs.heatByHeir().put(second, parent.asPast().times(1 - share));
        heirs.parents().add(parent);
    }

    private static boolean merge(List<RegionTrack> candidates, RegionTrack merged, Heirs heirs) {
        if (candidates.size() < 2) {
            return false;
        }
        List<RegionTrack> parents = candidates.subList(0, nearestInSize(candidates, merged.storeBytes()));
        parents.stream().map(RegionTrack::asPast).reduce(PastHeat::plus).ifPresent(sum -> heirs.heatByHeir()
                .put(merged, sum));
        heirs.parents().addAll(parents);
        return true;
    }

    /** How many of these, at least two, have together most nearly so many store bytes. */
    private static int nearestInSize(List<RegionTrack> candidates, double storeBytes) {
        double sum = candidates.get(0).storeBytes();
        double nearest = Double.POSITIVE_INFINITY;
        int best = 0;
        for (int count = 2; count <= candidates.size(); count++) {
            sum += candidates.get(count - 1).storeBytes();
            if (Math.abs(sum - storeBytes) < nearest) {
                nearest = Math.abs(sum - storeBytes);
                best = count;
            }
        }
        return best;
    }
}
