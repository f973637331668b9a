// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static io.hearth.healer.fakes.Racks.block;
import static io.hearth.healer.fakes.Racks.disk;
import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.core.PausePersister.PauseStore;
import io.hearth.healer.core.PauseSwitch.PauseState;
import io.hearth.healer.fakes.HealPolicies;
import io.hearth.healer.fakes.LoggedLines;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.DataNode.Volume;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.spi.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What stops healing, what does not, and for how long. */
class RevertedMoveAlarmTest {

    private static final int BLOCKS = 60;

    private final FakeCluster cluster = new FakeCluster();

    /** Sixty blocks are healed to c1, which has two disks. */
    private void heal() {
        replaceNode(node("c1", disk("c1", 1), disk("c1", 2)));
        List<BlockReplicas> blocks = IntStream.range(0, BLOCKS)
                .mapToObj(number -> block(1_000 + number, "a1", "b1", "b2"))
                .toList();
        cluster.hdfs.fileByPath.put(FakeCluster.FILE, new StoreFile(FakeCluster.FILE, 3, false, true, blocks));
        cluster.serve("c1", 0, 100 * BLOCKS);
        cluster.run(300_000);
        assertThat(cluster.isLocal("c1")).isTrue();
    }

    @Test
    void aDiskThatFailsIsNobodysWill() {
        heal();
        replaceNode(node("c1", disk("c1", 1)));
        moveReplicasAway(3);
        cluster.serve("c1", 50, 100 * BLOCKS);
        cluster.run(300_000);

        assertThat(cluster.healerState.pauseSwitch().alarm()).isEmpty();
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_REVERTED_AFTER_VERIFY))
                .isZero();
        assertThat(cluster.isLocal("c1")).as("healed to the other disk").isTrue();
    }

    @Test
    void aVolumeThatIsReportedAsFailedIsNobodysWillEither() {
        heal();
        Volume failed = new Volume("DS-c1-2", StorageType.DISK, false, 0, 0, 0);
        replaceNode(node("c1", disk("c1", 1), failed));
        moveReplicasAway(3);
        cluster.serve("c1", 50, 100 * BLOCKS);
        cluster.run(300_000);

        assertThat(cluster.healerState.pauseSwitch().alarm()).isEmpty();
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_REVERTED_AFTER_VERIFY))
                .isZero();
    }

    /** Fewer replicas or more: the one at the target may be gone, and HDFS has the number that it was told to have. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void setrepIsNobodysWill(int replication) {
        heal();
        List<Replica> instead = Stream.of("c2", "a2")
                .limit(replication == 4 ? 2 : 0)
                .map(host -> new Replica(node(host), StorageType.DISK))
                .toList();
        edit(block -> withoutC1(block, instead), replication);
        cluster.serve("c1", 50, 100 * BLOCKS);
        cluster.run(60_000);

        assertThat(cluster.healerState.pauseSwitch().alarm()).isEmpty();
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_REVERTED_AFTER_VERIFY))
                .isZero();
    }

    /** It was dead while its blocks were healed; with it they are one replica too many, and the NameNode deletes the new ones. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDataNodeThatComesBackWithItsBlocksIsNobodysWill(boolean wasListedBefore) {
        if (wasListedBefore) {
            cluster.run(60_000);
        }
        cluster.hdfs.nodes.remove(node("c2"));
        heal();

        cluster.hdfs.nodes.add(node("c2"));
        moveReplicasAway(3);
        cluster.serve("c1", 50, 100 * BLOCKS);
        cluster.run(300_000);

        assertThat(cluster.healerState.pauseSwitch().alarm()).isEmpty();
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_REVERTED_AFTER_VERIFY))
                .isZero();
        assertThat(cluster.isLocal("c1")).as("healed again").isTrue();
    }

    /** As an observer's can be; the active NameNode, which is asked for files, knows better. */
    @Test
    void aListingThatIsBehindAlarmsNobody() {
        heal();
        StoreFile healed = Objects.requireNonNull(cluster.hdfs.fileByPath.get(FakeCluster.FILE));
        moveReplicasAway(3);
        StoreFile behind = Objects.requireNonNull(cluster.hdfs.fileByPath.put(FakeCluster.FILE, healed));
        cluster.hdfs.listing = (region, files) -> Observed.known(RegionFiles.of(List.of(behind)));
        for (int answer = 0; answer < 100 * BLOCKS; answer++) {
            cluster.hdfs.responses.add(MoveResult.of(MoveResult.Response.ALREADY_THERE));
        }
        cluster.serve("c1", 50, 100 * BLOCKS);
        cluster.run(60_000);

        assertThat(cluster.metrics.get(HealingCounter.REGIONS_LISTED)).isGreaterThan(1);
        assertThat(cluster.healerState.pauseSwitch().alarm()).isEmpty();
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_REVERTED_AFTER_VERIFY))
                .isZero();
    }

    /** Nobody says that it is dead: who is no superuser gets no report. Its regions' server lives on, or is not declared dead yet. */
    @Test
    void aDataNodeThatDiedIsNobodysWillWhereThereIsNoReport() {
        cluster.hdfs.givesReport = false;
        heal();
        moveReplicasAway(3);
        for (int answer = 0; answer < 100 * BLOCKS; answer++) {
            cluster.hdfs.responses.add(MoveResult.of(MoveResult.Response.FAILED));
        }
        cluster.serve("c1", 50, 100 * BLOCKS);
        cluster.run(300_000);

        assertThat(cluster.hdfs.responses).as("it was tried").hasSizeLessThan(100 * BLOCKS);
        assertThat(cluster.healerState.pauseSwitch().alarm()).isEmpty();
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_REVERTED_AFTER_VERIFY))
                .isZero();
    }

    /** All of them at once, so that nothing but the next heal says that the target lives. */
    @Test
    void whoMovesThemAwayStopsItWhereThereIsNoReportEither() {
        cluster.hdfs.givesReport = false;
        heal();
        moveReplicasAway(3);
        cluster.serve("c1", 50, 100 * BLOCKS);
        cluster.run(90_000);

        assertThat(cluster.healerState.pauseSwitch().alarm()).isPresent();
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_REVERTED_AFTER_VERIFY))
                .isEqualTo(BLOCKS);
    }

    @Test
    void whoMovesThemAwayOnAHealthyClusterStopsItAndItGoesOnByItselfAfterAnHour() {
        try (LoggedLines logged = new LoggedLines(HealingLoop.class, "Healing ")) {
            stoppedAndOnAgain(logged);
        }
    }

    private void stoppedAndOnAgain(LoggedLines logged) {
        heal();
        moveReplicasAway(3);
        cluster.serve("c1", 50, 100 * BLOCKS);
        cluster.run(60_000);
        assertThat(cluster.healerState.pauseSwitch().alarm()).isPresent();
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_REVERTED_AFTER_VERIFY))
                .isEqualTo(BLOCKS);
        assertThat(logged.lines())
                .singleElement()
                .asString()
                .startsWith(
                        "Healing has STOPPED: 50 moves were reverted by the NameNode or the HDFS Balancer within an hour")
                .contains("After an hour in which no move is reverted it goes on at a quarter of its pace.");
        int moved = cluster.hdfs.moved.size();

        cluster.run(RevertedMoveAlarm.REVERT_FREE_MS - 120_000);
        assertThat(cluster.healerState.pauseSwitch().alarm()).isPresent();
        assertThat(cluster.hdfs.moved).hasSize(moved);

        cluster.run(120_000);
        assertThat(cluster.healerState.pauseSwitch().alarm()).isEmpty();
        assertThat(cluster.metrics.get(HealingCounter.ALARMS_CLEARED)).isEqualTo(1);
        assertThat(logged.lines()).hasSize(2);
        assertThat(logged.lines().get(1))
                .startsWith(
                        "Healing goes on by itself, at a quarter of its pace for an hour: no move was reverted for an"
                                + " hour after the alarm (50 moves were reverted");
        assertThat(cluster.metrics.get(HealingGauge.SLOW_AFTER_ALARM)).isEqualTo(1);
        cluster.run(600_000);
        assertThat(cluster.isLocal("c1")).isTrue();

        cluster.run(RevertedMoveAlarm.REVERT_FREE_MS);
        assertThat(cluster.metrics.get(HealingGauge.SLOW_AFTER_ALARM)).isZero();
    }

    @Test
    void afterAnAlarmItGoesAtAQuarterOfItsPace() {
        cluster.healerState.pauseSwitch().clearAlarm(cluster.instant().plusSeconds(600));
        cluster.dataNodesAnswer = false;
        cluster.serve("c1", 0, 200);
        cluster.run(60_000);
        assertThat(cluster.dataNodeThreads)
                .as("one move to a DataNode at a time, not four")
                .hasSize(1);

        cluster.healerState.pauseSwitch().resume();
        cluster.dataNodesAnswer = true;
        cluster.run(120_000);
        assertThat(cluster.isLocal("c1")).isTrue();
    }

    /** The alarm ended under the master before, half an hour ago. */
    @Test
    void theNextMasterGoesOnSlowlyForTheRestOfTheHour() throws Exception {
        PauseState[] stored = {
            new PauseState(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(cluster.instant().plusSeconds(1_800)))
        };
        PausePersister persister = new PausePersister(cluster.healerState.pauseSwitch(), new PauseStore() {
            @Override
            public PauseState load() {
                return stored[0];
            }

            @Override
            public void save(PauseState state) {
                stored[0] = state;
            }
        });
        persister.restore();
        cluster.run(1_790_000);
        assertThat(cluster.metrics.get(HealingGauge.SLOW_AFTER_ALARM)).isEqualTo(1);
        cluster.run(20_000);
        assertThat(cluster.metrics.get(HealingGauge.SLOW_AFTER_ALARM)).isZero();
        persister.persist(0);
        assertThat(stored[0]).as("and the master after it at its full pace").isEqualTo(PauseState.NONE);
    }

    @Test
    void aClockThatWasSetBackMakesNoSlowDayOfTheHour() {
        cluster.healerState.pauseSwitch().clearAlarm(cluster.instant().plusSeconds(86_400));
        cluster.run(RevertedMoveAlarm.REVERT_FREE_MS - 10_000);
        assertThat(cluster.metrics.get(HealingGauge.SLOW_AFTER_ALARM)).isEqualTo(1);
        cluster.run(20_000);
        assertThat(cluster.metrics.get(HealingGauge.SLOW_AFTER_ALARM)).isZero();
    }

    @Test
    void theNextMasterWaitsAnHourFromWhenItFindsTheAlarm() {
        cluster.healerState.pauseSwitch().raiseAlarm("left by another master");
        cluster.serve("c1", 0, 200);
        cluster.run(RevertedMoveAlarm.REVERT_FREE_MS - 10_000);
        assertThat(cluster.hdfs.moved).isEmpty();
        cluster.makeLoopAnew();
        cluster.run(20_000);
        assertThat(cluster.healerState.pauseSwitch().alarm()).isEmpty();
        cluster.run(120_000);
        assertThat(cluster.isLocal("c1")).isTrue();
    }

    @Test
    void aMoveThatASetrepOvertookIsNotReverted() {
        cluster.set(HealPolicies.with(Map.of("max.reverted.moves.per.hour", "1")));
        cluster.hdfs.deletesTheNewReplica = true;
        cluster.serve("c1", 0, 200);
        while (cluster.hdfs.moved.isEmpty()) {
            cluster.run(100);
        }
        cluster.run(4_000);
        // The NameNode has deleted the new replica, and one of the others since.
        edit(block -> with(block, "a1", "b1"), 2);
        cluster.hdfs.deletesTheNewReplica = false;
        cluster.run(120_000);

        assertThat(cluster.healerState.pauseSwitch().alarm()).isEmpty();
    }

    /** The Balancer takes two of sixty blocks; a block that is new is healed all the same. */
    @Test
    void aFewRevertsDoNotCloseTheTarget() {
        heal();
        StoreFile file = cluster.hdfs.fileByPath.get(FakeCluster.FILE);
        List<BlockReplicas> blocks = new ArrayList<>(file.blocks());
        List<Replica> elsewhere = List.of(new Replica(node("c2"), StorageType.DISK));
        blocks.replaceAll(block -> block.block().number() < 1_002 ? withoutC1(block, elsewhere) : block);
        blocks.add(block(2_000, "a1", "b1", "b2"));
        cluster.hdfs.fileByPath.put(FakeCluster.FILE, new StoreFile(FakeCluster.FILE, 3, false, true, blocks));
        cluster.serve("c1", 100 * (BLOCKS - 2), 100 * (BLOCKS + 1));
        cluster.run(30_000);

        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_REVERTED_AFTER_VERIFY))
                .isEqualTo(2);
        assertThat(cluster.hdfs.fileByPath.get(FakeCluster.FILE).blocks())
                .filteredOn(block -> block.isHeldBy(node("c1").id()))
                .as("the two are backed off from")
                .hasSize(BLOCKS - 1);
    }

    private void replaceNode(DataNode now) {
        cluster.hdfs.nodes.replaceAll(node -> node.id().equals(now.id()) ? now : node);
    }

    /** Every replica on c1 goes to c2. */
    private void moveReplicasAway(int replication) {
        edit(block -> withoutC1(block, List.of(new Replica(node("c2"), StorageType.DISK))), replication);
    }

    private void edit(UnaryOperator<BlockReplicas> change, int replication) {
        StoreFile file = cluster.hdfs.fileByPath.get(FakeCluster.FILE);
        cluster.hdfs.fileByPath.put(
                FakeCluster.FILE,
                new StoreFile(
                        FakeCluster.FILE,
                        replication,
                        false,
                        true,
                        file.blocks().stream().map(change).toList()));
    }

    private static BlockReplicas with(BlockReplicas block, String... hosts) {
        List<Replica> replicas = Stream.of(hosts)
                .map(host -> new Replica(node(host), StorageType.DISK))
                .toList();
        return new BlockReplicas(block.block(), block.lengthBytes(), replicas, block.corrupt());
    }

    private static BlockReplicas withoutC1(BlockReplicas block, List<Replica> instead) {
        List<Replica> replicas = new ArrayList<>(block.replicas());
        if (replicas.removeIf(replica -> replica.node().host().equals("c1"))) {
            replicas.addAll(instead);
        }
        return new BlockReplicas(block.block(), block.lengthBytes(), replicas, block.corrupt());
    }
}
