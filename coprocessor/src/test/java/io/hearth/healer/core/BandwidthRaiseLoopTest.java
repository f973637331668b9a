// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.core.BandwidthRaise.RaisedBandwidth;
import io.hearth.healer.core.HealerState.HealListener;
import io.hearth.healer.fakes.CountedMetrics;
import io.hearth.healer.fakes.FakeDataNodeBandwidth;
import io.hearth.healer.fakes.FakeLock;
import io.hearth.healer.fakes.HealerStates;
import io.hearth.healer.lock.HealerLock.LockResult;
import io.hearth.healer.lock.HealerLockManager;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A loop that raises what DataNodes allow, or finds it raised. */
class BandwidthRaiseLoopTest {

    private static final long MB = 1 << 20;

    private final FakeCluster cluster = new FakeCluster();
    private final FakeLock lock = new FakeLock();
    private final FakeDataNodeBandwidth dataNodes = new FakeDataNodeBandwidth();

    private void loop(OptionalLong raiseTo) {
        cluster.healerState = new HealerState(
                new HealerLockManager(lock, () -> HealerStates.SELF, () -> cluster.nowMs, new CountedMetrics()),
                HealListener.NONE,
                new BandwidthRaise(dataNodes, raiseTo));
        cluster.makeLoopAnew();
    }

    @Test
    void movesBeginOnceItIsRaised() {
        dataNodes.valueByNode.put("b1:9866", 50 * MB);
        loop(OptionalLong.of(400 * MB));
        cluster.serve("a2", 0, 200);
        cluster.run(60_000);
        assertThat(cluster.healerState.bandwidthRaise().refusal()).isPresent();
        assertThat(cluster.isLocal("a2")).as("what was asked for is not so").isFalse();

        dataNodes.valueByNode.put("b1:9866", 100 * MB);
        loop(OptionalLong.of(400 * MB));
        cluster.run(60_000);
        assertThat(dataNodes.valueByNode).containsOnly(Map.entry("a1:9866", 400 * MB), Map.entry("b1:9866", 400 * MB));
        assertThat(cluster.isLocal("a2")).isTrue();
    }

    @Test
    void whatAKilledHealerLeftIsPutBackThoughThereIsNothingToHeal() {
        dataNodes.kept = Optional.of(new RaisedBandwidth(100 * MB, 400 * MB));
        dataNodes.valueByNode.replaceAll((node, before) -> 400 * MB);
        lock.onTake = new LockResult.HeldBy(HealerStates.SELF);
        loop(OptionalLong.empty());
        cluster.run(30_000);
        assertThat(dataNodes.kept).as("its healer lives").isPresent();

        lock.onTake = new LockResult.Held();
        cluster.enable(false);
        cluster.run(60_000);
        assertThat(dataNodes.calls).containsExactly("ask", "set 100", "delete");
        assertThat(lock.calls).endsWith("release");
    }

    @Test
    void aResumeLooksAgain() {
        loop(OptionalLong.empty());
        cluster.run(1_000);
        dataNodes.kept = Optional.of(new RaisedBandwidth(100 * MB, 400 * MB));
        dataNodes.valueByNode.replaceAll((node, before) -> 400 * MB);
        cluster.run(60_000);
        assertThat(dataNodes.kept).as("nobody has work").isPresent();

        cluster.healerState.bandwidthRaise().lookAgain();
        cluster.run(1_000);
        assertThat(dataNodes.kept).isEmpty();
    }
}
