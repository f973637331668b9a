// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static io.hearth.healer.fakes.Racks.block;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.StoreFile;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the loop has the NameNode confirm; 60 s are allowed for that. */
class MoveConfirmerTest {

    private final FakeCluster cluster = new FakeCluster();

    /** Broken (its time counts from the turn's beginning): at the first question it is late already, or is given up. */
    @ParameterizedTest
    @ValueSource(longs = {25_000, 35_000})
    void anAnswerThatIsTakenInAtTheEndOfALongTurnHasItsWholeTimeFromThenOn(long callMs) {
        cluster.hdfs.keepsExcess = true;
        cluster.dataNodesAnswer = false;
        cluster.serve("c1", 0, 200);
        cluster.run(20_000);
        assertThat(cluster.dataNodeThreads).hasSize(2);
        cluster.hdfs.whileAsked = () -> {
            cluster.nowMs += callMs;
            while (!cluster.dataNodeThreads.isEmpty()) {
                cluster.dataNodeThreads.remove().run();
            }
        };
        long beforeMs = cluster.nowMs;
        cluster.run(5_100);
        assertThat(cluster.nowMs - beforeMs).as("a turn of two calls").isGreaterThan(2 * callMs);
        cluster.hdfs.whileAsked = () -> {};

        cluster.run(10_000);
        assertThat(cluster.metrics.get(HealingGauge.BLOCKS_IN_EXCESS)).isZero();
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_INCONCLUSIVE)).isZero();
        cluster.hdfs.keepsExcess = false;
        cluster.run(10_000);
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_VERIFIED)).isEqualTo(2);
    }

    /**
     * What was copied while the call waited through the failover may have been so before it, and says nothing of the NameNode that is
     * active now. Broken (its time counts from the turn's end): what that one deletes next is reverted, and counts towards the alarm.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void onlyWhatIsTakenInAfterTheTurnOfAFailoverSaysThatTheNameNodeFollowsHints(boolean isInThatTurn) {
        serveEightBlocksFourAtATime();
        failOver(isInThatTurn);
        cluster.hdfs.keepsExcess = false;
        cluster.run(10_000);
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_VERIFIED)).isEqualTo(5);
        assertThat(cluster.dataNodeThreads).as("the last of the eight").hasSize(3);

        cluster.hdfs.deletesTheNewReplica = true;
        runDataNodes();
        cluster.run(70_000);
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_INCONCLUSIVE)).isEqualTo(isInThatTurn ? 3 : 0);
        assertThat(cluster.metrics.get(HealingCounter.BLOCKS_REVERTED)).isEqualTo(isInThatTurn ? 0 : 3);
    }

    /** One is copied, which the first NameNode is asked about; four are under way. */
    private void serveEightBlocksFourAtATime() {
        cluster.hdfs.fileByPath.put(
                FakeCluster.FILE,
                new StoreFile(
                        FakeCluster.FILE,
                        3,
                        false,
                        true,
                        IntStream.range(0, 8)
                                .mapToObj(number -> block(1_000 + number, "a1", "b1", "b2"))
                                .toList()));
        cluster.hdfs.answeringNameNode = Optional.of("nn1");
        cluster.hdfs.keepsExcess = true;
        cluster.dataNodesAnswer = false;
        cluster.serve("c1", 0, 800);
        while (cluster.dataNodeThreads.isEmpty()) {
            cluster.run(100);
        }
        cluster.dataNodeThreads.remove().run();
        cluster.run(5_000);
        assertThat(cluster.dataNodeThreads).hasSize(4);
    }

    /** The next question about moves waits for two seconds until the other NameNode answers; DataNodes answer meanwhile, or after it. */
    private void failOver(boolean copiesMeanwhile) {
        int before = cluster.hdfs.questions;
        cluster.hdfs.whileAsked = () -> {
            if (cluster.hdfs.questions > before && cluster.hdfs.answeringNameNode.equals(Optional.of("nn1"))) {
                cluster.hdfs.answeringNameNode = Optional.of("nn2");
                cluster.nowMs += 2_000;
                if (copiesMeanwhile) {
                    runDataNodes();
                }
            }
        };
        while (cluster.hdfs.answeringNameNode.equals(Optional.of("nn1"))) {
            cluster.run(100);
        }
        if (!copiesMeanwhile) {
            runDataNodes();
        }
    }

    private void runDataNodes() {
        while (!cluster.dataNodeThreads.isEmpty()) {
            cluster.dataNodeThreads.remove().run();
        }
    }
}
