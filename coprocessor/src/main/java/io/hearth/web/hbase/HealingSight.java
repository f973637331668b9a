package io.hearth.web.hbase;

import io.hearth.healing.config.HealAction;
import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.hbase.HealingDesk;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.web.history.ByteRates;
import io.hearth.web.model.HealingWord;
import io.hearth.web.model.HealingWord.State;
import java.time.Instant;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** Looks at one master's healer, and at how fast it has been of late. One thread's. */
final class HealingSight {

    /** As many as an operator reads; the rest is in JMX. */
    private static final int HEALS_SHOWN = 50;

    /** What a heal by the master can count as done; a request is at most 256 KB. */
    private static final int UNREPORTED_TOLD = 2_000;

    private final Configuration conf;
    private final ByteRates verified = new ByteRates();

    HealingSight(Configuration conf) {
        this.conf = conf;
    }

    HealingWord look(long nowMs) {
        return HealingDesk.of(conf).map(desk -> word(desk, nowMs)).orElse(HealingWord.NONE);
    }

    private HealingWord word(HealingDesk desk, long nowMs) {
        verified.add(nowMs, desk.count(HealingCounter.BYTES_VERIFIED));
        Map<HealingCounter, Long> counts = new EnumMap<>(HealingCounter.class);
        for (HealingCounter counter : HealingCounter.values()) {
            counts.put(counter, desk.count(counter));
        }
        Map<HealingGauge, Long> gauges = new EnumMap<>(HealingGauge.class);
        for (HealingGauge gauge : HealingGauge.values()) {
            gauges.put(gauge, desk.measure(gauge));
        }
        State state = state(desk, nowMs);
        return new HealingWord(
                true,
                state,
                why(desk, state),
                desk.config().bytesPerSecond(),
                verified.bytesPerSecond(),
                counts,
                gauges,
                List.copyOf(desk.lastHeals().stream().limit(HEALS_SHOWN).toList()),
                desk.localNotReported(UNREPORTED_TOLD));
    }

    /** In the order in which the healing loop asks. */
    private static State state(HealingDesk desk, long nowMs) {
        HealingConfig config = desk.config();
        if (!config.enabled()) {
            return State.OFF;
        }
        if (config.conduct().paused() || desk.brake().paused().isPresent()) {
            return State.PAUSED;
        }
        if (desk.brake().alarm().isPresent()) {
            return State.ALARMED;
        }
        if (!config.conduct().windows().isOpenAt(Instant.ofEpochMilli(nowMs), ZoneId.systemDefault())) {
            return State.OUTSIDE_WINDOWS;
        }
        if (config.conduct().mode() == HealAction.ADVISE) {
            return State.ADVISING;
        }
        return desk.measure(HealingGauge.WAITS_FOR_LOCK) > 0 ? State.WAITING : State.ON;
    }

    private static Optional<String> why(HealingDesk desk, State state) {
        return switch (state) {
            case NOT_INSTALLED, ON -> Optional.empty();
            case OFF -> Optional.of("hearth.heal.enabled is false");
            case PAUSED -> desk.brake().paused().or(() -> Optional.of("hearth.heal.paused is true"));
            case ALARMED -> desk.brake().alarm();
            case OUTSIDE_WINDOWS ->
                Optional.of("hearth.heal.windows is " + desk.config().conduct().windows());
            case ADVISING -> Optional.of("hearth.heal.mode is advise");
            case WAITING -> Optional.of("another healer has the lock, or nobody can say who has it");
        };
    }
}
