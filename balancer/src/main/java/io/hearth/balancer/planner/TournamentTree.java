// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import java.util.Arrays;

/**
 * The servers in the order of a key, as a winner tree: the largest is at hand, the largest few cost a few steps down the tree
 * each, and a change of a key costs one way up. Of equal keys the lower server comes first. Not thread-safe.
 */
final class TournamentTree {

    /** The key of a server that is to be found last or never. */
    static final double LAST = Double.NEGATIVE_INFINITY;

    private final int leaves;
    private final double[] key;
    /** The best server of every subtree; the children of node {@code i} are {@code 2 i} and {@code 2 i + 1}. */
    private final int[] winner;
    /** Nodes of which the best server is still to be taken, while the largest few are sought. */
    private int[] open = new int[64];

    TournamentTree(int servers) {
        leaves = Math.max(1, servers <= 1 ? 1 : Integer.highestOneBit(servers - 1) * 2);
        key = new double[leaves];
        Arrays.fill(key, LAST);
        winner = new int[2 * leaves];
        for (int server = 0; server < leaves; server++) {
            winner[leaves + server] = server;
        }
        playAll();
    }

    /** Sets all keys at once. */
    void fill(double[] keys) {
        System.arraycopy(keys, 0, key, 0, keys.length);
        playAll();
    }

    /** Also where no server is: a subtree of none must not have one for its best that is elsewhere. */
    private void playAll() {
        for (int node = leaves - 1; node >= 1; node--) {
            winner[node] = better(winner[2 * node], winner[2 * node + 1]);
        }
    }

    void set(int server, double newKey) {
        key[server] = newKey;
        for (int node = (leaves + server) / 2; node >= 1; node /= 2) {
            winner[node] = better(winner[2 * node], winner[2 * node + 1]);
        }
    }

    double key(int server) {
        return key[server];
    }

    /** The server with the largest key. */
    int top() {
        return winner[1];
    }

    /** Writes the servers with the largest keys, best first, and says how many there are; never one with {@link #LAST}. */
    int top(int most, int[] into, int offset) {
        if (open.length < most * 40) {
            open = new int[most * 40];
        }
        int count = 0;
        int opened = 1;
        open[0] = 1;
        while (count < most && opened > 0) {
            int best = bestOpen(opened);
            int node = open[best];
            open[best] = open[--opened];
            int server = winner[node];
            if (key[server] == LAST) {
                break;
            }
            into[offset + count++] = server;
            while (node < leaves) {
                int left = 2 * node;
                boolean isLeft = winner[left] == server;
                open[opened++] = isLeft ? left + 1 : left;
                node = isLeft ? left : left + 1;
            }
        }
        return count;
    }

    private int bestOpen(int opened) {
        int best = 0;
        for (int index = 1; index < opened; index++) {
            int challenger = winner[open[index]];
            if (challenger != winner[open[best]] && better(winner[open[best]], challenger) == challenger) {
                best = index;
            }
        }
        return best;
    }

    private int better(int one, int other) {
        if (key[one] == key[other]) {
            return Math.min(one, other);
        }
        return key[one] > key[other] ? one : other;
    }
}
