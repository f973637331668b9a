// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static io.hearth.healer.fakes.Racks.block;
import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.fakes.HealPolicies;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.DataNode.Volume;
import io.hearth.healer.model.StoreFile;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A region's host that has little room: the loop asks for it with what is configured and what is under way. A block has 100 bytes. */
class FullTargetTest {

    private final FakeCluster cluster = new FakeCluster();

    private void c1HasUsed(long usedOf1000) {
        DataNode full =
                node("c1", new Volume("DS-c1-1", StorageType.DISK, true, 1_000, usedOf1000, 1_000 - usedOf1000));
        cluster.hdfs.nodes.replaceAll(known -> known.isOn("c1") ? full : known);
    }

    /** Of two blocks one has room below 0.97, and none below 0.9. */
    @Test
    void theRatioIsTheOneOfTheConfiguration() {
        c1HasUsed(840);
        cluster.serve("c1", 0, 200);
        cluster.run(60_000);
        assertThat(cluster.hdfs.moved).isEmpty();

        cluster.set(HealPolicies.with(Map.of("target.max.used.ratio", "0.97")));
        cluster.run(120_000);
        assertThat(cluster.hdfs.moved).isNotEmpty();
    }

    /**
     * Without the NameNode's report its free space is known from block locations: of a DataNode that has no block of the regions that are
     * looked at nobody would hear again. Broken (the NameNode is not asked for it): nothing moves.
     */
    @Test
    void aDataNodeThatHasRoomAgainIsHeardOfWithoutTheReport() {
        EncodedRegionName elsewhere = new EncodedRegionName("r2");
        cluster.hdfs.givesReport = false;
        c1HasUsed(900);
        cluster.hdfs.addFile(
                elsewhere,
                new StoreFile("/hbase/data/default/t/r2/f/1", 3, false, true, List.of(block(7, "a1", "b1", "c1"))));
        cluster.serve(elsewhere, "without-datanode", 0, 100);
        cluster.run(10_000);
        cluster.serve("c1", 0, 200);
        cluster.run(60_000);
        assertThat(cluster.hdfs.moved).noneMatch(move -> move.target().isOn("c1"));

        c1HasUsed(100);
        cluster.run(120_000);
        assertThat(cluster.hdfs.moved)
                .filteredOn(move -> move.target().isOn("c1"))
                .hasSize(2);
    }

    /** Broken (all that is remote counts): it is to be local in seconds, for as long as the disk is full. */
    @Test
    void nothingIsPromisedWhileNothingCanBeMoved() {
        c1HasUsed(900);
        cluster.serve("c1", 0, 200);
        cluster.run(120_000);

        assertThat(cluster.hdfs.moved).isEmpty();
        assertThat(cluster.metrics.get(HealingGauge.ESTIMATED_HEAL_MS)).isZero();
    }

    /** There is room for two blocks, which are on their way when another region comes. Broken (without what is under way): a third. */
    @Test
    void whatIsUnderWayTakesRoom() {
        c1HasUsed(690);
        cluster.dataNodesAnswer = false;
        cluster.serve("c1", 0, 200);
        cluster.run(15_000);
        assertThat(cluster.dataNodeThreads).hasSize(2);

        EncodedRegionName second = new EncodedRegionName("r2");
        String file = "/hbase/data/default/t/r2/f/1";
        cluster.hdfs.addFile(second, new StoreFile(file, 3, false, true, List.of(block(7, "a1", "b1", "b2"))));
        cluster.serve(second, "c1", 0, 100);
        cluster.run(20_000);
        assertThat(cluster.metrics.get(HealingCounter.REGIONS_LISTED)).isGreaterThan(1);
        assertThat(cluster.dataNodeThreads).hasSize(2);
        assertThat(cluster.metrics.get(HealingGauge.BLOCKS_WAITING)).isZero();
    }

    /** Four of ten moves are at work; the others are taken back at the next poll after somebody has filled the disk. */
    @Test
    void plannedMovesToATargetThatHasBecomeFullAreTakenBack() {
        cluster.hdfs.fileByPath.put(
                FakeCluster.FILE,
                new StoreFile(
                        FakeCluster.FILE,
                        3,
                        false,
                        true,
                        LongStream.range(1_000, 1_010)
                                .mapToObj(number -> block(number, "a1", "b1", "b2"))
                                .toList()));
        cluster.dataNodesAnswer = false;
        cluster.serve("c1", 0, 1_000);
        cluster.run(20_000);
        assertThat(cluster.metrics.get(HealingGauge.BLOCKS_WAITING)).isEqualTo(6);

        c1HasUsed(900);
        cluster.run(20_000);
        assertThat(cluster.metrics.get(HealingGauge.BLOCKS_WAITING)).isZero();
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_CANCELLED)).isEqualTo(6);
    }
}
