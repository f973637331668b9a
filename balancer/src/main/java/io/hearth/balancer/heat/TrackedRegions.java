// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The regions that are followed, found by name: a hash table with open addressing and linear probing (Knuth, The Art of Computer
 * Programming, vol. 3, 6.4). A tracker has its name in itself, so that a region takes 5 to 10 bytes here, where a {@link
 * java.util.HashMap} takes 75 with its entry and key.
 *
 * <p>Regions go seldom and many at a time: the table is then made anew. Not thread-safe.
 */
final class TrackedRegions extends AbstractCollection<RegionLoadTracker> {

    private static final int LEAST_SLOTS = 16;

    /** So full at most, of ten: a region that is not there is then known after 13 slots on average. */
    private static final int MOST_TENTHS = 8;

    private @Nullable RegionLoadTracker[] slots = new RegionLoadTracker[LEAST_SLOTS];
    private int size;

    /** The region of this name; null where it is not followed. */
    @Nullable RegionLoadTracker get(RegionNameHash name) {
        int slot = home(name);
        RegionLoadTracker tracker = slots[slot];
        while (tracker != null && !tracker.hasName(name)) {
            slot = after(slot);
            tracker = slots[slot];
        }
        return tracker;
    }

    /** Adds a region that is not followed yet. */
    @Override
    public boolean add(RegionLoadTracker tracker) {
        size++;
        if (10L * size > (long) MOST_TENTHS * slots.length) {
            move(2 * slots.length);
        }
        put(tracker);
        return true;
    }

    @Override
    public boolean removeIf(Predicate<? super RegionLoadTracker> isGone) {
        int before = size;
        for (int slot = 0; slot < slots.length; slot++) {
            RegionLoadTracker tracker = slots[slot];
            if (tracker != null && isGone.test(tracker)) {
                slots[slot] = null;
                size--;
            }
        }
        if (size == before) {
            return false;
        }
        int needed = LEAST_SLOTS;
        while (10L * size > (long) MOST_TENTHS * needed) {
            needed *= 2;
        }
        move(needed);
        return true;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Iterator<RegionLoadTracker> iterator() {
        return new Iterator<>() {

            private int slot = firstFrom(0);

            @Override
            public boolean hasNext() {
                return slot < slots.length;
            }

            @Override
            public RegionLoadTracker next() {
                RegionLoadTracker tracker = hasNext() ? slots[slot] : null;
                if (tracker == null) {
                    throw new NoSuchElementException();
                }
                slot = firstFrom(slot + 1);
                return tracker;
            }
        };
    }

    /** The first slot with a region, from this one on; the number of slots where there is none. */
    private int firstFrom(int slot) {
        int first = slot;
        while (first < slots.length && slots[first] == null) {
            first++;
        }
        return first;
    }

    private void move(int toSlots) {
        @Nullable RegionLoadTracker[] from = slots;
        slots = new RegionLoadTracker[toSlots];
        for (RegionLoadTracker tracker : from) {
            if (tracker != null) {
                put(tracker);
            }
        }
    }

    private void put(RegionLoadTracker tracker) {
        int slot = home(tracker.name());
        while (slots[slot] != null) {
            slot = after(slot);
        }
        slots[slot] = tracker;
    }

    /** The number of slots is a power of two. */
    private int home(RegionNameHash name) {
        int hash = name.hashCode();
        return (hash ^ (hash >>> 16)) & (slots.length - 1);
    }

    private int after(int slot) {
        return (slot + 1) & (slots.length - 1);
    }
}
