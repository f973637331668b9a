// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.hdfs.HdfsProbe.DataNodeList;
import io.hearth.doctor.model.NodeReports;
import io.hearth.doctor.model.NodeReports.SlowDisk;
import io.hearth.doctor.model.NodeReports.SlowPeer;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A NameNode's reports of slow and dead DataNodes as several versions of Hadoop write them. */
class NodeReportsReaderTest {

    private static NodeReports read(Map<String, String> status, String dead) {
        return NodeReportsReader.parsed(status, dead, 7).ifKnown().orElseThrow();
    }

    @Test
    void slowPeersHaveTheirReportersInBothForms() {
        String since34 = "[{\"SlowNode\":\"10.0.0.3:9864\",\"SlowPeerLatencyWithReportingNodes\":["
                + "{\"ReportingNode\":\"10.0.0.2:9867\",\"ReportedLatency\":21.5,\"MedianLatency\":1.0,\"MadLatency\":0.1,"
                + "\"UpperLimitLatency\":5.0},{\"ReportingNode\":\"10.0.0.1:9867\",\"ReportedLatency\":9.0}]}]";
        String before = "[{\"SlowNode\":\"10.0.0.3:9864\",\"ReportingNodes\":[\"10.0.0.1:9867\",\"10.0.0.2:9867\"]}]";
        List<SlowPeer> peers = List.of(new SlowPeer("10.0.0.3:9864", List.of("10.0.0.1:9867", "10.0.0.2:9867")));

        assertThat(read(Map.of("SlowPeersReport", since34), "").slowPeers()).isEqualTo(peers);
        assertThat(read(Map.of("SlowPeersReport", before), "").slowPeers()).isEqualTo(peers);
    }

    @Test
    void aDisksIdIsItsDataNodesAddressAndTheVolume() {
        String disks = "[{\"SlowDiskID\":\"10.0.0.3:9867:/data/dfs:2\",\"Latencies\":{\"READ\":50.1}}]";

        assertThat(read(Map.of("SlowDisksReport", disks), "").slowDisks())
                .containsExactly(new SlowDisk("10.0.0.3:9867", "/data/dfs:2"));
    }

    @Test
    void deadOnesThatWereTakenOutOfServiceAreNotMissed() {
        String dead = "{\"host2:9866\":{\"lastContact\":700,\"decommissioned\":false,\"adminState\":\"In Service\"},"
                + "\"host7:9866\":{\"lastContact\":900,\"decommissioned\":true}}";

        assertThat(read(Map.of(), dead).dead()).containsExactly("host2");
    }

    @Test
    void reportsThatAreNotMadeAreEmpty() {
        assertThat(read(Map.of(), "{}")).isEqualTo(new NodeReports(List.of(), List.of(), List.of()).readAt(7));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[1]", "[{\"SlowNode\":{}}]", "[{\"SlowNode\":\"a\"", "[{\"ReportingNodes\":7}]"})
    void aReportThatIsNoneIsUnknown(String text) {
        assertThat(NodeReportsReader.parsed(Map.of("SlowPeersReport", text), "", 7))
                .isEqualTo(ProbeResult.unknown("the NameNode's report of slow DataNodes can't be read"));
    }

    @Test
    void addressesBecomeNamesByWhicheverPortTheyHave() {
        DataNodeList nodes = new DataNodeList(List.of(
                node("host1", "10.0.0.1", 9864, 9867),
                node("host2", "10.0.0.2", 9864, 9867),
                node("host3", "10.0.0.2", 9874, 9877)));

        assertThat(NodeReportsReader.host("10.0.0.1:9864", nodes)).isEqualTo("host1");
        assertThat(NodeReportsReader.host("10.0.0.2:9877", nodes)).isEqualTo("host3");
        assertThat(NodeReportsReader.host("10.0.0.2:1", nodes)).isEqualTo("host2");
        assertThat(NodeReportsReader.host("10.0.0.9:9864", nodes)).isEqualTo("10.0.0.9:9864");
        assertThat(new NodeReports(
                                List.of(new SlowPeer("10.0.0.1:9864", List.of("10.0.0.2:9867"))),
                                List.of(new SlowDisk("10.0.0.2:9877", "/d")),
                                List.of("host5"))
                        .readAt(7)
                        .named(address -> NodeReportsReader.host(address, nodes)))
                .isEqualTo(new NodeReports(
                                List.of(new SlowPeer("host1", List.of("host2"))),
                                List.of(new SlowDisk("host3", "/d")),
                                List.of("host5"))
                        .readAt(7));
    }

    private static DataNodeList.Node node(String host, String address, int infoPort, int ipcPort) {
        return new DataNodeList.Node(host, address, "/r", Optional.empty(), infoPort, OptionalInt.of(ipcPort));
    }
}
