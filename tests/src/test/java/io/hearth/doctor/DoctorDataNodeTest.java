// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.check.Doctor;
import io.hearth.doctor.model.DataNodeMetrics;
import io.hearth.doctor.model.DataNodeMetrics.ListenDrops;
import io.hearth.doctor.model.DataNodeMetrics.PendingDeletions;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.NodeReports;
import io.hearth.doctor.model.NodeReports.SlowDisk;
import io.hearth.doctor.model.NodeReports.SlowPeer;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * DataNodes that are sick and not yet dead: each fault that is planted is found with its host, and nothing else is; what HDFS does not
 * measure is unknown.
 */
class DoctorDataNodeTest {

    private static final List<SlowPeer> NO_PEERS = List.of();
    private static final List<SlowDisk> NO_DISKS = List.of();

    private static Arguments reported(String check, String where, NodeReports reports) {
        UnaryOperator<ProbedCluster> plant = cluster -> CleanCluster.withReports(cluster, reports);
        return Arguments.of(check, where, plant);
    }

    private static Arguments measured(String check, String where, DataNodeMetrics metrics) {
        UnaryOperator<ProbedCluster> plant =
                cluster -> CleanCluster.withNode(cluster, node -> Nodes.metrics(node, ProbeResult.known(metrics)));
        return Arguments.of(check, where, plant);
    }

    private static DataNodeMetrics metrics(long xceivers, long failedVolumes, double ackMs, double flushMs) {
        return new DataNodeMetrics(
                xceivers,
                failedVolumes,
                OptionalDouble.of(ackMs),
                OptionalDouble.of(flushMs),
                List.of(),
                Optional.empty());
    }

