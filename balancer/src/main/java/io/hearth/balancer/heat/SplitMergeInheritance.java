// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
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
 * reports of different servers and so turn up and drop out in any order, within {@value #WAIT_MS} ms or two readings of all
 * reports, whichever takes longer.
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
final class SplitMergeInheritance {

    /** How long after it was made a region may still look for its parents, in milliseconds. */
    static final long WAIT_MS = 120_000;

    private final Map<TableId, List<NewRegion>> newRegionsByTable = new HashMap<>();

    /** A region that has not been reported for so much longer is nobody's parent any more, in milliseconds. */
    private static final long PARENT_LONGER_MS = 60_000;

    private long waitMs = WAIT_MS;

    /** A region that is new, and when its name says that it was made. */
    record NewRegion(RegionLoadTracker region, long regionIdMs) {}

    /** Who inherits what, and who has no more part in anything. */
    record Inheritance(Map<RegionLoadTracker, InheritedRates> ratesByRegion, Set<RegionLoadTracker> parents) {}

    /** Takes how far apart two readings of a server's report are from now on, in milliseconds: nobody sees a split sooner. */
    void readEvery(long ms) {
        waitMs = Math.max(WAIT_MS, 2 * ms);
    }

    /** Takes a region that was not followed before; one that was made long ago has its parents behind it. */
    void regionAppeared(RegionLoadTracker region, long regionIdMs, long nowMs) {
        if (Math.abs(nowMs - regionIdMs) <= waitMs) {
            newRegionsByTable
                    .computeIfAbsent(region.table(), table -> new ArrayList<>())
                    .add(new NewRegion(region, regionIdMs));
        }
    }

    /** Finds parents among all regions for those that are still looking; each is found once. */
    Inheritance resolve(Collection<RegionLoadTracker> all, long nowMs) {
        Inheritance inheritance = new Inheritance(new HashMap<>(), new HashSet<>());
        newRegionsByTable.values().forEach(ofTable -> ofTable.removeIf(newRegion -> isTooOld(newRegion, nowMs)));
        newRegionsByTable.values().removeIf(List::isEmpty);
        if (!newRegionsByTable.isEmpty()) {
            regionsByTable(all, nowMs).forEach((table, regions) -> {
                if (regions.stream().anyMatch(RegionLoadTracker::isMissing)) {
                    resolve(
                            newRegionsByTable.getOrDefault(table, List.of()),
                            RegionsByStartKey.of(regions),
                            inheritance);
                }
            });
        }
        return inheritance;
    }

    /** The regions of the tables that have new ones, without those that have been gone for long. */
    private Map<TableId, List<RegionLoadTracker>> regionsByTable(Collection<RegionLoadTracker> all, long nowMs) {
        Map<TableId, List<RegionLoadTracker>> regionsByTable = new HashMap<>();
        for (RegionLoadTracker region : all) {
            boolean counts = region.hasStartKey() && region.seenAtMs() >= nowMs - waitMs - PARENT_LONGER_MS;
            if (counts && newRegionsByTable.containsKey(region.table())) {
                regionsByTable
                        .computeIfAbsent(region.table(), table -> new ArrayList<>())
                        .add(region);
            }
        }
        return regionsByTable;
    }

    private boolean isTooOld(NewRegion newRegion, long nowMs) {
        return Math.abs(nowMs - newRegion.regionIdMs()) > waitMs;
    }

    private static void resolve(List<NewRegion> newRegions, RegionsByStartKey order, Inheritance inheritance) {
        for (NewRegion newRegion : List.copyOf(newRegions)) {
            // By a set: a table may have been truncated to ten thousand new regions.
            if (!hasItsPart(newRegion, inheritance) && inheritFromParents(newRegion, newRegions, order, inheritance)) {
                newRegions.removeIf(other -> hasItsPart(other, inheritance));
                order.removeAll(inheritance.parents());
            }
        }
    }

    private static boolean hasItsPart(NewRegion newRegion, Inheritance inheritance) {
        return inheritance.ratesByRegion().containsKey(newRegion.region())
                || inheritance.parents().contains(newRegion.region());
    }

    private static boolean inheritFromParents(
            NewRegion newRegion, List<NewRegion> newRegions, RegionsByStartKey order, Inheritance inheritance) {
        Optional<RegionLoadTracker> parent = order.missingAt(newRegion.region());
        if (parent.isEmpty()) {
            return false;
        }
        Optional<NewRegion> secondDaughter = secondDaughter(newRegion, newRegions, order);
        if (secondDaughter.isPresent()) {
            split(parent.get(), newRegion.region(), secondDaughter.get().region(), inheritance);
            return true;
        }
        return newRegion.region().storeBytes() > parent.get().storeBytes()
                && merge(order.missingFrom(newRegion.region()), newRegion.region(), inheritance);
    }

    /** The second daughter of the split that made this one: it shares the region id and is next in the table. */
    private static Optional<NewRegion> secondDaughter(
            NewRegion first, List<NewRegion> newRegions, RegionsByStartKey order) {
        return order.next(first.region()).flatMap(next -> newRegions.stream()
                .filter(other -> other.region() == next && other.regionIdMs() == first.regionIdMs())
                .findFirst());
    }

    private static void split(
            RegionLoadTracker parent, RegionLoadTracker first, RegionLoadTracker second, Inheritance inheritance) {
        double bytes = first.storeBytes() + second.storeBytes();
        double share = bytes > 0 ? first.storeBytes() / bytes : 0.5;
        inheritance.ratesByRegion().put(first, parent.toInherited().times(share));
        inheritance.ratesByRegion().put(second, parent.toInherited().times(1 - share));
        inheritance.parents().add(parent);
    }

    private static boolean merge(
            List<RegionLoadTracker> candidates, RegionLoadTracker merged, Inheritance inheritance) {
        if (candidates.size() < 2) {
            return false;
        }
        List<RegionLoadTracker> parents = candidates.subList(0, nearestInSize(candidates, merged.storeBytes()));
        parents.stream()
                .map(RegionLoadTracker::toInherited)
                .reduce(InheritedRates::plus)
                .ifPresent(sum -> inheritance.ratesByRegion().put(merged, sum));
        inheritance.parents().addAll(parents);
        return true;
    }

    /** How many of these, at least two, have together most nearly so many store bytes. */
    private static int nearestInSize(List<RegionLoadTracker> candidates, double storeBytes) {
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

    /**
     * The regions of one table in the order of their start keys, those that live and those that are no longer reported. Made for
     * one look; not thread-safe.
     */
    private static final class RegionsByStartKey {

        private static final Comparator<RegionLoadTracker> BY_START_KEY = RegionLoadTracker::compareStartKey;

        private final List<RegionLoadTracker> regions;

        private RegionsByStartKey(List<RegionLoadTracker> regions) {
            this.regions = regions;
        }

        /** @param regions of one table, each with a start key */
        static RegionsByStartKey of(Collection<RegionLoadTracker> regions) {
            List<RegionLoadTracker> sorted = new ArrayList<>(regions);
            sorted.sort(BY_START_KEY);
            return new RegionsByStartKey(sorted);
        }

        /** Takes these out. */
        void removeAll(Set<RegionLoadTracker> gone) {
            regions.removeIf(gone::contains);
        }

        /** The region that began with the same key and is no longer reported; of several, the one that was last. */
        Optional<RegionLoadTracker> missingAt(RegionLoadTracker region) {
            return lastMissing(firstAt(region), endOf(region), region);
        }

        private Optional<RegionLoadTracker> lastMissing(int from, int to, RegionLoadTracker but) {
            return regions.subList(from, to).stream()
                    .filter(other -> other != but && other.isMissing())
                    .max(Comparator.comparingLong(RegionLoadTracker::seenAtMs));
        }

        /** The region that begins next, if it is the only one that begins there. */
        Optional<RegionLoadTracker> next(RegionLoadTracker region) {
            int next = endOf(region);
            return next < regions.size() && endOf(regions.get(next)) == next + 1
                    ? Optional.of(regions.get(next))
                    : Optional.empty();
        }

        /** The regions that are no longer reported from this one's start key on, one for each key, up to the next that lives. */
        List<RegionLoadTracker> missingFrom(RegionLoadTracker region) {
            List<RegionLoadTracker> missing = new ArrayList<>();
            missingAt(region).ifPresent(missing::add);
            int at = endOf(region);
            while (at < regions.size()) {
                int end = endOf(regions.get(at));
                if (!regions.subList(at, end).stream().allMatch(RegionLoadTracker::isMissing)) {
                    break;
                }
                lastMissing(at, end, region).ifPresent(missing::add);
                at = end;
            }
            return missing;
        }

        private int firstAt(RegionLoadTracker region) {
            int at = Collections.binarySearch(regions, region, BY_START_KEY);
            while (at > 0 && BY_START_KEY.compare(regions.get(at - 1), region) == 0) {
                at--;
            }
            return at;
        }

        private int endOf(RegionLoadTracker region) {
            int at = firstAt(region);
            while (at < regions.size() && BY_START_KEY.compare(regions.get(at), region) == 0) {
                at++;
            }
            return at;
        }
    }
}
