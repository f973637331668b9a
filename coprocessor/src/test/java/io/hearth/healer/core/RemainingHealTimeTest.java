// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static io.hearth.healer.fakes.Racks.block;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.fakes.HealLimits;
import io.hearth.healer.fakes.HealPolicies;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.StoreFile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How long the rest of a heal takes by its own word, of two blocks of 100 bytes; the last confirmation is 8 s of it. */
class RemainingHealTimeTest {

    private final FakeCluster cluster = new FakeCluster();

    @Test
    void afterAnAlarmTheBandwidthOfTheClusterIsAQuarterToo() {
        set(HealLimits.of(8, 4, 100));
        cluster.dataNodesAnswer = false;
        cluster.serve("c1", 0, 200);
        cluster.run(20_000);
        assertThat(estimatedMs()).isEqualTo(2_000 + 8_000);

        cluster.healerState.pauseSwitch().clearAlarm(cluster.instant().plusSeconds(3_600));
        cluster.run(5_100);
        assertThat(estimatedMs()).as("25 bytes a second").isEqualTo(8_000 + 8_000);
    }

    @Test
    void whatIsConfirmedOfARegionIsNotLeft() {
        set(HealLimits.of(8, 4, 100));
        cluster.dataNodesAnswer = false;
        cluster.serve("c1", 0, 200);
        cluster.run(20_000);
        assertThat(estimatedMs()).isEqualTo(2_000 + 8_000);

        cluster.dataNodeThreads.remove().run();
        cluster.run(10_000);
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_VERIFIED)).isEqualTo(1);
        assertThat(estimatedMs()).isEqualTo(1_000 + 8_000);
    }

    /** Broken (what is reported and what is confirmed are both taken off): nothing is left though a block is on its way. */
    @Test
    void whatIsReportedBeforeItIsConfirmedIsLeftOutOnce() {
        set(HealLimits.of(8, 4, 100));
        cluster.hdfs.keepsExcess = true;
        cluster.dataNodesAnswer = false;
        cluster.serve("c1", 0, 200);
        while (cluster.dataNodeThreads.size() < 2) {
            cluster.run(100);
        }
        cluster.dataNodeThreads.remove().run();
        cluster.serve("c1", 100, 200);
        cluster.run(10_000);
        assertThat(estimatedMs()).isEqualTo(1_000 + 8_000);

        cluster.hdfs.keepsExcess = false;
        cluster.run(10_000);
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_VERIFIED)).isEqualTo(1);
        assertThat(estimatedMs()).isEqualTo(1_000 + 8_000);
    }

    @Test
    void noEndIsPromisedWhileUplinksOfRacksHoldMovesBack() {
        set(new HealLimitConfig(0, 4, 1, 0, 8, 0.02, 50));
        cluster.dataNodesAnswer = false;
        cluster.hdfs.fileByPath.put(FakeCluster.FILE, file(FakeCluster.FILE, 1));
        cluster.hdfs.addFile(FakeCluster.R1, file(FakeCluster.FILE + "2", 2));
        cluster.serve("c1", 0, 200);
        cluster.run(20_000);
        assertThat(limit()).isEqualTo(HealLimit.RACK_BANDWIDTH.ordinal());
        assertThat(estimatedMs()).isZero();

        set(HealLimits.of(8, 4, 0));
        cluster.run(5_100);
        assertThat(estimatedMs()).isEqualTo(8_000);
    }

    /** What has just moved may not move on before readers have asked for it again. */
    @Test
    void noEndIsPromisedWhileOpenReadersHoldMovesBack() {
        cluster.set(HealPolicies.with(Map.of("reader.locations.max.age.ms", "600000")));
        cluster.serve("c1", 0, 200);
        cluster.run(30_000);
        assertThat(cluster.isLocal("c1")).isTrue();

        cluster.serve("c2", 0, 200);
        cluster.run(20_000);
        assertThat(limit()).isEqualTo(HealLimit.READERS.ordinal());
        assertThat(estimatedMs()).isZero();
    }

    @Test
    void noEndIsPromisedWhileRegionsWaitForTheNameNodesBudget() {
        set(new HealLimitConfig(0, 4, 0, 0, 8, 0.02, 1));
        for (int number = 0; number < 30; number++) {
            EncodedRegionName region = new EncodedRegionName("q" + number);
            cluster.hdfs.addFile(region, file("/q/" + number, 1_000 + number));
            cluster.serve(region, "c1", 0, 100);
        }
        cluster.run(20_000);
        assertThat(limit()).isEqualTo(HealLimit.NAMENODE_BUDGET.ordinal());
        assertThat(estimatedMs()).isZero();
    }

    private static StoreFile file(String path, long block) {
        return new StoreFile(path, 3, false, true, List.of(block(block, "a1", "b1", "b2")));
    }

    private long limit() {
        return cluster.metrics.get(HealingGauge.LIMITED_BY);
    }

    private long estimatedMs() {
        return cluster.metrics.get(HealingGauge.ESTIMATED_HEAL_MS);
    }

    private void set(HealLimitConfig limits) {
        cluster.config = new HealingConfig(true, 1.0, 10_000, 5_000, limits, 30_000, 60_000, HealPolicies.usual());
    }
}
