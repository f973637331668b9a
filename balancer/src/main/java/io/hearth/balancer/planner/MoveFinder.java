// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.planner.MoveFilters.MoveFilter;
import org.jspecify.annotations.Nullable;

/**
 * Finds the next move on a simulated cluster: of the moves that come into question the one with the largest net gain. Scratch
 * of one search; not thread-safe.
 *
 * <p>A region is not tried on the listed targets where {@link MoveGainBound} says that two known moves gain as much: the result is the same.
 *
 * <p>Of a server with more than {@value #FEW} regions, in a cluster that is not small, not all are looked at in each step. What each region gained when it was last
 * looked at is kept in a heap: as the server becomes cooler and its targets fuller, a gain becomes smaller, so that the top of
 * the heap is an upper bound of all below it. Regions are looked at from the top until one gains nearly as much as the next one
 * did. Where nothing is found that way, every region is looked at again: then the server is given up, or the heap was too old.
 */
final class MoveFinder {

    /** Of so many regions of a server all are looked at in each step. */
    private static final int FEW = 128;

    /** A cluster with so many regions is small: all regions of a server are looked at in each step, however many it has. */
    private static final int SMALL_CLUSTER = 1_000;

    /** Of more, no more than this are looked at before the best of them is taken. */
    private static final int MOST_TRIED = 64;

    /** A region that gains so much of what the next one did when it was last looked at is as good. */
    private static final double NEARLY = 0.97;

    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final TopologyIndex places;
    private final LocalityCostIndex heal;
    private final MoveScorer scorer;
    private final DestinationCandidates destinations;
    private final MoveGainBound bound;
    private final BestCandidate candidate = new BestCandidate();
    private final @Nullable GainHeap[] heaps;
    private final int[] triedRegions = new int[MOST_TRIED];
    private final double[] triedGains = new double[MOST_TRIED];
    /** How many moves were looked at. */
    private long evaluated;
    /** The largest net gain of the region that was looked at last. */
    private double gainOfRegion;

    MoveFinder(
            PlanSimulation simulation,
            TopologyIndex places,
            LocalityCostIndex heal,
            MoveScorer scorer,
            DestinationCandidates destinations) {
        this.simulation = simulation;
        this.places = places;
        this.heal = heal;
        this.scorer = scorer;
        this.destinations = destinations;
        index = simulation.index;
        bound = new MoveGainBound(simulation, scorer, destinations);
        heaps = new GainHeap[index.servers * MoveFilter.KINDS];
    }

    /** The best move of one of this server's regions to one of the listed targets, or to a host that has its bytes. */
    BestCandidate from(int from, MoveFilter filter) {
        if (hasMany(index, from)) {
            return fromMany(from, filter);
        }
        candidate.clear();
        bound.readDestinations();
        bound.readAllBut(from);
        for (int region = index.firstRegion[from]; region < index.firstRegion[from + 1]; region++) {
            if (isMovable(region, filter) && filter.considers(region)) {
                tryTargetsIfPromising(region, from, filter);
            }
        }
        return candidate;
    }

    /** All regions of this server that are counted, for {@link #from(int, MoveFilter, LazyGreedyQueue)}. */
    LazyGreedyQueue queueOfCounted(int from) {
        LazyGreedyQueue queue = new LazyGreedyQueue(index.regionsOn(from));
        for (int region = index.firstRegion[from]; region < index.firstRegion[from + 1]; region++) {
            if (simulation.isCounted(region)) {
                queue.add(region);
            }
        }
        return queue;
    }

    /**
     * The same as {@link #from(int, MoveFilter)} of the regions in the queue, with fewer looks where the same server gives again and again,
     * and meanwhile takes nothing and no other gives.
     */
    BestCandidate from(int from, MoveFilter filter, LazyGreedyQueue queue) {
        candidate.clear();
        bound.readDestinations();
        bound.readAllBut(from);
        queue.offerTo(
                candidate,
                bound.mostOfCounts(from),
                region -> isMovable(region, filter) && filter.considers(region)
                        ? tryTargetsIfPromising(region, from, filter)
                        : Double.NEGATIVE_INFINITY);
        return candidate;
    }

