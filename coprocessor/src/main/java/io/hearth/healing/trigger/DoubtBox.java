package io.hearth.healing.trigger;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.locality.HomeDoubt;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The regions that are said to be away from a host whose server reports them at home, until the loop takes them. Thread-safe.
 */
public final class DoubtBox implements HomeDoubt {

    private final Map<RegionId, String> hostByRegion = new TreeMap<>();

    @Override
    public void isAwayThoughReportedHome(RegionId region, String host) {
        synchronized (hostByRegion) {
            hostByRegion.put(region, host);
        }
    }

    /** The doubts since the last time: hosts by region. */
    public Map<RegionId, String> take() {
        synchronized (hostByRegion) {
            Map<RegionId, String> taken = Collections.unmodifiableMap(new TreeMap<>(hostByRegion));
            hostByRegion.clear();
            return taken;
        }
    }
}
