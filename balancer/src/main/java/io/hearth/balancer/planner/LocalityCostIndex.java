// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.PlanGoals.MoveCosts;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.common.model.LoadDimension;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * What a move leaves to the healer and to the block cache: the bytes of each region by host, flat. A region of which nobody
 * knows where its bytes are costs what the known ones cost on average to go where nothing of them is. Not changed once made.
 */
final class LocalityCostIndex {

    private static final int READS = LoadDimension.READS.ordinal();
    private static final int WRITES = LoadDimension.WRITES.ordinal();

    /**
     * How much a byte that need not be healed counts against one that has to: it decides between equals, and never pays for a
     * move, for the healer makes it local without one.
     */
    private static final double SAVING = 0.001;

    /** The part of a move's unavailability that does not depend on the region: the work of the master, and clients that look for it. */
    private static final double OF_ANY_MOVE = 0.75;

    /** Where a server has more regions than this, one that is smaller than such a part of a fair share costs, and has to gain, less. */
    private static final double USUAL_REGIONS = 200;

    private static final long UNKNOWN = -1;

    private final PlanIndex index;
    private final TopologyIndex places;
    private final MoveCosts costs;
    private final int[] firstEntry;
    private final int[] hostOfEntry;
    private final long[] bytesOfEntry;
    /** A bit for each host with bytes of the region, by the host's number modulo 64: most questions are about a host with none. */
    private final long[] hostBits;
    /**
     * The bytes of each region once more, in the order of the hosts' numbers, where each host has a bit of its own: its place is the
     * number of bits below it. Empty where there are more hosts.
     */
    private final long[] bytesInOrderOfHosts;
    /** Bytes to heal where nothing is local, less those to heal where the region is: what is local there now; or {@link #UNKNOWN}. */
    private final long[] localBytesNow;

    private final double costPerByte;
    private final double unknownCost;
    /** By region, what {@link #healCost} is at least, wherever it goes. */
    private final double[] leastHealCost;

    private final double mostSaved;
    /** By region, what any move of it costs beside bytes to heal: asked for by each target that is looked at. */
    private final double[] costAnywhere;
    /** What a move of any region costs at least, wherever it goes. */
    private final double leastCost;
    /** What a region of mean size counts against the smallest one that counts fully. */
    private final double leastSize;

    LocalityCostIndex(PlanIndex index, TopologyIndex places) {
        this.index = index;
        this.places = places;
        costs = index.goals.moveCosts();
        leastSize = Math.min(1, USUAL_REGIONS * index.servers / index.regions);
        firstEntry = new int[index.regions + 1];
        localBytesNow = new long[index.regions];
        hostBits = new long[index.regions];
        int entries = 0;
        for (int region = 0; region < index.regions; region++) {
            firstEntry[region] = entries;
            entries += index.state[region].bytesByHost().hostCount();
        }
        firstEntry[index.regions] = entries;
        hostOfEntry = new int[entries];
        bytesOfEntry = new long[entries];
        bytesInOrderOfHosts = new long[places.hosts() <= Long.SIZE ? entries : 0];
        double known = 0;
        double total = 0;
        double atHome = 0;
        for (int region = 0; region < index.regions; region++) {
            LocalBytes local = index.state[region].bytesByHost();
            localBytesNow[region] = local.isKnown() ? 0 : UNKNOWN;
            if (local.isKnown()) {
                known++;
                total += local.totalBytes().orElse(0);
                readEntries(region, local);
                atHome += localBytesNow[region];
            }
        }
        double bytesOfMeanServer = known > 0 ? total / known * index.regions / index.servers : 0;
        costPerByte = bytesOfMeanServer > 0 ? costs.bytesToHeal() / bytesOfMeanServer : 0;
        unknownCost = known > 0 ? costPerByte * atHome / known : 0;
        leastHealCost = new double[index.regions];
        Arrays.setAll(leastHealCost, this::findLeastHealCost);
        costAnywhere = new double[index.regions];
        Arrays.setAll(costAnywhere, region -> cacheCost(region) + closedCost(region));
        mostSaved = Math.max(0, -Arrays.stream(leastHealCost).min().orElse(0));
        leastCost = IntStream.range(0, index.regions)
                .mapToDouble(region -> leastHealCost[region] + costAnywhere[region])
                .min()
                .orElse(0);
    }

    private void readEntries(int region, LocalBytes local) {
        int initialServer = places.host(index.initialServer[region]);
        for (int host = 0; host < local.hostCount(); host++) {
            int entry = firstEntry[region] + host;
            hostOfEntry[entry] = places.hostNamed(local.host(host));
            bytesOfEntry[entry] = local.bytes(host);
            hostBits[region] |= hostOfEntry[entry] == TopologyIndex.UNKNOWN ? 0 : 1L << hostOfEntry[entry];
            if (hostOfEntry[entry] == initialServer) {
                localBytesNow[region] = local.bytes(host);
            }
        }
        for (int entry = firstEntry[region];
                bytesInOrderOfHosts.length > 0 && entry < firstEntry[region] + local.hostCount();
                entry++) {
            if (hostOfEntry[entry] != TopologyIndex.UNKNOWN) {
                bytesInOrderOfHosts[placeInOrder(region, hostOfEntry[entry])] = bytesOfEntry[entry];
            }
        }
    }