    /** Of most regions it can be said at once that they gain less than two others, wherever they go. Returns what this one gains at most. */
    private double tryTargetsIfPromising(int region, int from, MoveFilter filter) {
        double giveHeat = scorer.giveHeat(region, from);
        double most = bound.mostAnywhere(region, from, giveHeat);
        if (!candidate.wouldKeep(most)) {
            // All of them at once.
            evaluated += destinations.size() + unlistedHostsOfBytes(region);
            return most;
        }
        if (candidate.wouldKeep(bound.mostWithoutBytes(region, from, giveHeat))) {
            tryDestinations(region, from, giveHeat, filter);
            tryHostsOfBytes(region, from, giveHeat, filter, false);
        } else {
            long before = evaluated;
            tryHostsOfBytes(region, from, giveHeat, filter, true);
            evaluated = before + destinations.size() + unlistedHostsOfBytes(region);
        }
        return most;
    }

    private boolean isMovable(int region, MoveFilter filter) {
        return filter.kind() < PlanIndex.DIMENSIONS
                ? simulation.isMovableForHeat(region)
                : simulation.isMovable(region);
    }

    /** Whether this server has so many regions that a step does not look at all of them. */
    static boolean hasMany(PlanIndex index, int server) {
        return index.regionsOn(server) > FEW && index.regions > SMALL_CLUSTER;
    }

    private BestCandidate fromMany(int from, MoveFilter filter) {
        int at = from * MoveFilter.KINDS + filter.kind();
        GainHeap heap = heaps[at];
        if (heap != null && isFound(lookFromTheTop(heap, from, filter))) {
            return candidate;
        }
        GainHeap anew = heap == null ? new GainHeap(index.regionsOn(from)) : heap;
        heaps[at] = anew;
        return lookAtAll(anew, from, filter);
    }

    private boolean isFound(BestCandidate found) {
        return !found.isEmpty()
                && found.net > 0
                && found.net >= index.goals.limits().minGain() * heal.size(found.region);
    }

    private BestCandidate lookAtAll(GainHeap heap, int from, MoveFilter filter) {
        candidate.clear();
        heap.clear();
        for (int region = index.firstRegion[from]; region < index.firstRegion[from + 1]; region++) {
            if (isMovable(region, filter)) {
                heap.push(region, look(region, from, filter));
            }
        }
        return candidate;
    }

    private BestCandidate lookFromTheTop(GainHeap heap, int from, MoveFilter filter) {
        candidate.clear();
        int tried = 0;
        while (!heap.isEmpty() && tried < MOST_TRIED && candidate.net < NEARLY * heap.topGain()) {
            int region = heap.pop();
            if (isMovable(region, filter)) {
                triedRegions[tried] = region;
                triedGains[tried++] = look(region, from, filter);
            }
        }
        for (int again = 0; again < tried; again++) {
            heap.push(triedRegions[again], triedGains[again]);
        }
        return candidate;
    }

    /** Offers the moves of this region, and says what the best of them gains. */
    private double look(int region, int from, MoveFilter filter) {
        gainOfRegion = Double.NEGATIVE_INFINITY;
        if (filter.considers(region)) {
            if (simulation.mayLeave(region, from)) {
                tryTargets(region, from, filter);
            } else {
                // All of them at once.
                evaluated += destinations.size();
            }
        }
        return gainOfRegion;
    }

    /** How many moves were looked at since the search began. */
    long evaluated() {
        return evaluated;
    }

    /** The best move of this region to one of the listed targets, or to a host that has its bytes. */
    BestCandidate of(int region, MoveFilter filter) {
        candidate.clear();
        tryTargets(region, simulation.serverOf[region], filter);
        return candidate;
    }

    /** The best move to this server, of the regions of these servers. */
    BestCandidate to(int to, int[] sources, int count, MoveFilter filter) {
        candidate.clear();
        bound.readDestination(to);
        for (int position = 0; position < count; position++) {
            int from = sources[position];
            // Where there are many, so many of them as there are few, from the coldest to the hottest.
            int step = hasMany(index, from) ? 1 + index.regionsOn(from) / (FEW + 1) : 1;
            int first = index.firstRegion[from];
            for (int place = 0; from != to && place < index.regionsOn(from); place += step) {
                int region = step == 1 ? first + place : leftAt(from, place);
                if (region >= 0 && isMovable(region, filter) && filter.considers(region)) {
                    tryTargetIfPromising(region, from, to, filter);
                }
            }
        }
        return candidate;
    }

