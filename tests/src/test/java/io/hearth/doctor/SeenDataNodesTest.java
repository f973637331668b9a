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

    private static final long HOLDS_MS = 1_500_000;

    private static List<UnhealthyHost> unhealthy(ProbedCluster cluster) {
        DataNodeStates states = new DataNodeStates();
        states.take(SeenDataNodes.observations(cluster, 1_000, HOLDS_MS), 1_000);
        return states.unhealthy();
    }

    private static ProbedCluster reported(NodeReports reports) {
        return CleanCluster.withReports(CleanCluster.examined(), reports);
    }

    @Test
    void onAHealthyClusterAllAreHealthyAndNoneIsSlow() {
        assertThat(unhealthy(CleanCluster.examined())).isEmpty();
        assertThat(SeenDataNodes.observations(CleanCluster.examined(), 1_000, HOLDS_MS))
                .hasSize(16);
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
            states.take(SeenDataNodes.observations(reported(slow), roundMs, HOLDS_MS), roundMs);
            assertThat(states.of("host2")).isEqualTo(DataNodeState.SUSPECT);
            states.take(List.of(), roundMs + 599_999);
            assertThat(states.of("host2")).isEqualTo(DataNodeState.SUSPECT);
        }
        states.take(SeenDataNodes.observations(CleanCluster.examined(), 3_600_000, HOLDS_MS), 3_600_000);
        assertThat(states.of("host2")).isEqualTo(DataNodeState.PROBING);
    }

    /** Broken (it counts for 300 s from when the round began, which took that long): never suspect, or suspect and probed by turns. */
    @Test
    void aSlowPeerIsSuspectFromRoundToRoundAndWellOnceARoundFindsNothing() {
        DataNodeStates states = new DataNodeStates();
        long everyMs = 16 * 600_000;
        for (int round = 0; round < 6; round++) {
            long begunMs = round * everyMs;
            // Each time others say so, and all that answers the healer is well.
            NodeReports slow = new NodeReports(
                            List.of(new SlowPeer("host3", List.of("host1", round % 2 == 0 ? "host2" : "host4"))),
                            List.of(),
                            List.of())
                    .readAt(begunMs + 30_000);
            states.take(SeenDataNodes.observations(reported(slow), begunMs, 2 * everyMs + 300_000), begunMs + 300_000);
            assertThat(states.of("host3")).isEqualTo(DataNodeState.SUSPECT);
            states.take(List.of(), begunMs + everyMs + 299_999);
            assertThat(states.of("host3")).isEqualTo(DataNodeState.SUSPECT);
        }
        long lastMs = 6 * everyMs;
        states.take(
                SeenDataNodes.observations(
                        reported(new NodeReports(List.of(), List.of(), List.of()).readAt(lastMs + 30_000)),
                        lastMs,
                        2 * everyMs + 300_000),
                lastMs + 300_000);
        assertThat(states.of("host3")).isEqualTo(DataNodeState.PROBING);
    }

    /** Broken (all is as old as the round): what the NameNode reported minutes later is left out where the healer has looked meanwhile. */
    @Test
    void whatTheNameNodeReportsIsAsOldAsWhenItWasRead() {
        NodeReports slow = new NodeReports(
                        List.of(
                                new SlowPeer("host3", List.of("host1", "host2")),
                                new SlowPeer("host2", List.of("host1"))),
                        List.of(),
                        List.of("host9"))
                .readAt(61_000);

        assertThat(SeenDataNodes.observations(reported(slow), 1_000, HOLDS_MS))
                .filteredOn(seen -> seen.atMs() != 1_000)
                .extracting(seen -> seen.host() + " " + seen.kind() + " " + seen.outcome() + " " + seen.atMs())
                .containsExactly(
                        "host9 NAMENODE FAILED 61000",
                        "host2 CLIENT SLOW 61000",
                        "host1 PEERS GOOD 61000",
                        "host2 PEERS GOOD 61000",
                        "host3 PEERS SLOW 61000",
                        "host4 PEERS GOOD 61000");
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

        assertThat(SeenDataNodes.observations(silent, 1_000, HOLDS_MS))
                .filteredOn(seen -> seen.host().equals("host4"))
                .extracting(seen -> seen.observer() + " " + seen.outcome())
                .containsExactly("the NameNode GOOD", "the healer FAILED", "its peers GOOD");
        assertThat(SeenDataNodes.observations(
                        CleanCluster.withNode(
                                silent, node -> Nodes.metrics(node, ProbeResult.unknown("its web UI answers 401"))),
                        1_000,
                        HOLDS_MS))
                .filteredOn(seen -> seen.host().equals("host4"))
                .extracting(seen -> seen.observer() + " " + seen.outcome())
                .containsExactly("the NameNode GOOD", "its peers GOOD");
    }

    @Test
    void whereHdfsDoesNotMeasureTheNumberIsNotKnown() {
        ProbedCluster off = CleanCluster.nodeLine(CleanCluster.examined(), "dfs.datanode.peer.stats.enabled", "false");

        assertThat(SeenDataNodes.slowPeers(off)).isEmpty();
        assertThat(SeenDataNodes.slowDisks(off)).hasValue(0);
        assertThat(SeenDataNodes.slowPeers(CleanCluster.nodeLine(
                        CleanCluster.examined(), "dfs.datanode.min.outlier.detection.nodes", "10")))
                .as("of four nobody is compared")
                .isEmpty();
    }
}
