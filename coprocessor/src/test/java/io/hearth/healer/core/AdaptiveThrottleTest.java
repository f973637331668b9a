// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import io.hearth.common.log.RateLimitedLogger;
import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import io.hearth.healer.core.HealerServices.DataNodeAllowance;
import io.hearth.healer.core.HealerServices.NameNodeProbe.Sample;
import io.hearth.healer.core.HealerServices.ReadProbe;
import io.hearth.healer.fakes.CountedMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.MoveExecutor.DataNodeLimits;
import io.hearth.healer.move.ReplyTimes;
import io.hearth.healer.spi.NameNodeUsage;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import io.hearth.healer.throttle.NameNodeBudget;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;

class AdaptiveThrottleTest {

    private static final long LIMIT = 1_000;
    private static final DataNode A = node("a1");
    private static final DataNode B = node("b1");
    private static final DataNode C = node("c1");

    private final CountedMetrics metrics = new CountedMetrics();
    private Observed<Sample> sample = Observed.known(new Sample(1_000, false, false));
    private final Map<String, Long> readMicrosByHost = new HashMap<>(Map.of("a1", 2_000L, "b1", 2_000L));
    private final Set<DataNode> asked = new HashSet<>();
    private final List<ReadProbe.Sample> leftOverReads = new ArrayList<>();
    private DataNodeLimits allowed = new DataNodeLimits(100, LIMIT);
    private boolean haveSaid = true;
    private HealLimitConfig config = limits(0, 0);
    private final NameNodeUsage usage = new NameNodeUsage();
    private final NameNodeBudget budget = new NameNodeBudget(usage);
    private int lastReasons;
    private final Logger logger = mock(Logger.class);
    private final AdaptiveThrottle throttle = new AdaptiveThrottle(
            () -> {
                lastReasons++;
                return sample;
            },
            this::reads,
            new Allowance(),
            budget,
            new ReplyTimes(),
            metrics,
            new RateLimitedLogger(logger));
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
    void tellsHowFarItsSlowestDataNodeIsFromTheLimitAsLongAsThatIsRemembered() {
        run(1, true);
        assertThat(lowestRatePercent()).isEqualTo(25);
        run(8, true);
        assertThat(lowestRatePercent()).isEqualTo(100);
        tick(1, true, Set.of(A.id()));
        limits(A);
        tick(1, true, Set.of());
        assertThat(lowestRatePercent()).as("one of two").isEqualTo(50);
        run(590, false);
        assertThat(lowestRatePercent()).isEqualTo(50);
        run(20, false);
        assertThat(lowestRatePercent()).as("forgotten").isZero();
    }

    @Test
    void aRateIsNotMoreThanAHundredPercentOfALimitThatWasLowered() {
        run(9, true);
        config = limits(LIMIT / 10, 0);
        tick(1, false, Set.of());

        assertThat(lowestRatePercent()).isEqualTo(100);
    }

    /** Regions that are found local are listed again and again. Broken (a look uses the rate): it is at its limit after nine of them. */
    @Test
    void toLookAtARateUsesNothingOfIt() {
        for (nowMs = 0; nowMs < 20_000; nowMs += 1_000) {
            tick(1, true, Set.of());
            assertThat(throttle.bytesPerSecond(A)).isEqualTo(LIMIT / 4);
        }
        tick(1, true, Set.of());

        assertThat(lowestRatePercent()).isZero();
        assertThat(rate(A)).isEqualTo(LIMIT / 4);
    }

