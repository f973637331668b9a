// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.healer.history.HealHistory.HealRecord;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.ServedRegion;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the healer says of itself. Immutable.
 *
 * @param installed whether this master has a healer; where it has none, everything else is empty
 * @param why why it rests, as a sentence; empty where it does not
 * @param limitBytesPerSecond the operator's limit; 0 for none
 * @param verifiedBytesPerSecond what was verified of late; empty where nobody has watched for long enough
 * @param lastHeals what came of the last heals, newest first
 * @param localNotReported regions that the NameNode says are local and whose servers report less; not all where they are many
 */
public record HealerStatus(
        boolean installed,
        State state,
        Optional<String> why,
        long limitBytesPerSecond,
        OptionalDouble verifiedBytesPerSecond,
        Map<HealingCounter, Long> counts,
        Map<HealingGauge, Long> gauges,
        List<HealRecord> lastHeals,
        List<ServedRegion> localNotReported) {

    /** There is no healer in this master. */
    public static final HealerStatus NONE = new HealerStatus(
            false,
            State.NOT_INSTALLED,
            Optional.empty(),
            0,
            OptionalDouble.empty(),
            Map.of(),
            Map.of(),
            List.of(),
            List.of());

    /** What the healer does. */
    public enum State {
        NOT_INSTALLED("not installed"),
        ON("on"),
        OFF("switched off"),
        PAUSED("paused"),
        ALARMED("stopped by an alarm"),
        OUTSIDE_WINDOWS("outside its windows"),
        ADVISING("advice only"),
        WAITING("waiting for another healer to end");

        private final String text;

        State(String text) {
            this.text = text;
        }

        /** The state in words. */
        public String text() {
            return text;
        }
    }

    public HealerStatus {
        counts = Collections.unmodifiableMap(byEnum(new EnumMap<>(HealingCounter.class), counts));
        gauges = Collections.unmodifiableMap(byEnum(new EnumMap<>(HealingGauge.class), gauges));
        lastHeals = List.copyOf(lastHeals);
        localNotReported = List.copyOf(localNotReported);
    }

    private static <K extends Enum<K>> Map<K, Long> byEnum(Map<K, Long> empty, Map<K, Long> values) {
        empty.putAll(values);
        return empty;
    }

    public long count(HealingCounter counter) {
        return counts.getOrDefault(counter, 0L);
    }

    public long gauge(HealingGauge gauge) {
        return gauges.getOrDefault(gauge, 0L);
    }
}