    /** Where the region's bytes are is looked up last: it takes longer than all the rest, and decides little. */
    private void tryTargetIfPromising(int region, int from, int to, MoveFilter filter) {
        double giveHeat = scorer.giveHeat(region, from);
        if (candidate.wouldKeep(bound.most(region, from, giveHeat))) {
            tryTarget(region, from, to, giveHeat, filter);
        } else {
            evaluated++;
        }
    }

    private int leftAt(int server, int place) {
        int left = simulation.order.up(server, index.heaviest, place);
        return left == RegionsByLoad.NONE ? RegionsByLoad.NONE : simulation.order.region(server, index.heaviest, left);
    }

    private void tryTargets(int region, int from, MoveFilter filter) {
        double giveHeat = scorer.giveHeat(region, from);
        tryDestinations(region, from, giveHeat, filter);
        tryHostsOfBytes(region, from, giveHeat, filter, false);
    }

    private void tryDestinations(int region, int from, double giveHeat, MoveFilter filter) {
        for (int position = 0; position < destinations.size(); position++) {
            tryTarget(region, from, destinations.get(position), giveHeat, filter);
        }
    }

    /** @param listedToo whether to try those that are listed, too */
    private void tryHostsOfBytes(int region, int from, double giveHeat, MoveFilter filter, boolean listedToo) {
        if (!heal.matters()) {
            return;
        }
        for (int entry = heal.firstEntry(region); entry < heal.firstEntry(region + 1); entry++) {
            int host = heal.hostOfEntry(entry);
            if (host == TopologyIndex.UNKNOWN) {
                continue;
            }
            for (int position = places.firstServer(host); position < places.firstServer(host + 1); position++) {
                int to = places.serverOnHost(position);
                if (to != from && (listedToo || !destinations.isListed(to))) {
                    tryTarget(region, from, to, giveHeat, filter);
                }
            }
        }
    }

    /** On how many servers that are not listed {@link #tryHostsOfBytes} would try this region. */
    private int unlistedHostsOfBytes(int region) {
        int count = 0;
        for (int entry = heal.firstEntry(region); heal.matters() && entry < heal.firstEntry(region + 1); entry++) {
            int host = heal.hostOfEntry(entry);
            if (host == TopologyIndex.UNKNOWN) {
                continue;
            }
            for (int position = places.firstServer(host); position < places.firstServer(host + 1); position++) {
                count += destinations.isListed(places.serverOnHost(position)) ? 0 : 1;
            }
        }
        return count;
    }

    private void tryTarget(int region, int from, int to, double giveHeat, MoveFilter filter) {
        evaluated++;
        if (!simulation.keepsSlop(region, from, to)
                || !filter.allows(region, from, to)
                || !simulation.mayBeOn(region, to)) {
            return;
        }
        double net = giveHeat + scorer.takeHeat(region, to) + scorer.rest(region, from, to);
        gainOfRegion = Math.max(gainOfRegion, net);
        candidate.offer(region, to, net);
    }

    /**
     * The regions of one server in the order of what moving each of them gained when it was last looked at: a binary heap, the
     * largest gain first, of equal ones the lower region. Scratch of one search; not thread-safe.
     */
    static final class GainHeap {

        private final int[] regions;
        private final double[] gains;
        private int size;

        GainHeap(int capacity) {
            regions = new int[capacity];
            gains = new double[capacity];
        }

        boolean isEmpty() {
            return size == 0;
        }

        /** The largest gain. */
        double topGain() {
            return gains[0];
        }

        void clear() {
            size = 0;
        }

        void push(int region, double gain) {
            int place = size++;
            while (place > 0 && isBefore(region, gain, (place - 1) / 2)) {
                set(place, (place - 1) / 2);
                place = (place - 1) / 2;
            }
            regions[place] = region;
            gains[place] = gain;
        }

        /** Takes out the region with the largest gain. */
        int pop() {
            int top = regions[0];
            int region = regions[--size];
            double gain = gains[size];
            int place = 0;
            int child = larger(0);
            while (child < size && !isBefore(region, gain, child)) {
                set(place, child);
                place = child;
                child = larger(place);
            }
            regions[place] = region;
            gains[place] = gain;
            return top;
        }

        private int larger(int place) {
            int left = 2 * place + 1;
            int right = left + 1;
            return right < size && isBefore(regions[right], gains[right], left) ? right : left;
        }

        private boolean isBefore(int region, double gain, int place) {
            return gain > gains[place] || (gain == gains[place] && region < regions[place]);
        }

        private void set(int place, int from) {
            regions[place] = regions[from];
            gains[place] = gains[from];
        }
    }
}
