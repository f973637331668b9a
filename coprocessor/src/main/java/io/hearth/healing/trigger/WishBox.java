package io.hearth.healing.trigger;

import io.hearth.balancer.load.RegionId;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The regions that a person wants to be looked at now, until the loop takes them. Unlike a hint a wish is not found by looking;
 * one for a region that is not served, or of a table that is not to be healed, comes to nothing. Thread-safe.
 */
public final class WishBox {

    private final SortedSet<RegionId> wishes = new TreeSet<>();

    public void wish(Collection<RegionId> regions) {
        synchronized (wishes) {
            wishes.addAll(regions);
        }
    }

    /** The wishes since the last time. */
    public Set<RegionId> take() {
        synchronized (wishes) {
            Set<RegionId> taken = Collections.unmodifiableSet(new TreeSet<>(wishes));
            wishes.clear();
            return taken;
        }
    }
}