    private int placeInOrder(int region, int host) {
        return firstEntry[region] + Long.bitCount(hostBits[region] & (1L << host) - 1);
    }

    private boolean isNeverHealed(int region) {
        return !costs.neverHealed().isEmpty() && costs.neverHealed().contains(index.state[region].table());
    }

    private boolean isKnown(int region) {
        return localBytesNow[region] != UNKNOWN;
    }

    /** Where the hosts that have bytes of this region begin; those of the next region follow. */
    int firstEntry(int region) {
        return firstEntry[region];
    }

    /** The host of this entry; {@link TopologyIndex#UNKNOWN} where it has no server. */
    int hostOfEntry(int entry) {
        return hostOfEntry[entry];
    }

    /** Whether it matters where a region's bytes are. */
    boolean matters() {
        return costPerByte > 0;
    }

    /** The bytes that this move adds to what has to be healed, below 0 where it saves some; empty where unknown. */
    OptionalLong bytesToHeal(int region, int to) {
        return isKnown(region) ? OptionalLong.of(localBytesNow[region] - bytesOn(region, to)) : OptionalLong.empty();
    }

    private long bytesOn(int region, int server) {
        int host = places.host(server);
        if ((hostBits[region] >>> host & 1) == 0) {
            return 0;
        }
        if (bytesInOrderOfHosts.length > 0) {
            return bytesInOrderOfHosts[placeInOrder(region, host)];
        }
        for (int entry = firstEntry[region]; entry < firstEntry[region + 1]; entry++) {
            if (hostOfEntry[entry] == host) {
                return bytesOfEntry[entry];
            }
        }
        return 0;
    }

    /** The cost of the bytes to heal; a little below 0 where the move saves some. */
    double healCost(int region, int to) {
        if (!matters()) {
            return 0;
        }
        if (!isKnown(region)) {
            return unknownCost;
        }
        return healCost(region, localBytesNow[region] - bytesOn(region, to));
    }

    /** The same on a host that has nothing of the region. */
    double healCostWithoutBytes(int region) {
        if (!matters()) {
            return 0;
        }
        return isKnown(region) ? healCost(region, localBytesNow[region]) : unknownCost;
    }

    private double healCost(int region, long bytes) {
        if (isNeverHealed(region)) {
            return costPerByte * MoveCosts.NEVER_HEALED_FACTOR * bytes;
        }
        return costPerByte * (bytes > 0 ? bytes : SAVING * bytes);
    }

    /** What a move saves at most in bytes to heal, at least 0: it costs no less than as much below 0. */
    double mostSaved() {
        return mostSaved;
    }

    /** What {@link #healCost} of this region is at least, wherever it goes. */
    double leastHealCost(int region) {
        return leastHealCost[region];
    }

    /** What a move of any region costs at least, wherever it goes. */
    double leastCost() {
        return leastCost;
    }

    private double findLeastHealCost(int region) {
        if (!matters()) {
            return 0;
        }
        if (!isKnown(region)) {
            return unknownCost;
        }
        long most = 0;
        for (int entry = firstEntry[region]; entry < firstEntry[region + 1]; entry++) {
            most = Math.max(most, bytesOfEntry[entry]);
        }
        return healCost(region, localBytesNow[region] - most);
    }

    /** What any move of this region costs beside bytes to heal: {@link #cacheCost} and {@link #closedCost}. */
    double costAnywhere(int region) {
        return costAnywhere[region];
    }

    /** The cost of an empty block cache. */
    double cacheCost(int region) {
        return costs.coldCache() * index.load(region, READS);
    }

    /** The cost of the moment in which the region is closed: the fewer requests have to wait, the less. */
    double closedCost(int region) {
        double ofMeanRegion = (double) index.servers / index.regions;
        double requests = Math.max(index.load(region, READS), index.load(region, WRITES)) / ofMeanRegion;
        return costs.perMove() * size(region) * (OF_ANY_MOVE + (1 - OF_ANY_MOVE) * Math.min(1, requests));
    }

    /** The same for a region of mean size with as many requests as the mean, or more. */
    double closedCost() {
        return costs.perMove() * leastSize;
    }

    /**
     * How much of a usual region this one is, up to 1: what a move costs for its own sake, and has to gain, goes with it. What it
     * gains is in proportion to the region's share of a server, so that with thousands of regions on a server no move would
     * be worth a fixed price. With {@value #USUAL_REGIONS} regions on a server or fewer every one counts fully; with more, one that
     * has as much load as a region of such a server.
     */
    double size(int region) {
        if (leastSize >= 1) {
            return 1;
        }
        double largest = 0;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            largest = index.counts(dimension) ? Math.max(largest, index.load(region, dimension)) : largest;
        }
        return Math.min(1, Math.max(leastSize, USUAL_REGIONS * largest));
    }
}
