package io.hearth.bench.cluster;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * What came of one variant. Immutable.
 *
 * @param events what came of each event
 * @param hotSpot what came of the hot spot
 * @param requests that clients were answered
 * @param errors requests that failed
 * @param firstError what the first of them met; empty if there is none
 */
public record VariantResult(
        Map<Event, EventResult> events, HotSpotResult hotSpot, long requests, long errors, String firstError) {

    public VariantResult {
        events = Collections.unmodifiableMap(new EnumMap<>(events));
    }
}
