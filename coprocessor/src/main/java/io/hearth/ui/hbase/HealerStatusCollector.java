// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.healer.config.HealPolicySettings.HealingMode;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.hbase.HealerAdmin;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.ui.model.PageInput.HealerStatus;
import io.hearth.ui.model.PageInput.HealerStatus.State;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.conf.Configuration;

/** Reads the state of one master's healer, and its rate of late. One thread's. */
final class HealerStatusCollector {

    /** As many as an operator reads; the rest is in JMX. */
    private static final int HEALS_SHOWN = 50;

    private final Configuration conf;
    private final RollingByteRate verified = new RollingByteRate();

    HealerStatusCollector(Configuration conf) {
        this.conf = conf;
    }

    HealerStatus collect(long nowMs) {
        return HealerAdmin.of(conf)
                .map(healerAdmin -> report(healerAdmin, nowMs))
                .orElse(HealerStatus.NONE);
    }

    private HealerStatus report(HealerAdmin healerAdmin, long nowMs) {
        verified.add(nowMs, healerAdmin.count(HealingCounter.BYTES_VERIFIED));
        Map<HealingCounter, Long> counts = new EnumMap<>(HealingCounter.class);
        for (HealingCounter counter : HealingCounter.values()) {
            counts.put(counter, healerAdmin.count(counter));
        }
        Map<HealingGauge, Long> gauges = new EnumMap<>(HealingGauge.class);
        for (HealingGauge gauge : HealingGauge.values()) {
            gauges.put(gauge, healerAdmin.measure(gauge));
        }
        State state = state(healerAdmin, nowMs);
        return new HealerStatus(
                true,
                state,
                why(healerAdmin, state),
                healerAdmin.config().limits().clusterBytesPerSecond(),
                healerAdmin.config().limits().dataNodeBytesPerSecond(),
                verified.bytesPerSecond(),
                counts,
                gauges,
                List.copyOf(healerAdmin.lastHeals().stream().limit(HEALS_SHOWN).toList()),
                healerAdmin.localNotReported(),
                healerAdmin.unhealthyDataNodes(nowMs));
    }

    /** In the order in which the healing loop asks. */
    static State state(HealerAdmin healerAdmin, long nowMs) {
        HealingConfig config = healerAdmin.config();
        if (!config.enabled()) {
            return State.OFF;
        }
        if (config.policy().paused() || healerAdmin.pauseSwitch().paused().isPresent()) {
            return State.PAUSED;
        }
        if (healerAdmin.pauseSwitch().alarm().isPresent()) {
            return State.ALARMED;
        }
        if (healerAdmin.brake().isPresent()) {
            return State.BRAKED;
        }
        if (!config.policy().windows().isOpenAt(Instant.ofEpochMilli(nowMs), ZoneId.systemDefault())) {
            return State.OUTSIDE_WINDOWS;
        }
        if (config.policy().mode() == HealingMode.ADVISE) {
            return State.ADVISING;
        }
        return healerAdmin.measure(HealingGauge.WAITS_FOR_LOCK) > 0 ? State.WAITING : State.ON;
    }

    private static Optional<String> why(HealerAdmin healerAdmin, State state) {
        return switch (state) {
            case NOT_INSTALLED, ON -> Optional.empty();
            case OFF -> Optional.of("hearth.heal.enabled is false");
            case PAUSED -> healerAdmin.pauseSwitch().paused().or(() -> Optional.of("hearth.heal.paused is true"));
            case ALARMED -> healerAdmin.pauseSwitch().alarm();
            case BRAKED -> healerAdmin.brake();
            case OUTSIDE_WINDOWS ->
                Optional.of("hearth.heal.windows is "
                        + healerAdmin.config().policy().windows());
            case ADVISING -> Optional.of("hearth.heal.mode is advise");
            case WAITING -> Optional.of("another healer has the lock, or its holder is not known");
        };
    }

    /**
     * How fast a counter of bytes has grown of late: its values of the last {@value #WINDOW_MS} ms. A counter that went back
     * begins anew, and so does one that was read after now, by a clock that was set back. Not thread-safe.
     */
    static final class RollingByteRate {

        /** Long enough for a few blocks of the usual size, short enough to be called now; milliseconds. */
        static final long WINDOW_MS = 120_000;

        private record Reading(long atMs, long bytes) {}

        private final Deque<Reading> readings = new ArrayDeque<>();

        /** Takes the counter's value; of several at the same time the first counts. */
        public void add(long nowMs, long bytes) {
            if (!readings.isEmpty()
                    && (bytes < readings.getLast().bytes()
                            || nowMs < readings.getLast().atMs())) {
                readings.clear();
            }
            if (readings.isEmpty() || nowMs > readings.getLast().atMs()) {
                readings.addLast(new Reading(nowMs, bytes));
            }
            while (readings.size() > 2 && readings.getFirst().atMs() < nowMs - WINDOW_MS) {
                readings.removeFirst();
            }
        }

        /** Bytes per second over the window; empty before the second reading. */
        public OptionalDouble bytesPerSecond() {
            if (readings.size() < 2) {
                return OptionalDouble.empty();
            }
            Reading first = readings.getFirst();
            Reading last = readings.getLast();
            return OptionalDouble.of((last.bytes() - first.bytes()) * 1_000.0 / (last.atMs() - first.atMs()));
        }
    }
}
