// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.check.SeenDataNodes;
import io.hearth.doctor.model.DataNodeMetrics;
import io.hearth.doctor.model.NodeReports;
import io.hearth.doctor.model.NodeReports.SlowDisk;
import io.hearth.doctor.model.NodeReports.SlowPeer;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.healer.verify.DataNodeState;
import io.hearth.healer.verify.DataNodeStates;
import io.hearth.healer.verify.DataNodeStates.UnhealthyHost;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What the doctor's round tells the state machine of DataNodes, who says each of it, and what is counted as slow. */
class SeenDataNodesTest {

    private static List<UnhealthyHost> unhealthy(ProbedCluster cluster) {
        DataNodeStates states = new DataNodeStates();
        states.take(SeenDataNodes.observations(cluster, 1_000), 1_000);
        return states.unhealthy();
    }

    private static ProbedCluster reported(NodeReports reports) {
        return CleanCluster.withReports(CleanCluster.examined(), reports);
    }

    @Test
    void onAHealthyClusterAllAreHealthyAndNoneIsSlow() {
        assertThat(unhealthy(CleanCluster.examined())).isEmpty();
        assertThat(SeenDataNodes.observations(CleanCluster.examined(), 1_000)).hasSize(12);
        assertThat(SeenDataNodes.slowPeers(CleanCluster.examined())).hasValue(0);
        assertThat(SeenDataNodes.slowDisks(CleanCluster.examined())).hasValue(0);
    }

    /** The doctor reaches it, and more say that it is slow. */
    @Test
    void aPeerIsSuspectIfMoreThanOneFindItSlow() {
        ProbedCluster byTwo = reported(
                new NodeReports(List.of(new SlowPeer("host3", List.of("host1", "host2"))), List.of(), List.of()));

        assertThat(unhealthy(byTwo))
                .containsExactly(new UnhealthyHost(
                        "host3", DataNodeState.SUSPECT, 1_000, "is slow to take packets (seen by host1, host2)"));
        assertThat(SeenDataNodes.slowPeers(byTwo)).hasValue(1);
        assertThat(unhealthy(reported(
                        new NodeReports(List.of(new SlowPeer("host3", List.of("host1"))), List.of(), List.of()))))
                .isEmpty();
    }

    @Test
    void aDataNodeIsBelievedOfItsOwnVolumes() {
        assertThat(unhealthy(reported(new NodeReports(List.of(), List.of(new SlowDisk("host2", "/data4")), List.of()))))
                .extracting(UnhealthyHost::host, UnhealthyHost::why)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("host2", "finds its volume /data4 slow (seen by host2)"));
        ProbedCluster failed = CleanCluster.withNode(
                CleanCluster.examined(),
                node -> Nodes.metrics(
                        node,
                        ProbeResult.known(new DataNodeMetrics(
                                1,
                                2,
                                OptionalDouble.of(1),
                                OptionalDouble.of(1),
                                List.of("/data1"),
                                Optional.empty()))));
        assertThat(unhealthy(failed))
                .extracting(UnhealthyHost::why)
                .containsExactly("finds its volume /data1 slow (seen by host4)");
        assertThat(SeenDataNodes.slowDisks(failed)).hasValue(1);
    }

    /** Each round says so anew, and one that finds nothing ends it. Broken (nobody says that it is well): suspect for minutes more. */
    @Test
    void aDataNodeThatWasSlowIsWellOnceARoundFindsNothing() {
        DataNodeStates states = new DataNodeStates();
        NodeReports slow = new NodeReports(List.of(), List.of(new SlowDisk("host2", "/data4")), List.of());
        for (long roundMs = 0; roundMs < 3_600_000; roundMs += 600_000) {
            states.take(SeenDataNodes.observations(reported(slow), roundMs), roundMs);
            assertThat(states.of("host2")).isEqualTo(DataNodeState.SUSPECT);
            states.take(List.of(), roundMs + 599_999);
            assertThat(states.of("host2")).isEqualTo(DataNodeState.SUSPECT);
        }
        states.take(SeenDataNodes.observations(CleanCluster.examined(), 3_600_000), 3_600_000);
        assertThat(states.of("host2")).isEqualTo(DataNodeState.PROBING);
    }

    @Test
    void aLostVolumeAloneMakesNoneSuspect() {
        ProbedCluster lost = CleanCluster.withNode(
                CleanCluster.examined(),
                node -> Nodes.metrics(
                        node,
                        ProbeResult.known(new DataNodeMetrics(
                                1, 2, OptionalDouble.of(1), OptionalDouble.of(1), List.of(), Optional.empty()))));

        assertThat(unhealthy(lost)).isEmpty();
    }

    @Test
    void whomTheNameNodeListsAsDeadIsDead() {
        assertThat(unhealthy(reported(new NodeReports(List.of(), List.of(), List.of("host9")))))
                .extracting(UnhealthyHost::host, UnhealthyHost::state)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("host9", DataNodeState.DEAD));
        assertThat(unhealthy(reported(new NodeReports(List.of(), List.of(), List.of("host1")))))
                .as("another DataNode of that host lives")
                .isEmpty();
    }

    /** Kerberos on its web UI is no fault, and the doctor alone is one client. */
    @Test
    void whatTheDoctorCanNotReadIsAFailureOnlyWhereNobodyAnswers() {
        ProbedCluster silent = CleanCluster.withNode(
                CleanCluster.examined(),
                node -> Nodes.live(
                        Nodes.metrics(node, ProbeResult.unknown("its web UI has not answered within 5000 ms")),
                        ProbeResult.unknown("the DataNode says: timeout"),
                        node.balanceMoves(),
                        node.somaxconn()));

        assertThat(SeenDataNodes.observations(silent, 1_000))
                .filteredOn(seen -> seen.host().equals("host4"))
                .extracting(seen -> seen.observer() + " " + seen.outcome())
                .containsExactly("the NameNode GOOD", "the healer FAILED");
        assertThat(SeenDataNodes.observations(
                        CleanCluster.withNode(
                                silent, node -> Nodes.metrics(node, ProbeResult.unknown("its web UI answers 401"))),
                        1_000))
                .filteredOn(seen -> seen.host().equals("host4"))
                .hasSize(1);
    }

    @Test
    void whereHdfsDoesNotMeasureTheNumberIsNotKnown() {
        ProbedCluster off = CleanCluster.nodeLine(CleanCluster.examined(), "dfs.datanode.peer.stats.enabled", "false");

        assertThat(SeenDataNodes.slowPeers(off)).isEmpty();
        assertThat(SeenDataNodes.slowDisks(off)).hasValue(0);
    }
}
