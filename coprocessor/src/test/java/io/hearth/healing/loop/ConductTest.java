package io.hearth.healing.loop;

import static io.hearth.healing.fakes.Racks.block;
import static io.hearth.healing.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.execute.MoveResult;
import io.hearth.healing.execute.MoveResult.Answer;
import io.hearth.healing.fakes.Conducts;
import io.hearth.healing.history.HealEnd;
import io.hearth.healing.history.HealOutcome;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.healing.model.BlockReplicas;
import io.hearth.healing.model.Replica;
import io.hearth.healing.model.StorageType;
import io.hearth.healing.model.StoreFile;
import io.hearth.healing.observe.NameNodePulse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When the loop acts, what it tells afterwards, and what it does where it can't act. */
class ConductTest {

    private final FakeCluster cluster = new FakeCluster();

    @Test
    void whileTheNameNodeDeletesNothingOneMoveIsMadeAtATime() {
        List<BlockReplicas> blocks = IntStream.range(1_000, 1_400)
                .mapToObj(number -> block(number, "a1", "b1", "b2"))
                .toList();
        cluster.hdfs.fileByPath.put(FakeCluster.FILE, new StoreFile(FakeCluster.FILE, 3, false, true, blocks));
        cluster.config = new HealingConfig(true, 1.0, 10_000, 5_000, 8, 8, 100, 30_000, 60_000, Conducts.usual());
        cluster.hdfs.keepsExcess = true;
        cluster.serve("c1", 0, 40_000);
        cluster.run(600_000);
        assertThat(cluster.hdfs.moved).as("one a second, until it is noticed").hasSizeBetween(20, 80);
        assertThat(cluster.metrics.get(HealingGauge.BLOCKS_IN_EXCESS)).isGreaterThan(8);
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_BOUNCED)).isZero();

        cluster.hdfs.keepsExcess = false;
        cluster.run(1_200_000);
        assertThat(cluster.isHome("c1")).isTrue();
        assertThat(cluster.metrics.get(HealingGauge.BLOCKS_IN_EXCESS)).isZero();
    }

    @Test
    void adviceMovesNothingAndIsPublished() {
        cluster.set(Conducts.with(Map.of("mode", "advise")));
        cluster.serve("c1", 0, 200);
        cluster.run(60_000);

        assertThat(cluster.hdfs.moved).isEmpty();
        assertThat(count(HealingCounter.BLOCKS_ADVISED)).isGreaterThanOrEqualTo(2);
        assertThat(count(HealingCounter.BLOCKS_PLANNED)).isZero();
        HealOutcome advice = cluster.memory.history().newestFirst().get(0);
        assertThat(advice.end()).isEqualTo(HealEnd.ADVISED);
        assertThat(advice.bytes()).isEqualTo(200);
        assertThat(gauge(HealingGauge.ENABLED)).isZero();

        cluster.set(Conducts.usual());
        cluster.run(120_000);
        assertThat(cluster.isHome("c1")).isTrue();
    }

    @Test
    void movesStartInTheirWindowsOnly() {
        cluster.set(Conducts.with(Map.of("windows", "mon 13:00-14:00")));
        cluster.serve("c1", 0, 200);
        cluster.run(50 * 60_000);
        assertThat(cluster.hdfs.moved).isEmpty();
        assertThat(cluster.hdfs.listings).isZero();
        assertThat(gauge(HealingGauge.OUTSIDE_WINDOWS)).isEqualTo(1);

        cluster.run(12 * 60_000);
        assertThat(cluster.isHome("c1")).isTrue();
        assertThat(gauge(HealingGauge.OUTSIDE_WINDOWS)).isZero();
    }

    @Test
    void aPauseOutlivesAReloadAndALoop() {
        cluster.memory.brake().pause("an operator looks into it");
        cluster.serve("c1", 0, 200);
        cluster.run(60_000);
        cluster.set(Conducts.with(Map.of("bounces.per.hour", "3")));
        cluster.makeLoopAnew();
        cluster.run(60_000);
        assertThat(cluster.hdfs.moved).isEmpty();
        assertThat(gauge(HealingGauge.PAUSED)).isEqualTo(1);

        cluster.memory.brake().resume();
        cluster.run(60_000);
        assertThat(cluster.isHome("c1")).isTrue();
        assertThat(gauge(HealingGauge.PAUSED)).isZero();
    }

    @Test
    void theKeyPausesAsWell() {
        cluster.dataNodesAnswer = false;
        cluster.serve("c1", 0, 200);
        cluster.run(20_000);
        cluster.set(Conducts.with(Map.of("paused", "true")));
        cluster.dataNodesAnswer = true;
        cluster.run(60_000);

        assertThat(count(HealingCounter.BLOCKS_VERIFIED))
                .as("what was under way is followed to its end")
                .isEqualTo(2);
    }

    @Test
    void tooManyBouncesStopItUntilSomebodySwitchesItOffAndOn() {
        cluster.set(Conducts.with(Map.of("bounces.per.hour", "2")));
        cluster.hdfs.deletesTheNewReplica = true;
        cluster.serve("c1", 0, 200);
        cluster.run(3_600_000);

        assertThat(count(HealingCounter.BLOCKS_BOUNCED)).isEqualTo(2);
        assertThat(count(HealingCounter.BOUNCE_ALARMS)).isEqualTo(1);
        assertThat(gauge(HealingGauge.ALARMED)).isEqualTo(1);
        assertThat(cluster.memory.brake().alarm()).isPresent();

        cluster.hdfs.deletesTheNewReplica = false;
        cluster.makeLoopAnew();
        cluster.run(60_000);
        assertThat(cluster.hdfs.moved).as("a new loop heeds the alarm").hasSize(2);
        cluster.enable(false);
        cluster.run(1_000);
        cluster.enable(true);
        cluster.run(60_000);
        assertThat(cluster.isHome("c1")).isTrue();
        assertThat(gauge(HealingGauge.ALARMED)).isZero();
    }

    @Test
    void aMoveUndoneAfterItWasVerifiedIsNoticedAndBackedOffFrom() {
        cluster.serve("c1", 0, 200);
        cluster.run(30_000);
        assertThat(cluster.isHome("c1")).isTrue();
        undo(1);
        cluster.run(30_000);

        assertThat(count(HealingCounter.BLOCKS_UNDONE)).isEqualTo(1);
        assertThat(count(HealingCounter.BLOCKS_HELD_BACK)).isPositive();
        assertThat(cluster.hdfs.moved).as("not moved again at once").hasSize(2);
        cluster.run(300_000);
        assertThat(cluster.isHome("c1")).isTrue();
    }

    @Test
    void aReplicaThatWentWithItsDataNodeIsNoBounce() {
        cluster.serve("c1", 0, 200);
        cluster.run(30_000);
        cluster.hdfs.nodes.removeIf(known -> known.isOn("c1"));
        cluster.run(60_000);
        undo(1);
        cluster.run(60_000);

        assertThat(count(HealingCounter.BLOCKS_UNDONE)).isZero();
    }

    @Test
    void theOutcomeIsRecordedOnceTheServerReportsIt() {
        cluster.serve("c1", 0, 200);
        cluster.run(40_000);
        assertThat(cluster.memory.history().newestFirst()).isEmpty();
        assertThat(gauge(HealingGauge.REGIONS_AWAITING_REPORT)).isEqualTo(1);
        cluster.serve("c1", 200, 200);
        cluster.run(10_000);

        assertThat(cluster.memory.history().newestFirst())
                .extracting(HealOutcome::end, HealOutcome::bytes, HealOutcome::blocks)
                .containsExactly(tuple(HealEnd.REPORTED, 200L, 2));
        HealOutcome outcome = cluster.memory.history().newestFirst().get(0);
        assertThat(outcome.verifiedAfterMs()).isBetween(5_000L, 20_000L);
        assertThat(outcome.endedAfterMs()).isBetween(30_000L, 45_000L);
        assertThat(gauge(HealingGauge.LAST_HEAL_MS)).isEqualTo(outcome.endedAfterMs());
        assertThat(cluster.refreshed).as("the balancer was told").contains(FakeCluster.R1);
    }

    @Test
    void aReportThatNeverComesIsNotWaitedForForEver() {
        cluster.serve("c1", 0, 200);
        cluster.run(3_700_000);

        assertThat(cluster.memory.history().newestFirst())
                .extracting(HealOutcome::end)
                .containsExactly(HealEnd.UNREPORTED);
        assertThat(gauge(HealingGauge.REGIONS_AWAITING_REPORT)).isZero();
    }

    @Test
    void aRegionThatLeavesBeforeItsReportIsRecorded() {
        cluster.serve("c1", 0, 200);
        cluster.run(30_000);
        cluster.serve("a2", 200, 200);
        cluster.run(15_000);

        assertThat(cluster.memory.history().newestFirst())
                .extracting(HealOutcome::end)
                .contains(HealEnd.LEFT);
    }

    @Test
    void adviceTakesNothingFromTheHealThatFollows() {
        cluster.set(Conducts.with(Map.of("mode", "advise")));
        cluster.serve("c1", 0, 200);
        cluster.run(20 * 3_600_000);
        assertThat(cluster.hdfs.moved).isEmpty();

        cluster.set(Conducts.usual());
        cluster.run(30_000);
        assertThat(cluster.isHome("c1")).isTrue();
    }

    @Test
    void adviceNeedsNoPrivilege() {
        cluster.hdfs.missingPrivilege = Optional.of("no block keys");
        cluster.set(Conducts.with(Map.of("mode", "advise")));
        cluster.serve("c1", 0, 200);
        cluster.run(30_000);

        assertThat(count(HealingCounter.BLOCKS_ADVISED)).isPositive();
        assertThat(count(HealingCounter.PRIVILEGE_MISSING)).isZero();
    }

    @Test
    void withoutThePrivilegeTheWorstFamiliesAreCompactedIfTheOperatorWantsIt() {
        cluster.hdfs.missingPrivilege = Optional.of("no block keys");
        cluster.set(Conducts.with(Map.of("fallback", "major-compact")));
        cluster.serve("c1", 0, 200);
        cluster.run(60_000);

        assertThat(cluster.compacted).containsExactly("r1/f");
        assertThat(count(HealingCounter.COMPACTION_BYTES)).isEqualTo(200);
        assertThat(cluster.memory.history().newestFirst())
                .extracting(HealOutcome::end)
                .containsExactly(HealEnd.COMPACTION_ASKED);
    }

    @Test
    void whereHdfsRefusesForGoodTheFallbackIsTaken() {
        for (int i = 0; i < 100; i++) {
            cluster.hdfs.answers.add(new MoveResult(Answer.REFUSED, "No more available volumes"));
        }
        cluster.set(Conducts.with(Map.of("fallback", "major-compact")));
        cluster.serve("c1", 0, 200);
        cluster.run(300_000);

        assertThat(cluster.compacted).containsExactly("r1/f");
        assertThat(count(HealingCounter.BLOCKS_FAILED))
                .as("three heals of two blocks, and they are tried again")
                .isGreaterThanOrEqualTo(6);
    }

    @Test
    void compactionsAreRateLimited() {
        cluster.hdfs.missingPrivilege = Optional.of("no block keys");
        cluster.set(Conducts.with(Map.of("fallback", "major-compact", "fallback.bytes.per.hour", "100")));
        cluster.compactionRefused = Optional.of("the region is gone");
        cluster.serve("c1", 0, 200);
        cluster.run(100_000);
        assertThat(cluster.compacted)
                .as("a refusal gives the place back, not the bytes")
                .hasSize(1);
    }

    @Test
    void aRunningHdfsBalancerHalvesTheRate() {
        cluster.hdfs.beat = new NameNodePulse.Beat(500, true, false);
        cluster.dataNodesAnswer = false;
        cluster.serve("c1", 0, 200);
        cluster.run(60_000);

        assertThat(count(HealingCounter.THROTTLED)).isPositive();
        assertThat(gauge(HealingGauge.PRESSURES)).isEqualTo(1);
        assertThat(gauge(HealingGauge.BYTES_PER_SECOND)).isLessThan(67_108_864L);
    }

    @Test
    void aClusterAtHomeIsNotFelt() {
        cluster.run(600_000);

        assertThat(cluster.hdfs.beats).isZero();
    }

    /** Somebody moves the replica on c1 of this block away. */
    private void undo(long number) {
        StoreFile file = Objects.requireNonNull(cluster.hdfs.fileByPath.get(FakeCluster.FILE));
        List<BlockReplicas> blocks = file.blocks().stream()
                .map(block -> block.block().number() == number ? movedBack(block) : block)
                .toList();
        cluster.hdfs.fileByPath.put(file.path(), new StoreFile(file.path(), 3, false, true, blocks));
    }

    private static BlockReplicas movedBack(BlockReplicas block) {
        return new BlockReplicas(
                block.block(),
                block.lengthBytes(),
                block.replicas().stream()
                        .map(replica -> replica.node().isOn("c1") ? new Replica(node("a2"), StorageType.DISK) : replica)
                        .toList(),
                false);
    }

    private long count(HealingCounter counter) {
        return cluster.metrics.get(counter);
    }

    private long gauge(HealingGauge gauge) {
        return cluster.metrics.get(gauge);
    }
}
