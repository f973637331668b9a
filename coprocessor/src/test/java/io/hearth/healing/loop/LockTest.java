package io.hearth.healing.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healing.fakes.Conducts;
import io.hearth.healing.fakes.FakeLock;
import io.hearth.healing.fakes.Memories;
import io.hearth.healing.lock.LockAnswer;
import io.hearth.healing.lock.LockState;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingGauge;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The loop and the lock: nothing moves without it, and nobody asks for it without work. */
class LockTest {

    private final FakeLock lock = new FakeLock();
    private final FakeCluster cluster = new FakeCluster();

    LockTest() {
        cluster.memory = Memories.with(lock, () -> cluster.nowMs);
        cluster.makeLoopAnew();
    }

    @Test
    void aClusterThatIsAtHomeIsNotEvenAskedForTheLock() {
        cluster.run(600_000);

        assertThat(lock.calls).isEmpty();
    }

    @Test
    void workTakesItAndGivesItBack() {
        cluster.serve("a2", 0, 200);
        cluster.run(60_000);
        cluster.serve("a2", 200, 200);
        cluster.run(60_000);

        assertThat(cluster.isHome("a2")).isTrue();
        assertThat(lock.calls).startsWith("take").endsWith("release");
    }

    @Test
    void whileAnotherHasItNothingIsListedOrMoved() {
        long listed = cluster.metrics.get(HealingCounter.REGIONS_LISTED);
        lock.onTake = new LockAnswer.HeldBy(Memories.SELF);
        cluster.serve("a2", 0, 200);
        cluster.run(120_000);

        assertThat(cluster.isHome("a2")).isFalse();
        assertThat(cluster.metrics.get(HealingCounter.REGIONS_LISTED)).isEqualTo(listed);
        assertThat(cluster.metrics.get(HealingGauge.WAITS_FOR_LOCK)).isEqualTo(1);
        assertThat(cluster.metrics.get(HealingGauge.ENABLED)).isZero();

        lock.onTake = new LockAnswer.Held();
        cluster.run(60_000);
        assertThat(cluster.isHome("a2")).isTrue();
        assertThat(cluster.metrics.get(HealingGauge.WAITS_FOR_LOCK)).isZero();
    }

    @Test
    void whoMayNotHaveItLacksAPrivilege() {
        lock.onTake = new LockAnswer.Refused("append is not permitted");
        cluster.serve("a2", 0, 200);
        cluster.run(60_000);

        assertThat(cluster.isHome("a2")).isFalse();
        assertThat(cluster.metrics.get(HealingCounter.PRIVILEGE_MISSING)).isPositive();
        assertThat(cluster.metrics.get(HealingGauge.WAITS_FOR_LOCK)).isEqualTo(1);

        lock.onTake = new LockAnswer.Held();
        cluster.run(60_000);
        assertThat(cluster.isHome("a2")).isTrue();
    }

    @Test
    void whenItIsLostMovesThatWaitAreDroppedAndThoseUnderWayAreFollowed() {
        cluster.dataNodesAnswer = false;
        cluster.serve("a2", 0, 200);
        cluster.run(20_000);
        assertThat(cluster.dataNodeThreads).isNotEmpty();
        int underWay = cluster.dataNodeThreads.size();
        lock.onConfirm = new LockAnswer.Lost("gone");
        lock.onTake = new LockAnswer.HeldBy(Memories.SELF);
        cluster.run(20_000);
        assertThat(cluster.memory.tenure().state()).isEqualTo(LockState.ELSEWHERE);
        assertThat(cluster.metrics.get(HealingGauge.BLOCKS_WAITING)).isZero();

        cluster.dataNodesAnswer = true;
        cluster.run(60_000);
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_VERIFIED)).isEqualTo(underWay);
        assertThat(cluster.dataNodeThreads).isEmpty();
    }

    @Test
    void adviceNeedsNoLock() {
        cluster.set(Conducts.with(Map.of("mode", "advise")));
        cluster.serve("a2", 0, 200);
        cluster.run(60_000);

        assertThat(lock.calls).isEmpty();
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_ADVISED)).isPositive();
    }
}
