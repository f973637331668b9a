package io.hearth.healing.loop;

import io.hearth.balancer.load.RegionId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The host that served a region before the one that serves it now, for regions that were planned on both. Not thread-safe.
 */
final class FormerHosts {

    private record Stay(String host, Optional<String> before) {}

    private final Map<RegionId, Stay> stayByRegion = new HashMap<>();

    /** Notes where a region is served; returns where it was served before, if that was seen. */
    Optional<String> before(RegionId region, String host) {
        Stay stay = stayByRegion.compute(region, (id, last) -> {
            if (last == null) {
                return new Stay(host, Optional.empty());
            }
            return last.host().equals(host) ? last : new Stay(host, Optional.of(last.host()));
        });
        return stay.before();
    }

    void forget(RegionId region) {
        stayByRegion.remove(region);
    }
}