    private long lowestRatePercent() {
        return metrics.get(HealingGauge.LOWEST_RATE_PERCENT);
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

    /** By their own word, and once for each value. */
    @Test
    void aLimitAboveWhatDataNodesAllowIsToldOnce() {
        config = limits(2 * LIMIT, 0);
        haveSaid = false;
        run(60, true);
        verifyNoInteractions(logger);
        haveSaid = true;
        String line =
                "hearth.heal.datanode.bandwidth is 2.0 KB/s, and 2 of 2 DataNodes in use (a1, b1) allow less for block"
                        + " moves: what they allow is used. hdfs dfsadmin -setBalancerBandwidth raises it.";
        run(300, true);
        verify(logger, times(1)).warn("{}{}", line, "", null);

        config = limits(LIMIT, 0);
        run(300, true);
        verifyNoMoreInteractions(logger);
        assertThat(rate()).isEqualTo(LIMIT);
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "true, true"})
    void theHdfsBalancerAndMoverLeaveItAQuarterOfTheRateAndThatIsToldOnce(boolean balancerRuns, boolean moverRuns) {
        run(60, true);
        sample = Observed.known(new Sample(1_000, balancerRuns, moverRuns));
        run(300, true);

        assertThat(metrics.get(HealingCounter.THROTTLED))
                .as("nothing was halved")
                .isZero();
        assertThat(metrics.get(HealingGauge.THROTTLE_REASONS)).isEqualTo(balancerRuns && moverRuns ? 2 : 1);
        assertThat(rate()).isEqualTo(LIMIT / 4);
        verify(logger, times(balancerRuns ? 1 : 0)).warn("{}{}", runs("Balancer"), "", null);
        verify(logger, times(moverRuns ? 1 : 0)).warn("{}{}", runs("Mover"), "", null);
        sample = Observed.unknown(UnknownReason.NAMENODE_FAILED, "connection refused");
        run(30, true);
        assertThat(rate()).as("nobody said that it has ended").isEqualTo(LIMIT / 4);
        sample = Observed.known(new Sample(1_000, false, false));
        run(30, true);
        assertThat(rate()).isEqualTo(LIMIT);
    }

    /** A Balancer that runs as a service is there before healing begins; and between two heals nothing says that it has gone. */
    @Test
    void aBalancerThatRunsFromTheBeginningIsToldAndHoldsBetweenMovesToo() {
        sample = Observed.known(new Sample(1_000, true, false));
        run(20, true);
        verify(logger).warn("{}{}", runs("Balancer"), "", null);
        for (int second = 0; second < 20; second++) {
            nowMs += 1_000;
            tick(1, false, Set.of());
            assertThat(rate(A)).isEqualTo(LIMIT / 4);
        }
        assertThat(metrics.get(HealingGauge.THROTTLE_REASONS)).isZero();
        nowMs += 20_000;
        tick(1, false, Set.of());
        assertThat(rate(A)).as("that was too long ago").isGreaterThan(LIMIT / 4);
    }

    private static String runs(String tool) {
        return "The HDFS " + tool
                + " runs: until it ends, healing stays at a quarter of each DataNode's limit for block moves.";
    }

    @Test
    void readsSlowerThanTheirOwnPastHalveTheRate() {
        run(60, true);
        readMicrosByHost.putAll(Map.of("a1", 400_000L, "b1", 400_000L));
        run(15, true);

        assertThat(metrics.get(HealingCounter.THROTTLED)).isPositive();
        assertThat(rate()).isLessThan(LIMIT);
    }

    @Test
    void slowReadsOnOneHostSlowItsDataNodeDownAlone() {
        run(60, true);
        readMicrosByHost.put("a1", 400_000L);
        run(15, true);

        assertThat(rate(A)).isLessThanOrEqualTo(LIMIT / 2);
        assertThat(rate(B)).isEqualTo(LIMIT);
        assertThat(metrics.get(HealingGauge.THROTTLE_REASONS)).isEqualTo(1);
    }

    /** Its RegionServer calls itself by its address. */
    @Test
    void aHostIsKnownByItsAddressAsWell() {
        DataNode node = B;
        readMicrosByHost.put(node.ipAddress(), 2_000L);
        run(60, true);
        readMicrosByHost.put(node.ipAddress(), 400_000L);
        run(15, true);

        assertThat(rate(B)).isLessThanOrEqualTo(LIMIT / 2);
    }

    /** One read was under way when the last heal ended, and comes to be known an hour later. */
    @Test
    void whatWasSlowAtTheEndOfOneHealSaysNothingOfTheNext() {
        run(60, true);
        readMicrosByHost.putAll(Map.of("a1", 400_000L, "b1", 400_000L));
        sample = Observed.known(new Sample(90_000, false, false));
        run(10, true);
        long throttled = metrics.get(HealingCounter.THROTTLED);
        assertThat(throttled).isPositive();
        run(120, false);
        readMicrosByHost.putAll(Map.of("a1", 2_000L, "b1", 2_000L));
        sample = Observed.known(new Sample(1_000, false, false));
        leftOverReads.add(new ReadProbe.Sample("a1", 400_000L, 119_000));
        run(15, true);

        assertThat(metrics.get(HealingCounter.THROTTLED)).isEqualTo(throttled);
        assertThat(rate()).isEqualTo(LIMIT);
    }

