package io.hearth.healing.loop;

import static io.hearth.healing.fakes.Racks.block;
import static io.hearth.healing.fakes.Racks.disk;
import static io.hearth.healing.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healing.fakes.Conducts;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.healing.model.BlockReplicas;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.Replica;
import io.hearth.healing.model.StorageType;
import io.hearth.healing.model.StoreFile;
import io.hearth.healing.model.Volume;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What stops healing, what does not, and for how long. */
class FalseAlarmTest {

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
        assertThat(cluster.isHome("c1")).isTrue();
    }

    @Test
    void aDiskThatFailsIsNobodysWill() {
        heal();
        replaceNode(node("c1", disk("c1", 1)));
        moveReplicasAway(3);
        cluster.serve("c1", 50, 100 * BLOCKS);
        cluster.run(300_000);

        assertThat(cluster.memory.brake().alarm()).isEmpty();
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_UNDONE)).isZero();
        assertThat(cluster.isHome("c1")).as("healed to the other disk").isTrue();
    }

    @Test
    void aVolumeThatIsReportedAsFailedIsNobodysWillEither() {
        heal();
        Volume failed = new Volume("DS-c1-2", StorageType.DISK, false, 0, 0, 0);
        replaceNode(node("c1", disk("c1", 1), failed));
        moveReplicasAway(3);
        cluster.serve("c1", 50, 100 * BLOCKS);
        cluster.run(300_000);

        assertThat(cluster.memory.brake().alarm()).isEmpty();
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_UNDONE)).isZero();
    }

    @Test
    void setrepIsNobodysWill() {
        heal();
        StoreFile file = cluster.hdfs.fileByPath.get(FakeCluster.FILE);
        cluster.hdfs.fileByPath.put(
                FakeCluster.FILE,
                new StoreFile(
                        FakeCluster.FILE,
                        2,
                        false,
                        true,
                        file.blocks().stream()
                                .map(block -> withoutC1(block, List.of()))
                                .toList()));
        cluster.serve("c1", 50, 100 * BLOCKS);
        cluster.run(60_000);

        assertThat(cluster.memory.brake().alarm()).isEmpty();
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_UNDONE)).isZero();
    }

    @Test
    void whoMovesThemAwayOnAHealthyClusterStopsItAndItGoesOnByItselfAfterAnHour() {
        heal();
        moveReplicasAway(3);
        cluster.serve("c1", 50, 100 * BLOCKS);
        cluster.run(60_000);
        assertThat(cluster.memory.brake().alarm()).isPresent();
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_UNDONE)).isEqualTo(BLOCKS);
        int moved = cluster.hdfs.moved.size();

        cluster.run(Bounces.CALM_MS - 120_000);
        assertThat(cluster.memory.brake().alarm()).isPresent();
        assertThat(cluster.hdfs.moved).hasSize(moved);

        cluster.run(120_000);
        assertThat(cluster.memory.brake().alarm()).isEmpty();
        assertThat(cluster.metrics.get(HealingCounter.ALARMS_LIFTED)).isEqualTo(1);
        assertThat(cluster.metrics.get(HealingGauge.SLOW_AFTER_ALARM)).isEqualTo(1);
        cluster.run(600_000);
        assertThat(cluster.isHome("c1")).isTrue();

        cluster.run(Bounces.CALM_MS);
        assertThat(cluster.metrics.get(HealingGauge.SLOW_AFTER_ALARM)).isZero();
    }

    @Test
    void afterAnAlarmItGoesAtAQuarterOfItsPace() {
        assertThat(Rules.slow(cluster.config))
                .returns(2, config -> config.concurrentMoves())
                .returns(1, config -> config.concurrentMovesPerDataNode())
                .returns(16_777_216L * 4, config -> config.bytesPerSecond());
        cluster.memory.brake().liftAlarm(600_000);
        cluster.dataNodesAnswer = false;
        cluster.serve("c1", 0, 200);
        cluster.run(60_000);
        assertThat(cluster.dataNodeThreads)
                .as("one move to a DataNode at a time, not four")
                .hasSize(1);

        cluster.memory.brake().resume();
        cluster.dataNodesAnswer = true;
        cluster.run(120_000);
        assertThat(cluster.isHome("c1")).isTrue();
    }

    @Test
    void theNextMasterWaitsAnHourFromWhenItFindsTheAlarm() {
        cluster.memory.brake().raiseAlarm("left by another master");
        cluster.serve("c1", 0, 200);
        cluster.run(Bounces.CALM_MS - 10_000);
        assertThat(cluster.hdfs.moved).isEmpty();
        cluster.makeLoopAnew();
        cluster.run(20_000);
        assertThat(cluster.memory.brake().alarm()).isEmpty();
        cluster.run(120_000);
        assertThat(cluster.isHome("c1")).isTrue();
    }

    @Test
    void aMoveThatASetrepOvertookIsNoBounce() {
        cluster.set(Conducts.with(Map.of("bounces.per.hour", "1")));
        cluster.hdfs.deletesTheNewReplica = true;
        cluster.serve("c1", 0, 200);
        while (cluster.hdfs.moved.isEmpty()) {
            cluster.run(100);
        }
        cluster.run(4_000);
        StoreFile file = cluster.hdfs.fileByPath.get(FakeCluster.FILE);
        cluster.hdfs.fileByPath.put(
                FakeCluster.FILE,
                new StoreFile(
                        FakeCluster.FILE,
                        2,
                        false,
                        true,
                        file.blocks().stream()
                                .map(block -> withoutC1(block, List.of()))
                                .toList()));
        cluster.run(45_000);

        assertThat(cluster.memory.brake().alarm()).isEmpty();
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

    private static BlockReplicas withoutC1(BlockReplicas block, List<Replica> instead) {
        List<Replica> replicas = new ArrayList<>(block.replicas());
        if (replicas.removeIf(replica -> replica.node().host().equals("c1"))) {
            replicas.addAll(instead);
        }
        return new BlockReplicas(block.block(), block.lengthBytes(), replicas, block.corrupt());
    }
}
