package io.hearth.balancer.planner;

import java.util.Arrays;

/** A count for each number that was ever counted: a hash table over primitives. Not thread-safe. */
final class LongCountMap {

    private static final long FREE = -1;

    private long[] keys;
    private int[] counts;
    private int used;

    /** What is done with each number and its count. */
    interface Visitor {
        void visit(long key, int count);
    }

    /** @param expected how many different numbers there will be, about */
    LongCountMap(int expected) {
        int size = Integer.highestOneBit(Math.max(8, expected)) * 4;
        keys = new long[size];
        counts = new int[size];
        Arrays.fill(keys, FREE);
    }

    /** The count of this number, 0 where it was never counted. */
    int get(long key) {
        int slot = slot(key);
        return keys[slot] == FREE ? 0 : counts[slot];
    }

    void add(long key, int change) {
        int slot = slot(key);
        if (keys[slot] == FREE) {
            keys[slot] = key;
            used++;
        }
        counts[slot] += change;
        if (used * 2 > keys.length) {
            grow();
        }
    }

    void forEach(Visitor visitor) {
        for (int slot = 0; slot < keys.length; slot++) {
            if (keys[slot] != FREE) {
                visitor.visit(keys[slot], counts[slot]);
            }
        }
    }

    private int slot(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        int slot = (int) (mixed >>> 32) & (keys.length - 1);
        while (keys[slot] != FREE && keys[slot] != key) {
            slot = (slot + 1) & (keys.length - 1);
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldCounts = counts;
        keys = new long[oldKeys.length * 2];
        counts = new int[oldKeys.length * 2];
        Arrays.fill(keys, FREE);
        for (int old = 0; old < oldKeys.length; old++) {
            if (oldKeys[old] != FREE) {
                int slot = slot(oldKeys[old]);
                keys[slot] = oldKeys[old];
                counts[slot] = oldCounts[old];
            }
        }
    }
}
