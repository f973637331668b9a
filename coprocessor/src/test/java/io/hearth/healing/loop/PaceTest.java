package io.hearth.healing.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.log.RareLog;
import io.hearth.healing.fakes.CountedMetrics;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.healing.observe.NameNodePulse.Beat;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.UnknownReason;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class PaceTest {

    private static final long LIMIT = 1_000;

    private final CountedMetrics metrics = new CountedMetrics();
    private Observed<Beat> beat = Observed.known(new Beat(1_000, false, false));
    private List<Long> reads = List.of(2_000L);
    private int felt;
    private final Pace pace = new Pace(
            () -> {
                felt++;
                return beat;
            },
            () -> reads,
            metrics,
            new RareLog(LoggerFactory.getLogger(PaceTest.class)));
    private long nowMs;

    @Test
    void feelsEveryFiveSecondsAndOnlyAtWork() {
        run(60, true);
        assertThat(felt).isEqualTo(12);
        run(600, false);
        assertThat(felt).isEqualTo(12);
        assertThat(rate()).isEqualTo(LIMIT);
    }

    @Test
    void aNameNodeSlowerThanItsOwnPastHalvesTheRate() {
        run(60, true);
        beat = Observed.known(new Beat(90_000, false, false));
        run(15, true);

        assertThat(metrics.get(HealingCounter.THROTTLED)).isEqualTo(1);
        assertThat(rate()).isEqualTo(LIMIT / 2);
        beat = Observed.known(new Beat(1_000, false, false));
        run(30, true);
        assertThat(rate()).isEqualTo(LIMIT);
    }

    @Test
    void readsSlowerThanTheirOwnPastHalveTheRate() {
        run(60, true);
        reads = List.of(400_000L, 400_000L);
        run(15, true);

        assertThat(metrics.get(HealingCounter.THROTTLED)).isPositive();
        assertThat(rate()).isLessThan(LIMIT);
    }

    @Test
    void aNameNodeThatCanNotSayIsNoPressure() {
        beat = Observed.unknown(UnknownReason.NAMENODE_FAILED, "connection refused");
        run(60, true);

        assertThat(metrics.get(HealingCounter.THROTTLED)).isZero();
    }

    @Test
    void aRefusalHalvesAtOnce() {
        run(60, true);
        assertThat(pace.bytesPerSecond(LIMIT, true, 3, nowMs)).isEqualTo(LIMIT / 2);
        assertThat(metrics.get(HealingGauge.PRESSURES)).isEqualTo(1);
    }

    @Test
    void listingsArePacedAndASlowNameNodeGetsATenthOfThem() {
        run(60, true);
        assertThat(listingsIn(10)).isBetween(500, 550);
        beat = Observed.known(new Beat(90_000, false, false));
        run(15, true);
        assertThat(listingsIn(10)).isBetween(50, 55);
    }

    private int listingsIn(int seconds) {
        int listings = 0;
        for (long untilMs = nowMs + seconds * 1_000L; nowMs < untilMs; nowMs += 10) {
            listings += pace.mayList(nowMs) ? 1 : 0;
        }
        return listings;
    }

    private void run(int seconds, boolean atWork) {
        for (long untilMs = nowMs + seconds * 1_000L; nowMs < untilMs; nowMs += 100) {
            pace.bytesPerSecond(LIMIT, atWork, 0, nowMs);
        }
    }

    private long rate() {
        return metrics.get(HealingGauge.BYTES_PER_SECOND);
    }
}
