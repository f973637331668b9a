// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.exact;

import java.util.Arrays;

/**
 * Whether a small cluster can be brought below a limit by so many moves: by trying all that can matter, so it is proven. A server
 * above the limit has to give one of its regions; which one and to whom is tried in turn, and a region that was passed over
 * stays in what is tried after it. A server with too few regions has to take one likewise. Not thread-safe.
 */
final class FewestMoves {

    private final long allowed;
    private final long[][] loads;
    private final long[][] loadByServer;
    private final int[] count = new int[SmallInstance.SERVERS];
    private final int[] server;
    /** Regions that were moved, or stay. */
    private final boolean[] isSettled = new boolean[SmallInstance.REGIONS];

    /** @param allowed the most that a server may have in any dimension */
    FewestMoves(SmallInstance instance, long allowed) {
        this.allowed = allowed;
        server = instance.servers();
        loads = new long[SmallInstance.DIMENSIONS.size()][];
        loadByServer = new long[loads.length][SmallInstance.SERVERS];
        for (int dimension = 0; dimension < loads.length; dimension++) {
            loads[dimension] = instance.loads(dimension);
            for (int region = 0; region < SmallInstance.REGIONS; region++) {
                loadByServer[dimension][server[region]] += loads[dimension][region];
            }
        }
        for (int of : server) {
            count[of]++;
        }
    }

    /** Whether there is a plan of no more moves than this. */
    boolean isWithin(int moves) {
        int fullest = -1;
        int needed = 0;
        for (int of = 0; of < SmallInstance.SERVERS; of++) {
            int mustGive = mustGive(of);
            needed += mustGive;
            fullest = fullest < 0 && mustGive > 0 ? of : fullest;
        }
        if (needed > moves) {
            return false;
        }
        return fullest >= 0 ? canGive(fullest, moves) : canFill(moves);
    }

    /** The fewest regions that this server gives in any case: its largest, in the dimension that asks for most. */
    private int mustGive(int of) {
        int most = Math.max(0, count[of] - SmallInstance.MOST);
        for (int dimension = 0; dimension < loads.length; dimension++) {
            long excess = loadByServer[dimension][of] - allowed;
            if (excess > 0) {
                most = Math.max(most, given(of, loads[dimension], excess));
            }
        }
        return most;
    }

    private int given(int of, long[] load, long excess) {
        long[] own = new long[SmallInstance.REGIONS];
        int size = 0;
        for (int region = 0; region < own.length; region++) {
            if (server[region] == of && !isSettled[region]) {
                own[size++] = load[region];
            }
        }
        Arrays.sort(own, 0, size);
        long left = excess;
        int given = 0;
        while (left > 0 && given < size) {
            given++;
            left -= own[size - given];
        }
        return left > 0 ? SmallInstance.REGIONS + 1 : given;
    }

    private boolean canGive(int from, int moves) {
        boolean[] before = isSettled.clone();
        boolean isFound = false;
        for (int region = 0; region < SmallInstance.REGIONS && !isFound; region++) {
            if (server[region] == from && !isSettled[region]) {
                for (int to = 0; to < SmallInstance.SERVERS && !isFound; to++) {
                    isFound = to != from && canMove(region, to, moves);
                }
                isSettled[region] = true;
            }
        }
        System.arraycopy(before, 0, isSettled, 0, before.length);
        return isFound;
    }

    /** Whether servers with too few regions can be filled; true where there is none. */
    private boolean canFill(int moves) {
        int emptiest = 0;
        for (int of = 0; of < SmallInstance.SERVERS; of++) {
            emptiest = count[of] < count[emptiest] ? of : emptiest;
        }
        if (count[emptiest] >= SmallInstance.FEWEST) {
            return true;
        }
        boolean[] before = isSettled.clone();
        boolean isFound = false;
        for (int region = 0; region < SmallInstance.REGIONS && moves > 0 && !isFound; region++) {
            if (server[region] != emptiest && !isSettled[region]) {
                isFound = canMove(region, emptiest, moves);
                isSettled[region] = true;
            }
        }
        System.arraycopy(before, 0, isSettled, 0, before.length);
        return isFound;
    }

    private boolean canMove(int region, int to, int moves) {
        if (moves == 0) {
            return false;
        }
        int from = server[region];
        shift(region, from, to);
        isSettled[region] = true;
        boolean isFound = isWithin(moves - 1);
        isSettled[region] = false;
        shift(region, to, from);
        return isFound;
    }

    private void shift(int region, int from, int to) {
        server[region] = to;
        count[from]--;
        count[to]++;
        for (int dimension = 0; dimension < loads.length; dimension++) {
            loadByServer[dimension][from] -= loads[dimension][region];
            loadByServer[dimension][to] += loads[dimension][region];
        }
    }
}
