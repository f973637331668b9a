// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static io.hearth.healer.fakes.Racks.block;
import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.fakes.HealLimits;
import io.hearth.healer.fakes.HealPolicies;
import io.hearth.healer.history.HealHistory.HealEndState;
import io.hearth.healer.history.HealHistory.HealRecord;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When the loop acts, what it tells afterwards, and what it does where it can't act. */
class HealPolicyTest {

    private final FakeCluster cluster = new FakeCluster();

    @Test
    void whileTheNameNodeDeletesNothingOneMoveIsMadeAtATime() {
        List<BlockReplicas> blocks = IntStream.range(1_000, 1_400)
                .mapToObj(number -> block(number, "a1", "b1", "b2"))
                .toList();
        cluster.hdfs.fileByPath.put(FakeCluster.FILE, new StoreFile(FakeCluster.FILE, 3, false, true, blocks));
        cluster.config = new HealingConfig(
                true, 1.0, 10_000, 5_000, HealLimits.of(8, 8, 100), 30_000, 60_000, HealPolicies.usual());
        cluster.hdfs.keepsExcess = true;
        cluster.serve("c1", 0, 40_000);
        cluster.run(600_000);
        assertThat(cluster.hdfs.moved).as("one a second, until it is noticed").hasSizeBetween(20, 80);
        assertThat(cluster.metrics.get(HealingGauge.BLOCKS_IN_EXCESS)).isGreaterThan(8);
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_REVERTED)).isZero();

        cluster.hdfs.keepsExcess = false;
        cluster.run(1_200_000);
        assertThat(cluster.isLocal("c1")).isTrue();
        assertThat(cluster.metrics.get(HealingGauge.BLOCKS_IN_EXCESS)).isZero();
    }

    @Test
    void adviceMovesNothingAndIsPublished() {
        cluster.set(HealPolicies.with(Map.of("mode", "advise")));
        cluster.serve("c1", 0, 200);
        cluster.run(60_000);

        assertThat(cluster.hdfs.moved).isEmpty();
        assertThat(count(HealingCounter.BLOCKS_ADVISED)).isGreaterThanOrEqualTo(2);
        assertThat(count(HealingCounter.BLOCKS_PLANNED)).isZero();
        HealRecord advice = cluster.healerState.history().newestFirst().get(0);
        assertThat(advice.end()).isEqualTo(HealEndState.ADVISED);
        assertThat(advice.bytes()).isEqualTo(200);
        assertThat(gauge(HealingGauge.ENABLED)).isZero();

        cluster.set(HealPolicies.usual());
        cluster.run(120_000);
        assertThat(cluster.isLocal("c1")).isTrue();
    }

    @Test
    void movesStartInTheirWindowsOnly() {
        cluster.set(HealPolicies.with(Map.of("windows", "mon 13:00-14:00")));
        cluster.serve("c1", 0, 200);
        cluster.run(50 * 60_000);
        assertThat(cluster.hdfs.moved).isEmpty();
        assertThat(cluster.hdfs.listings).isZero();
        assertThat(gauge(HealingGauge.OUTSIDE_WINDOWS)).isEqualTo(1);

        cluster.run(12 * 60_000);
        assertThat(cluster.isLocal("c1")).isTrue();
        assertThat(gauge(HealingGauge.OUTSIDE_WINDOWS)).isZero();
    }

    @Test
    void aPauseOutlivesAReloadAndALoop() {
        cluster.healerState.pauseSwitch().pause("an operator looks into it");
        cluster.serve("c1", 0, 200);
        cluster.run(60_000);
        cluster.set(HealPolicies.with(Map.of("max.reverted.moves.per.hour", "3")));
        cluster.makeLoopAnew();
        cluster.run(60_000);
        assertThat(cluster.hdfs.moved).isEmpty();
        assertThat(gauge(HealingGauge.PAUSED)).isEqualTo(1);

        cluster.healerState.pauseSwitch().resume();
        cluster.run(60_000);
        assertThat(cluster.isLocal("c1")).isTrue();
        assertThat(gauge(HealingGauge.PAUSED)).isZero();
    }

    @Test
    void theKeyPausesAsWell() {
        cluster.dataNodesAnswer = false;
        cluster.serve("c1", 0, 200);
        cluster.run(20_000);
        cluster.set(HealPolicies.with(Map.of("paused", "true")));
        cluster.dataNodesAnswer = true;
        cluster.run(60_000);

        assertThat(count(HealingCounter.BLOCKS_VERIFIED))
                .as("what was under way is followed to its end")
                .isEqualTo(2);
    }

    @Test
    void tooManyRevertedMovesStopItUntilSomebodySwitchesItOffAndOn() {
        cluster.set(HealPolicies.with(Map.of("max.reverted.moves.per.hour", "2")));
        cluster.hdfs.deletesTheNewReplica = true;
        cluster.serve("c1", 0, 200);
        cluster.run(3_600_000);

        assertThat(count(HealingCounter.BLOCKS_REVERTED)).isEqualTo(2);
        assertThat(count(HealingCounter.REVERT_ALARMS)).isEqualTo(1);
        assertThat(gauge(HealingGauge.ALARMED)).isEqualTo(1);
        assertThat(cluster.healerState.pauseSwitch().alarm()).isPresent();

        cluster.hdfs.deletesTheNewReplica = false;
        cluster.makeLoopAnew();
        cluster.run(60_000);
        assertThat(cluster.hdfs.moved).as("a new loop heeds the alarm").hasSize(2);
        cluster.enable(false);
        cluster.run(1_000);
        cluster.enable(true);
        cluster.run(60_000);
        assertThat(cluster.isLocal("c1")).isTrue();
        assertThat(gauge(HealingGauge.ALARMED)).isZero();
    }

    @Test
    void aMoveUndoneAfterItWasVerifiedIsNoticedAndBackedOffFrom() {
        cluster.serve("c1", 0, 200);
        cluster.run(30_000);
        assertThat(cluster.isLocal("c1")).isTrue();
        undo(1);
        cluster.run(30_000);

        assertThat(count(HealingCounter.BLOCKS_REVERTED_AFTER_VERIFY)).isEqualTo(1);
        assertThat(count(HealingCounter.BLOCKS_BACKED_OFF)).isPositive();
        assertThat(cluster.hdfs.moved).as("not moved again at once").hasSize(2);
        cluster.run(300_000);
        assertThat(cluster.isLocal("c1")).isTrue();
    }

    @Test
    void aReplicaThatWentWithItsDataNodeIsNotReverted() {
        cluster.serve("c1", 0, 200);
        cluster.run(30_000);
        cluster.hdfs.nodes.removeIf(known -> known.isOn("c1"));
        cluster.run(60_000);
        undo(1);
        cluster.run(60_000);

        assertThat(count(HealingCounter.BLOCKS_REVERTED_AFTER_VERIFY)).isZero();
    }

    @Test
    void theOutcomeIsRecordedOnceTheServerReportsIt() {
        cluster.serve("c1", 0, 200);
        cluster.run(40_000);
        assertThat(cluster.healerState.history().newestFirst()).isEmpty();
        assertThat(gauge(HealingGauge.REGIONS_AWAITING_REPORT)).isEqualTo(1);
        cluster.serve("c1", 200, 200);
        cluster.run(10_000);

        assertThat(cluster.healerState.history().newestFirst())
                .extracting(HealRecord::end, HealRecord::bytes, HealRecord::blocks)
                .containsExactly(tuple(HealEndState.REPORTED, 200L, 2));
        HealRecord outcome = cluster.healerState.history().newestFirst().get(0);
        assertThat(outcome.verifiedAfterMs()).isBetween(5_000L, 20_000L);
        assertThat(outcome.endedAfterMs()).isBetween(30_000L, 45_000L);
        assertThat(gauge(HealingGauge.LAST_HEAL_MS)).isEqualTo(outcome.endedAfterMs());
        assertThat(cluster.refreshed).as("the balancer was told").contains(FakeCluster.R1);
    }

    @Test
    void aReportThatNeverComesIsNotWaitedForForEver() {
        cluster.serve("c1", 0, 200);
        cluster.run(3_700_000);

        assertThat(cluster.healerState.history().newestFirst())
                .extracting(HealRecord::end)
                .containsExactly(HealEndState.UNREPORTED);
        assertThat(gauge(HealingGauge.REGIONS_AWAITING_REPORT)).isZero();
    }

    @Test
    void aRegionThatLeavesBeforeItsReportIsRecorded() {
        cluster.serve("c1", 0, 200);
        cluster.run(30_000);
        cluster.serve("a2", 200, 200);
        cluster.run(15_000);

        assertThat(cluster.healerState.history().newestFirst())
                .extracting(HealRecord::end)
                .contains(HealEndState.REGION_MOVED);
    }

    @Test
    void adviceTakesNothingFromTheHealThatFollows() {
        cluster.set(HealPolicies.with(Map.of("mode", "advise")));
        cluster.serve("c1", 0, 200);
        cluster.run(20 * 3_600_000, 500);
        assertThat(cluster.hdfs.moved).isEmpty();

        cluster.set(HealPolicies.usual());
        cluster.run(30_000);
        assertThat(cluster.isLocal("c1")).isTrue();
    }

    @Test
    void adviceNeedsNoPrivilege() {
        cluster.hdfs.missingPrivilege = Optional.of("no block keys");
        cluster.set(HealPolicies.with(Map.of("mode", "advise")));
        cluster.serve("c1", 0, 200);
        cluster.run(30_000);

        assertThat(count(HealingCounter.BLOCKS_ADVISED)).isPositive();
        assertThat(count(HealingCounter.PRIVILEGE_MISSING)).isZero();
    }

    @Test
    void withoutThePrivilegeTheWorstFamiliesAreCompactedIfTheOperatorWantsIt() {
        cluster.hdfs.missingPrivilege = Optional.of("no block keys");
        cluster.set(HealPolicies.with(Map.of("fallback", "major-compact")));
        cluster.serve("c1", 0, 200);
        cluster.run(60_000);

        assertThat(cluster.compacted).containsExactly("r1/f");
        assertThat(count(HealingCounter.COMPACTION_BYTES)).isEqualTo(200);
        assertThat(cluster.healerState.history().newestFirst())
                .extracting(HealRecord::end)
                .containsExactly(HealEndState.COMPACTION_REQUESTED);
    }

    @Test
    void whereHdfsRefusesForGoodTheFallbackIsTaken() {
        for (int i = 0; i < 100; i++) {
            cluster.hdfs.responses.add(new MoveResult(Response.REFUSED, "No more available volumes"));
        }
        cluster.set(HealPolicies.with(Map.of("fallback", "major-compact")));
        cluster.serve("c1", 0, 200);
        cluster.run(300_000);

        assertThat(cluster.compacted).containsExactly("r1/f");
        assertThat(count(HealingCounter.BLOCKS_FAILED))
                .as("three heals of two blocks, and they are tried again")
                .isGreaterThanOrEqualTo(6);
    }

    @Test
    void whatTheDataNodeOfAnotherHostRefusedIsNoReasonToCompact() {
        for (int i = 0; i < 100; i++) {
            cluster.hdfs.responses.add(new MoveResult(Response.REFUSED, "No more available volumes"));
        }
        cluster.serve("c1", 0, 200);
        cluster.run(300_000);
        cluster.hdfs.responses.clear();
        cluster.set(HealPolicies.with(Map.of("fallback", "major-compact")));
        cluster.serve("c2", 100, 200);
        cluster.run(60_000);

        assertThat(cluster.compacted).isEmpty();
        assertThat(cluster.isLocal("c2")).isTrue();
    }

    @Test
    void compactionsAreRateLimited() {
        cluster.hdfs.missingPrivilege = Optional.of("no block keys");
        cluster.set(HealPolicies.with(Map.of("fallback", "major-compact", "fallback.bytes.per.hour", "100")));
        cluster.compactionRefused = Optional.of("the region is gone");
        cluster.serve("c1", 0, 200);
        cluster.run(100_000);
        assertThat(cluster.compacted)
                .as("a refusal gives the place back, not the bytes")
                .hasSize(1);
    }

    @Test
    void aLoopThatIsMadeAnewAsksForNoMoreCompactions() {
        cluster.hdfs.missingPrivilege = Optional.of("no block keys");
        cluster.set(HealPolicies.with(Map.of("fallback", "major-compact", "fallback.bytes.per.hour", "100")));
        cluster.serve("c1", 0, 200);
        for (int loop = 0; loop < 5; loop++) {
            cluster.run(60_000);
            cluster.makeLoopAnew();
        }

        assertThat(cluster.compacted).containsExactly("r1/f");
    }

    @Test
    void aLocalClusterIsNotProbed() {
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