    private static Stream<Arguments> faults() {
        UnaryOperator<ProbedCluster> drops = cluster -> CleanCluster.withNode(
                cluster,
                node -> node.with(
                        ProbeResult.known(new ListenDrops(7, 0, 0).until(new ListenDrops(19, 0, 0), 11_000))));
        return Stream.of(
                reported(
                        "slow-peers",
                        "DataNode host3 (by host1, host2)",
                        new NodeReports(
                                List.of(new SlowPeer("host3", List.of("host2", "host1", "host2"))),
                                NO_DISKS,
                                List.of())),
                reported(
                        "slow-disks",
                        "DataNode host2 (/data4)",
                        new NodeReports(NO_PEERS, List.of(new SlowDisk("host2", "/data4")), List.of())),
                measured(
                        "slow-disks",
                        "DataNode host4 (/data1)",
                        new DataNodeMetrics(
                                100,
                                0,
                                OptionalDouble.of(2),
                                OptionalDouble.of(1),
                                List.of("/data1"),
                                Optional.empty())),
                reported("dead-datanode", "DataNode host9", new NodeReports(NO_PEERS, NO_DISKS, List.of("host9"))),
                measured("failed-volumes", "DataNode host4 (2)", metrics(100, 2, 2, 1)),
                measured("transfer-threads-use", "DataNode host4 (7000 of 8192)", metrics(7_000, 0, 2, 1)),
                measured("slow-writes", "DataNode host4 (61 ms)", metrics(100, 0, 61, 1)),
                measured("slow-writes", "DataNode host4 (400 ms)", metrics(100, 0, 2, 400)),
                measured(
                        "deletion-delay-room",
                        "DataNode host4 (9000 of 10000)",
                        new DataNodeMetrics(
                                20,
                                0,
                                OptionalDouble.of(2),
                                OptionalDouble.of(1),
                                List.of(),
                                Optional.of(new PendingDeletions(9_000, 10_000, 0, 17_179_869_184L)))),
                measured(
                        "deletion-delay-room",
                        "DataNode host4 (17045651456 of 17179869184 bytes)",
                        new DataNodeMetrics(
                                20,
                                0,
                                OptionalDouble.of(2),
                                OptionalDouble.of(1),
                                List.of(),
                                // 127 blocks of 128 MB: no further one may wait.
                                Optional.of(new PendingDeletions(127, 2_000, 127L << 27, 1L << 34)))),
                Arguments.of("listen-drops", "DataNode host4", drops));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("faults")
    void whatIsPlantedIsFoundAndNothingElse(String check, String where, UnaryOperator<ProbedCluster> plant) {
        ProbedCluster cluster = plant.apply(CleanCluster.examined());

        assertThat(Doctor.findings(cluster)).singleElement().satisfies(finding -> {
            assertThat(finding.check()).isEqualTo(check);
            assertThat(finding.severity()).isIn(Severity.ERROR, Severity.WARNING);
            assertThat(finding.where()).containsExactly(where);
            assertThat(finding.what()).endsWith(".").doesNotContain("  ");
            assertThat(finding.cost()).endsWith(".").doesNotContain("  ");
            assertThat(finding.fixes()).isNotEmpty();
            Changes.areOfTheirKeysTypes(finding);
            Changes.mend(cluster, finding);
        });
    }

    @Test
    void dropsAreToldAsTheyAre() {
        ProbedCluster cluster = CleanCluster.withNode(
                CleanCluster.examined(), node -> node.with(ProbeResult.known(new ListenDrops(19, 12, 11_000))));

        assertThat(Doctor.findings(cluster))
                .extracting(Finding::what)
                .containsExactly(
                        "The kernel of its host has dropped 12 connections in the last 11 s, 19 since it started,"
                                + " because a listening socket had no room for them.");
    }

    @Test
    void dropsBeforeTheDoctorCameAndAKernelThatIsOnAnotherHostAreNone() {
        ProbedCluster cluster = CleanCluster.withNode(
                CleanCluster.examined(), node -> node.with(ProbeResult.known(new ListenDrops(5_000, 0, 10_000))));

        assertThat(Doctor.findings(cluster)).isEmpty();
        assertThat(Doctor.findings(CleanCluster.withNode(
                        cluster, node -> node.with(ProbeResult.unknown("on the DataNode's own host alone")))))
                .isEmpty();
        assertThat(new ListenDrops(9, 0, 0)
                        .until(new ListenDrops(3, 0, 0), 10_000)
                        .whileWatched())
                .as("the host was restarted")
                .isZero();
    }

    /** Where all are alike, or few, or quick, a slow one is none. */
    @Test
    void slowWritesAreThoseThatAreSlowerThanMost() {
        ProbedCluster well = CleanCluster.examined();
        List<ProbedDataNode> nodes = well.dataNodes().ifKnown().orElseThrow();
        ProbedCluster allSlow = CleanCluster.withNodes(
                well,
                ProbeResult.known(nodes.stream()
                        .map(node -> Nodes.metrics(node, ProbeResult.known(metrics(1, 0, 300, 300))))
                        .toList()));

        assertThat(Doctor.findings(allSlow)).isEmpty();
        assertThat(Doctor.findings(CleanCluster.withNode(
                        well, node -> Nodes.metrics(node, ProbeResult.known(metrics(1, 0, 49, 49))))))
                .isEmpty();
        assertThat(Doctor.findings(CleanCluster.withNodes(
                        well,
                        ProbeResult.known(List.of(
                                nodes.get(0),
                                Nodes.metrics(nodes.get(1), ProbeResult.known(metrics(1, 0, 900, 900))))))))
                .extracting(Finding::check)
                .doesNotContain("slow-writes");
    }

    /** HDFS does not measure by default: an empty report says nothing then. */
    @ParameterizedTest
    @MethodSource("unmeasured")
    void withoutMeasuringNobodyKnows(String check, String key, String value, String what) {
        ProbedCluster cluster = CleanCluster.nodeLine(CleanCluster.examined(), key, value);

        assertThat(Doctor.findings(cluster)).singleElement().satisfies(finding -> {
            assertThat(finding.check()).isEqualTo(check);
            assertThat(finding.severity()).isEqualTo(Severity.UNKNOWN);
            assertThat(finding.where()).containsExactly("DataNode host4");
            assertThat(finding.what()).isEqualTo(what);
            Changes.areOfTheirKeysTypes(finding);
            Changes.mend(cluster, finding);
        });
    }

    private static Stream<Arguments> unmeasured() {
        return Stream.of(
                Arguments.of(
                        "slow-peers",
                        "dfs.datanode.peer.stats.enabled",
                        "false",
                        "No DataNode is reported as slow by others, and they do not measure: dfs.datanode.peer.stats.enabled is"
                                + " false."),
                Arguments.of(
                        "slow-peers",
                        "dfs.datanode.min.outlier.detection.nodes",
                        "10",
                        "No DataNode is reported as slow by others, and there are fewer than are compared:"
                                + " dfs.datanode.min.outlier.detection.nodes."),
                Arguments.of(
                        "slow-disks",
                        "dfs.datanode.fileio.profiling.sampling.percentage",
                        "0",
                        "No disk is reported as slow, and they are not measured:"
                                + " dfs.datanode.fileio.profiling.sampling.percentage is 0."));
    }

    @Test
    void aNameNodeThatDoesNotGatherReportsGetsALineOfItsOwn() {
        ProbedCluster cluster =
                CleanCluster.withNameNode(CleanCluster.examined(), "dfs.datanode.peer.stats.enabled", "false");

        assertThat(Doctor.findings(cluster)).singleElement().satisfies(finding -> {
            assertThat(finding.where()).containsExactly("NameNode namenode");
            assertThat(finding.fixes()).singleElement().isInstanceOfSatisfying(Fix.ConfigLine.class, line -> assertThat(
                            line.role().word() + " " + line.xml())
                    .isEqualTo("NameNode <property><name>dfs.datanode.peer.stats.enabled</name>"
                            + "<value>true</value></property>"));
            Changes.mend(cluster, finding);
        });
    }

    /** What is reported is true wherever it comes from, though others measure nothing. */
    @Test
    void whoIsReportedIsReportedThoughOneDoesNotMeasure() {
        ProbedCluster cluster = CleanCluster.withReports(
                CleanCluster.nodeLine(CleanCluster.examined(), "dfs.datanode.peer.stats.enabled", "false"),
                new NodeReports(List.of(new SlowPeer("host1", List.of("host2"))), NO_DISKS, List.of()));

        assertThat(Doctor.findings(cluster))
                .extracting(Finding::check, Finding::severity)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("slow-peers", Severity.WARNING));
    }

    @Test
    void whatADataNodeDoesNotSayIsUnknown() {
        String why = "its web UI has not answered within 5000 ms";
        ProbedCluster cluster =
                CleanCluster.withNode(CleanCluster.examined(), node -> Nodes.metrics(node, ProbeResult.unknown(why)));

        assertThat(Doctor.findings(cluster)).singleElement().satisfies(finding -> {
            assertThat(finding.check()).isEqualTo("datanode-metrics");
            assertThat(finding.severity()).isEqualTo(Severity.UNKNOWN);
            assertThat(finding.where()).containsExactly("DataNode host4");
            assertThat(finding.what()).isEqualTo(why);
        });
    }
}
