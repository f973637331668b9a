package io.hearth.bench.cluster;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What came of one variant. Immutable.
 *
 * @param events what came of each event
 * @param hotSpot what came of the hot spot
 * @param rounds of regions that came to a host without their blocks; empty where nothing brings them home
 * @param requests that clients were answered
 * @param errors requests that failed
 * @param firstError what the first of them met; empty if there is none
 */
public record VariantResult(
        Map<Event, EventResult> events,
        HotSpotResult hotSpot,
        Optional<RoundsResult> rounds,
        long requests,
        long errors,
        String firstError) {

    public VariantResult {
        events = Collections.unmodifiableMap(new EnumMap<>(events));
    }
}