    @Test
    void readsWhileRegionsMoveAreNotHeldAgainstIt() {
        run(60, true);
        readMicrosByHost.putAll(Map.of("a1", 400_000L, "b1", 400_000L));
        for (int second = 0; second < 20; second++) {
            throttle.regionsMoved(List.of("a1"), nowMs);
            run(1, true);
        }
        assertThat(rate(A)).isEqualTo(LIMIT);
        assertThat(rate(B)).isLessThan(LIMIT);

        run(20, true);
        assertThat(rate(A)).as("they are slow long after that").isLessThan(LIMIT);
    }

    @Test
    void aDataNodeThatGivesItsReplicaUpIsNotInUse() {
        run(1, true);
        assertThat(throttle.dataNodeLimits().movesAsSource(C)).isEqualTo(2);
        tick(1, true, Set.of());

        assertThat(asked).doesNotContain(C);
        assertThat(metrics.get(HealingGauge.BYTES_PER_SECOND)).isEqualTo(LIMIT / 4);
    }

    /** Plans are made before anything is measured. */
    @Test
    void theFirstTurnsPlanFindsTheRateThatHealingStartsWith() {
        throttle.setLimits(config, 1, nowMs);
        assertThat(rate(A)).isEqualTo(LIMIT / 4);
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
        tick(1, true, Set.of(A.id()));

        assertThat(rate(A)).isEqualTo(LIMIT / 2);
        assertThat(rate(A)).as("asked twice in a turn").isEqualTo(LIMIT / 2);
        assertThat(rate(B)).isEqualTo(LIMIT);
        assertThat(metrics.get(HealingGauge.THROTTLE_REASONS)).isEqualTo(1);
        run(1, true);
        assertThat(metrics.get(HealingCounter.THROTTLED)).isEqualTo(1);
        run(30, true);
        assertThat(rate(A)).isEqualTo(LIMIT);
    }

    /** The executor backs off from it, and asks for no rate of it meanwhile. */
    @Test
    void aDataNodeThatWasTooBusyIsSlowedDownWhenItIsAskedForAgain() {
        run(60, true);
        tick(1, true, Set.of(A.id()));
        nowMs += 2_000;
        tick(1, true, Set.of());

        assertThat(rate(A)).isEqualTo(LIMIT / 2);
        assertThat(rate(B)).isEqualTo(LIMIT);
        nowMs += 1_000;
        tick(1, true, Set.of());
        assertThat(rate(A)).as("once").isEqualTo(LIMIT / 2 + LIMIT / 10);
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
        tick(LoopTuning.SLOW_PACE, true, Set.of());
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

    @Test
    void aHalvedRateNamesTheDataNodesAndTheReason() {
        run(60, true);
        tick(1, true, Set.of(A.id()));
        limits(A);
        run(1, true);

        verify(logger)
                .warn(
                        "{}{}",
                        "Healing goes at half its rate at 1 DataNode of 2 (a1), because of [DATANODE_BUSY].",
                        "",
                        null);
    }

    @Test
    void aNameNodeThatTakesHalfAMinuteForACallIsToldOf() {
        usage.called(9_999_000);
        run(1, true);
        verifyNoInteractions(logger);
        usage.called(30_000_000);
        run(1, true);
        run(1, true);

        verify(logger)
                .warn(
                        "{}{}",
                        "The NameNode took 30 s for one call: plans and confirmations of moves come as late. Nothing is lost.",
                        "",
                        null);
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
            tick(1, atWork, Set.of());
            if (atWork) {
                limits(A);
                limits(B);
            }
        }
    }

    private void tick(double pace, boolean atWork, Set<DataNode.Id> busy) {
        throttle.setLimits(config, pace, nowMs);
        throttle.tick(atWork, busy);
    }

    private List<ReadProbe.Sample> reads(Collection<DataNode> touched) {
        List<ReadProbe.Sample> taken = new ArrayList<>(leftOverReads);
        leftOverReads.clear();
        Stream.concat(touched.stream().map(DataNode::host), touched.stream().map(DataNode::ipAddress))
                .filter(readMicrosByHost::containsKey)
                .forEach(host -> taken.add(new ReadProbe.Sample(host, readMicrosByHost.get(host), 0)));
        return taken;
    }

    private final class Allowance implements DataNodeAllowance {

        @Override
        public DataNodeLimits of(DataNode node) {
            asked.add(node);
            return allowed;
        }

        @Override
        public DataNodeLimits known(DataNode node) {
            return allowed;
        }

        @Override
        public boolean hasSaid(DataNode node) {
            return haveSaid;
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
        tick(1, true, Set.of());
        return metrics.get(HealingGauge.BYTES_PER_SECOND);
    }
}
