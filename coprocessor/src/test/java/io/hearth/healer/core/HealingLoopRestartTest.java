// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static io.hearth.healer.fakes.Racks.block;
import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.StoreFile;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is known although it can't be seen again: moves while a loop was made anew, and heals that a DataNode undoes. */
class HealingLoopRestartTest {

    private final FakeCluster cluster = new FakeCluster();

    @Test
    void aMoveWhileTheLoopIsMadeAnewIsFoundThoughTheReportIsHigh() {
        cluster.makeLoopAnew();
        cluster.serve("c1", 200, 200);
        cluster.run(60_000);

        assertThat(cluster.isLocal("c1")).isTrue();
    }

    @Test
    void aRegionThatWaitsToBeListedIsNotForgotten() {
        cluster.serve("c1", 200, 200);
        cluster.run(2_000);
        assertThat(cluster.hdfs.moved).as("it has not settled").isEmpty();
        cluster.makeLoopAnew();
        cluster.run(60_000);

        assertThat(cluster.isLocal("c1")).isTrue();
    }

    @Test
    void aRegionWhoseMovesAreUnderWayIsNotForgotten() {
        cluster.dataNodesAnswer = false;
        cluster.serve("c1", 200, 200);
        cluster.run(30_000);
        assertThat(cluster.dataNodeThreads).isNotEmpty();
        cluster.dataNodeThreads.clear();
        cluster.makeLoopAnew();
        cluster.makeLoopAnew();
        cluster.dataNodesAnswer = true;
        cluster.run(60_000);

        assertThat(cluster.isLocal("c1")).isTrue();
    }

    @Test
    void aRegionThatIsLocalAndReportedRemoteForEverIsCountedApart() {
        cluster.serve("a1", 0, 200);
        cluster.run(60_000);
        assertThat(cluster.metrics.get(HealingGauge.REGIONS_LOCAL_NOT_REPORTED)).isEqualTo(1);
        assertThat(cluster.healerState.unreported().all())
                .extracting(ServedRegion::region)
                .containsExactly(FakeCluster.R1);

        cluster.run(4 * 3_600_000);
        assertThat(cluster.healerState.unreported().size()).as("for ever").isEqualTo(1);
        cluster.serve("a1", 200, 200);
        cluster.run(20_000);
        assertThat(cluster.healerState.unreported().size())
                .as("it was reopened")
                .isZero();
    }

    @Test
    void aHealedRegionIsNotReportedUntilItIs() {
        cluster.serve("c1", 0, 200);
        cluster.run(60_000);
        assertThat(cluster.isLocal("c1")).isTrue();
        assertThat(cluster.healerState.unreported().size()).isEqualTo(1);
        cluster.serve("a1", 0, 200);
        cluster.run(11_000);
        assertThat(cluster.healerState.unreported().size())
                .as("it has moved on")
                .isZero();
    }

    @Test
    void whatIsLocalIsNotListedAnewForIt() {
        cluster.run(60_000);
        int listings = cluster.hdfs.listings;
        cluster.makeLoopAnew();
        cluster.run(60_000);

        assertThat(cluster.hdfs.listings).isEqualTo(listings);
    }

    private void healOnC1AndReportIt() {
        cluster.serve("c1", 0, 200);
        cluster.run(120_000);
        assertThat(cluster.isLocal("c1")).isTrue();
        cluster.serve("c1", 200, 200);
        cluster.run(600_000);
    }

    @Test
    void aDataNodeThatComesBackMakesRegionsHealedOfLateBeAskedAfterWithinMinutes() {
        DataNode dead = node("c2");
        cluster.hdfs.nodes.remove(dead);
        healOnC1AndReportIt();
        int listings = cluster.hdfs.listings;

        cluster.hdfs.nodes.add(dead);
        c1IsDeletedForC2();
        cluster.run(300_000);

        assertThat(cluster.hdfs.listings).isGreaterThan(listings);
        assertThat(cluster.metrics.get(HealingCounter.REGIONS_RECHECKED)).isPositive();
        assertThat(cluster.isLocal("c1")).isTrue();
        assertThat(cluster.healerState.pauseSwitch().alarm()).isEmpty();
    }

