// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.engine.BrakeLeases;
import io.hearth.balancer.engine.BrakeLeases.RefusedLeaseException;
import io.hearth.healer.fakes.CountedMetrics;
import io.hearth.healer.fakes.HealPolicies;
import io.hearth.healer.fakes.HealerStates;
import io.hearth.healer.lock.HealerLock;
import io.hearth.healer.lock.HealerLockManager;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Healing under the brake of an SLO watch. */
class HealBrakeTest {

    private final FakeCluster cluster = new FakeCluster();
    private final BrakeLeases leases = new BrakeLeases();

    @BeforeEach
    void giveItABrake() {
        cluster.healerState = new HealerState(
                new HealerLockManager(HealerLock.UNCONTESTED, () -> HealerStates.SELF, () -> 0, new CountedMetrics()),
                HealerState.HealListener.NONE,
                BandwidthRaise.none(),
                () -> leases.inForce(cluster.nowMs));
        cluster.makeLoopAnew();
    }

    private void brake(int seconds) throws RefusedLeaseException {
        leases.renew("ops1", "gets", seconds, cluster.nowMs);
    }

    @Test
    void noMoveStartsUntilTheLeaseEndsByItself() throws RefusedLeaseException {
        brake(60);
        cluster.serve("c1", 0, 200);
        cluster.run(59_000);

        assertThat(cluster.hdfs.moved).isEmpty();
        assertThat(cluster.hdfs.listings).isZero();
        assertThat(cluster.metrics.get(HealingGauge.BRAKED)).isEqualTo(1);
        assertThat(cluster.metrics.get(HealingGauge.ENABLED)).isZero();

        cluster.run(60_000);
        assertThat(cluster.isLocal("c1")).isTrue();
        assertThat(cluster.metrics.get(HealingGauge.BRAKED)).isZero();
    }

    @Test
    void whatIsUnderWayEndsAndNothingElseStarts() throws RefusedLeaseException {
        cluster.dataNodesAnswer = false;
        cluster.serve("c1", 0, 200);
        cluster.run(20_000);
        brake(60);
        cluster.serve("c2", 0, 200);
        cluster.dataNodesAnswer = true;
        cluster.run(40_000);

        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_VERIFIED)).isEqualTo(2);
        assertThat(cluster.hdfs.moved).hasSize(2);
        assertThat(cluster.metrics.get(HealingGauge.BLOCKS_IN_FLIGHT)).isZero();
    }

    @Test
    void whyItRestsHasAnOrder() {
        PauseSwitch pauseSwitch = new PauseSwitch();
        Clock noon = Clock.fixed(Instant.parse("2026-03-02T12:00:00Z"), ZoneOffset.UTC);

        cluster.set(HealPolicies.with(Map.of("windows", "mon 13:00-14:00")));
        assertThat(PauseReason.now(cluster.config, pauseSwitch, false, noon)).contains(PauseReason.OUTSIDE_WINDOWS);
        assertThat(PauseReason.now(cluster.config, pauseSwitch, true, noon)).contains(PauseReason.BRAKED);
        pauseSwitch.raiseAlarm("too many");
        assertThat(PauseReason.now(cluster.config, pauseSwitch, true, noon)).contains(PauseReason.ALARMED);
        cluster.set(HealPolicies.usual());
        pauseSwitch.resume();
        assertThat(PauseReason.now(cluster.config, pauseSwitch, false, noon)).isEqualTo(Optional.empty());
    }
}
