// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.log.RateLimitedLogger;
import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import io.hearth.healer.core.HealerServices.NameNodeProbe.Sample;
import io.hearth.healer.fakes.CountedMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.MoveExecutor.DataNodeLimits;
import io.hearth.healer.spi.NameNodeUsage;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import io.hearth.healer.throttle.NameNodeBudget;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class AdaptiveThrottleTest {

    private static final long LIMIT = 1_000;
    private static final DataNode A = node("a1");
    private static final DataNode B = node("b1");

    private final CountedMetrics metrics = new CountedMetrics();
    private Observed<Sample> sample = Observed.known(new Sample(1_000, false, false));
    private List<Long> reads = List.of(2_000L);
    private DataNodeLimits allowed = new DataNodeLimits(100, LIMIT);
    private HealLimitConfig config = limits(0, 0);
    private final NameNodeUsage usage = new NameNodeUsage();
    private final NameNodeBudget budget = new NameNodeBudget(usage);
    private int lastReasons;
    private final AdaptiveThrottle throttle = new AdaptiveThrottle(
            () -> {
                lastReasons++;
                return sample;
            },
            () -> reads,
            node -> allowed,
            budget,
            metrics,
            new RateLimitedLogger(LoggerFactory.getLogger(AdaptiveThrottleTest.class)));
    private long nowMs;

    @Test
    void feelsEveryFiveSecondsAndOnlyAtWork() {
        run(60, true);
        assertThat(lastReasons).isEqualTo(12);
        run(600, false);
        assertThat(lastReasons).isEqualTo(12);
        assertThat(metrics.get(HealingGauge.BYTES_PER_SECOND))
                .as("no DataNode is in use")
                .isZero();
        run(1, true);
        assertThat(rate())
                .as("of two of them, each half of a move, begun anew after ten minutes")
                .isEqualTo(LIMIT / 4);
    }

    @Test
    void aNameNodeSlowerThanItsOwnPastHalvesTheRate() {
        run(60, true);
        sample = Observed.known(new Sample(90_000, false, false));
        run(15, true);

        assertThat(metrics.get(HealingCounter.THROTTLED)).isEqualTo(1);
        assertThat(rate()).isEqualTo(LIMIT / 2);
        sample = Observed.known(new Sample(1_000, false, false));
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
        sample = Observed.unknown(UnknownReason.NAMENODE_FAILED, "connection refused");
        run(60, true);

        assertThat(metrics.get(HealingCounter.THROTTLED)).isZero();
    }

    @Test
    void aDataNodeThatIsTooBusySlowsItselfDownAlone() {
        run(60, true);
        assertThat(rate(A)).isEqualTo(LIMIT);
        throttle.tick(config, 1, true, Set.of(A.id()), nowMs);

        assertThat(rate(A)).isEqualTo(LIMIT / 2);
        assertThat(rate(A)).as("asked twice in a turn").isEqualTo(LIMIT / 2);
        assertThat(rate(B)).isEqualTo(LIMIT);
        assertThat(metrics.get(HealingGauge.THROTTLE_REASONS)).isEqualTo(1);
        run(1, true);
        assertThat(metrics.get(HealingCounter.THROTTLED)).isEqualTo(1);
        run(30, true);
        assertThat(rate(A)).isEqualTo(LIMIT);
    }

    @Test
    void theLimitIsWhatTheDataNodeAllowsOrTheOperatorWhereThatIsLess() {
        run(60, true);
        assertThat(rate(A)).isEqualTo(LIMIT);
        config = limits(600, 0);
        run(1, true);
        assertThat(rate(A)).isEqualTo(600);
        config = limits(5_000, 0);
        run(60, true);
        assertThat(rate(A)).as("more than the DataNode allows").isEqualTo(LIMIT);
        allowed = new DataNodeLimits(100, 300);
        run(1, true);
        assertThat(rate(A)).as("somebody has told the DataNode").isEqualTo(300);
    }

    @Test
    void afterAnAlarmEachDataNodeGetsAQuarter() {
        config = limits(0, 8);
        run(60, true);
        assertThat(limits(A)).isEqualTo(new DataNodeLimits(8, LIMIT));
        throttle.tick(config, LoopTuning.SLOW_PACE, true, Set.of(), nowMs);
        assertThat(limits(A)).isEqualTo(new DataNodeLimits(2, LIMIT / 4));
    }

    @Test
    void asManyMovesAsTheBandwidthNeedsAndHalfOfTheQuotaAtMost() {
        allowed = new DataNodeLimits(100, 100 << 20);
        run(1, true);
        assertThat(limits(A).moves()).isEqualTo(2);
        allowed = new DataNodeLimits(100, 1L << 30);
        assertThat(limits(A).moves()).isEqualTo(5);
        allowed = new DataNodeLimits(6, 1L << 30);
        assertThat(limits(A).moves()).isEqualTo(3);
        allowed = new DataNodeLimits(1, 1L << 30);
        assertThat(limits(A).moves()).isEqualTo(1);
        config = limits(0, 4);
        allowed = new DataNodeLimits(100, 1L << 30);
        run(1, true);
        assertThat(limits(A).moves()).isEqualTo(4);
    }

    /** The executor asks all waiting moves again where the function is another one. */
    @Test
    void otherLimitsOfTheOperatorAreAnotherFunction() {
        run(1, true);
        Function<DataNode, DataNodeLimits> before = throttle.dataNodeLimits();
        run(1, true);
        assertThat(throttle.dataNodeLimits()).isSameAs(before);
        config = limits(600, 0);
        run(1, true);
        assertThat(throttle.dataNodeLimits()).isNotSameAs(before);
    }

    @Test
    void aSlowNameNodeGetsATenthOfTheCalls() {
        run(60, true);
        assertThat(callsIn(10))
                .as("2 % of a handler, 500 microseconds for each call")
                .isBetween(400, 441);
        sample = Observed.known(new Sample(90_000, false, false));
        run(15, true);
        assertThat(callsIn(10)).isBetween(40, 45);
    }

    private int callsIn(int seconds) {
        int calls = 0;
        for (long untilMs = nowMs + seconds * 1_000L; nowMs < untilMs; nowMs += 10) {
            if (budget.mayCall(nowMs)) {
                calls++;
                usage.called(500);
            }
        }
        return calls;
    }

    private static HealLimitConfig limits(long dataNodeBytesPerSecond, int dataNodeMoves) {
        return new HealLimitConfig(dataNodeBytesPerSecond, dataNodeMoves, 0, 0, 100, 0.02, 500);
    }

    private void run(int seconds, boolean atWork) {
        for (long untilMs = nowMs + seconds * 1_000L; nowMs < untilMs; nowMs += 100) {
            throttle.tick(config, 1, atWork, Set.of(), nowMs);
            if (atWork) {
                limits(A);
                limits(B);
            }
        }
    }

    private DataNodeLimits limits(DataNode node) {
        return throttle.dataNodeLimits().apply(node);
    }

    private long rate(DataNode node) {
        return limits(node).bytesPerSecond();
    }

    /** Of the two DataNodes that are asked for. */
    private long rate() {
        throttle.tick(config, 1, true, Set.of(), nowMs);
        return metrics.get(HealingGauge.BYTES_PER_SECOND);
    }
}