    /** While it was dead the NameNode has put another replica onto the rack of the healed one, where it takes one away then. */
    @Test
    void aDataNodeThatHeldAReplicaOnAnotherRackMakesItsRegionsBeAskedAfterTooWhenItComesBack() {
        cluster.hdfs.fileByPath.put(
                FakeCluster.FILE, new StoreFile(FakeCluster.FILE, 3, false, true, List.of(block(1, "a1", "a2", "b1"))));
        cluster.serve("c1", 0, 100);
        cluster.run(120_000);
        assertThat(cluster.isLocal("c1")).isTrue();
        cluster.serve("c1", 100, 100);
        DataNode dead = node("b1");
        cluster.hdfs.nodes.remove(dead);
        cluster.run(1_200_000);

        cluster.hdfs.nodes.add(dead);
        c1IsDeletedForC2();
        cluster.run(300_000);

        assertThat(cluster.isLocal("c1")).isTrue();
    }

    @Test
    void aDataNodeThatLeavesMakesRegionsHealedOfLateBeAskedAfterWithinMinutes() {
        healOnC1AndReportIt();
        int listings = cluster.hdfs.listings;
        long rechecked = cluster.metrics.get(HealingCounter.REGIONS_RECHECKED);

        cluster.hdfs.nodes.remove(node("c2"));
        cluster.run(300_000);

        assertThat(cluster.hdfs.listings).isGreaterThan(listings);
        assertThat(cluster.metrics.get(HealingCounter.REGIONS_RECHECKED)).isGreaterThan(rechecked);
    }

    @Test
    void theNameNodeMayTakeItsTimeWithTheBlocksOfADataNodeThatComesBack() {
        DataNode dead = node("c2");
        cluster.hdfs.nodes.remove(dead);
        cluster.serve("c1", 0, 200);
        cluster.run(120_000);
        cluster.serve("c1", 200, 200);
        cluster.makeLoopAnew();
        cluster.run(600_000);

        cluster.hdfs.nodes.add(dead);
        cluster.run(600_000);
        c1IsDeletedForC2();
        cluster.run(600_000);

        assertThat(cluster.isLocal("c1")).isTrue();
    }

    @Test
    void whereNothingWasHealedOfLateNobodyIsAsked() {
        cluster.run(120_000);
        int lists = cluster.hdfs.lists;
        int listings = cluster.hdfs.listings;
        cluster.hdfs.nodes.remove(node("c2"));
        cluster.run(600_000);

        assertThat(cluster.hdfs.lists).isEqualTo(lists);
        assertThat(cluster.hdfs.listings).isEqualTo(listings);
    }

    @Test
    void aDataNodeOnARackOfNoConcernIsNoReasonToAsk() {
        DataNode dead = node("b2");
        cluster.hdfs.fileByPath.put(
                FakeCluster.FILE, new StoreFile(FakeCluster.FILE, 2, false, true, List.of(block(1, "a1", "b1"))));
        cluster.hdfs.nodes.remove(dead);
        cluster.serve("c1", 0, 100);
        cluster.run(120_000);
        cluster.serve("c1", 100, 100);
        cluster.run(600_000);
        int listings = cluster.hdfs.listings;
        cluster.hdfs.nodes.add(dead);
        cluster.run(1_200_000);

        assertThat(cluster.hdfs.listings).isEqualTo(listings);
    }

    private void c1IsDeletedForC2() {
        StoreFile file = cluster.hdfs.fileByPath.get(FakeCluster.FILE);
        cluster.hdfs.fileByPath.put(
                FakeCluster.FILE,
                file.withBlocks(file.blocks().stream()
                        .map(HealingLoopRestartTest::onC2InsteadOfC1)
                        .toList()));
        assertThat(cluster.isLocal("c1")).isFalse();
    }

    private static BlockReplicas onC2InsteadOfC1(BlockReplicas block) {
        List<Replica> replicas = new ArrayList<>(block.replicas());
        replicas.removeIf(replica -> replica.node().host().equals("c1"));
        if (!block.isHeldBy(node("c2").id())) {
            replicas.add(new Replica(node("c2"), StorageType.DISK));
        }
        return new BlockReplicas(block.block(), block.lengthBytes(), replicas, block.corrupt());
    }
}
