package io.hearth.healer.core;

import io.hearth.common.model.EncodedRegionName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The host that served a region before the one that serves it now, for regions that were planned on both. Not thread-safe.
 */
final class PreviousHosts {

    private record HostChange(String host, Optional<String> before) {}

    private final Map<EncodedRegionName, HostChange> hostChangeByRegion = new HashMap<>();

    /** Notes where a region is served; returns where it was served before, if that was seen. */
    Optional<String> before(EncodedRegionName region, String host) {
        HostChange hostChange = hostChangeByRegion.compute(region, (id, last) -> {
            if (last == null) {
                return new HostChange(host, Optional.empty());
            }
            return last.host().equals(host) ? last : new HostChange(host, Optional.of(last.host()));
        });
        return hostChange.before();
    }

    void forget(EncodedRegionName region) {
        hostChangeByRegion.remove(region);
    }
}
