// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What came of one variant. Immutable.
 *
 * @param events what came of each event; of none where they were left out
 * @param hotSpot what came of the hot spot; empty where it was left out
 * @param rounds what came of each kind of rounds; of none that was left out, or where nothing brings data home
 * @param requests that clients were answered
 * @param errors requests that failed
 * @param firstError what the first of them met; empty if there is none
 */
public record VariantResult(
        Map<TopologyEvent, EventResult> events,
        Optional<HotSpotResult> hotSpot,
        Map<BenchmarkStage, MoveRoundsResult> rounds,
        long requests,
        long errors,
        String firstError) {

    public VariantResult {
        events = copy(events, TopologyEvent.class);
        rounds = copy(rounds, BenchmarkStage.class);
    }

    private static <K extends Enum<K>, V> Map<K, V> copy(Map<K, V> values, Class<K> keys) {
        Map<K, V> copy = new EnumMap<>(keys);
        copy.putAll(values);
        return Collections.unmodifiableMap(copy);
    }
}
