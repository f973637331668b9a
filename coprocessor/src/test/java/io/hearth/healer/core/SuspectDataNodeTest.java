// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.verify.DataNodeObservation;
import io.hearth.healer.verify.DataNodeObservation.Outcome;
import io.hearth.healer.verify.DataNodeState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A region on a host whose DataNode is sick by what others see, and that the NameNode lists as well. */
class SuspectDataNodeTest {

    private final FakeCluster cluster = new FakeCluster();

    private void failAt(String host, String... observers) {
        cluster.hdfs.silent.add(host);
        for (String observer : observers) {
            cluster.healerState
                    .dataNodeStates()
                    .take(
                            List.of(DataNodeObservation.byClient(
                                    observer, host, Outcome.FAILED, "can't be connected to", cluster.nowMs)),
                            cluster.nowMs);
        }
    }

    /** Broken (it is a target like any other): moved. */
    @Test
    void nothingIsMovedToASuspectUntilItIsHealthyAgain() {
        failAt("c1", "a1", "b1");
        cluster.serve("c1", 0, 200);
        cluster.run(240_000);
        assertThat(cluster.hdfs.moved).isEmpty();
        assertThat(cluster.healerState.dataNodeStates().of("c1")).isEqualTo(DataNodeState.DEAD);

        cluster.hdfs.silent.clear();
        cluster.run(600_000);
        assertThat(cluster.isLocal("c1")).isTrue();
        assertThat(cluster.healerState.dataNodeStates().of("c1")).isEqualTo(DataNodeState.HEALTHY);
    }

    @Test
    void whatIsPlannedForOneThatBecomesSuspectIsTakenBack() {
        cluster.dataNodesAnswer = false;
        cluster.serve("c1", 0, 200);
        cluster.run(15_000);
        assertThat(cluster.dataNodeThreads).hasSize(2);
        cluster.dataNodeThreads.clear();

        failAt("c1", "a1", "b1");
        cluster.dataNodesAnswer = true;
        cluster.run(120_000);
        assertThat(cluster.hdfs.moved).isEmpty();
    }

    @Test
    void whatOneAloneCanNotReachIsHealed() {
        failAt("c1", "a1");
        failAt("c1", "a1");
        cluster.hdfs.silent.clear();
        cluster.serve("c1", 0, 200);
        cluster.run(120_000);

        assertThat(cluster.isLocal("c1")).isTrue();
    }

    /** HBase's user is seldom HDFS's superuser. Broken (only the NameNode's report says that it is back): suspect for ever. */
    @Test
    void oneThatIsBackIsHealthyWhereTheNameNodeGivesNoReport() {
        cluster.hdfs.givesReport = false;
        failAt("c1", "a1", "b1");
        cluster.hdfs.silent.clear();
        cluster.run(600_000);

        assertThat(cluster.healerState.dataNodeStates().of("c1")).isEqualTo(DataNodeState.HEALTHY);
    }
}
