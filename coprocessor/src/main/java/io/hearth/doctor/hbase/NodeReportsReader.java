// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.doctor.hdfs.HdfsProbe.DataNodeList;
import io.hearth.doctor.model.NodeReports;
import io.hearth.doctor.model.NodeReports.SlowDisk;
import io.hearth.doctor.model.NodeReports.SlowPeer;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonReader;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonToken;

/**
 * Reads what a NameNode reports of slow and dead DataNodes from its page {@code /jmx}, where everybody may read it, with the DataNodes that
 * say so. {@code getSlowDatanodeReport} of its RPC, since Hadoop 3.3.4, has the same list without them. Stateless.
 */
final class NodeReportsReader {

    private static final String STATUS = "Hadoop:service=NameNode,name=NameNodeStatus";
    private static final String SLOW_PEERS = "SlowPeersReport";
    private static final String SLOW_DISKS = "SlowDisksReport";

    /** Of the bean NameNodeInfo. */
    static final String DEAD = "DeadNodes";

    /** By Hadoop 3.4; before, a reporter is a text. */
    private static final String PEER_REPORTS = "SlowPeerLatencyWithReportingNodes";

    private static final String REPORTERS = "ReportingNodes";
    private static final String REPORTER = "ReportingNode";
    private static final String SLOW_NODE = "SlowNode";
    private static final String DISK_ID = "SlowDiskID";
    private static final String DECOMMISSIONED = "decommissioned";

    /** More of a kind are not taken from one report. */
    private static final int MAX_REPORTED = 10_000;

    private NodeReportsReader() {}

    /** What the NameNode with this web UI reports, with addresses. */
    static ProbeResult<NodeReports> read(InfoServerClient ui, ProbeResult<Map<String, String>> nameNodeInfo) {
        if (nameNodeInfo instanceof ProbeResult.Unknown<Map<String, String>> unknown) {
            return ProbeResult.unknown(unknown.why());
        }
        ProbeResult<Map<String, String>> status = ui.bean(STATUS, Set.of(SLOW_PEERS, SLOW_DISKS));
        return status instanceof ProbeResult.Unknown<Map<String, String>> unknown
                ? ProbeResult.unknown(unknown.why())
                : parsed(
                        status.ifKnown().orElseThrow(),
                        nameNodeInfo.ifKnown().orElseThrow().getOrDefault(DEAD, ""),
                        System.nanoTime() / 1_000_000);
    }

    /**
     * A report that the NameNode does not make is {@code null}, and so missing.
     *
     * @param readMs when it was read, by {@code System.nanoTime} in milliseconds
     */
    static ProbeResult<NodeReports> parsed(Map<String, String> status, String dead, long readMs) {
        try {
            return ProbeResult.known(new NodeReports(
                            peers(status.getOrDefault(SLOW_PEERS, "")),
                            disks(status.getOrDefault(SLOW_DISKS, "")),
                            dead(dead))
                    .readAt(readMs));
        } catch (IOException | RuntimeException notWhatWeKnow) {
            return ProbeResult.unknown("the NameNode's report of slow DataNodes can't be read");
        }
    }

    /** The host of the DataNode at this address, whichever of its ports that has; the address where nobody knows it. */
    static String host(String address, DataNodeList nodes) {
        int colon = address.lastIndexOf(':');
        String ip = colon < 0 ? address : address.substring(0, colon);
        String port = address.substring(colon + 1);
        List<DataNodeList.Node> there =
                nodes.nodes().stream().filter(node -> node.address().equals(ip)).toList();
        return there.stream()
                .filter(node -> port.equals("" + node.infoPort())
                        || port.equals("" + node.ipcPort().orElse(-1)))
                .findFirst()
                .or(() -> there.stream().findFirst())
                .map(DataNodeList.Node::host)
                .orElse(address);
    }

    private static List<SlowPeer> peers(String text) throws IOException {
        List<SlowPeer> peers = new ArrayList<>();
        if (text.isEmpty()) {
            return peers;
        }
        try (JsonReader json = new JsonReader(new StringReader(text))) {
            json.beginArray();
            while (json.hasNext() && peers.size() < MAX_REPORTED) {
                peers.add(peer(json));
            }
        }
        return peers;
    }

    private static SlowPeer peer(JsonReader json) throws IOException {
        String node = "";
        List<String> reporters = new ArrayList<>();
        json.beginObject();
        while (json.hasNext()) {
            switch (json.nextName()) {
                case SLOW_NODE -> node = BoundedJsonReader.printable(json.nextString());
                case REPORTERS, PEER_REPORTS -> reporters.addAll(reporters(json));
                default -> json.skipValue();
            }
        }
        json.endObject();
        return new SlowPeer(node, reporters);
    }

    private static List<String> reporters(JsonReader json) throws IOException {
        List<String> reporters = new ArrayList<>();
        json.beginArray();
        while (json.hasNext()) {
            String reporter = json.peek() == JsonToken.STRING
                    ? json.nextString()
                    : BoundedJsonReader.texts(json, REPORTER::equals).getOrDefault(REPORTER, "");
            if (reporters.size() < MAX_REPORTED) {
                reporters.add(BoundedJsonReader.printable(reporter));
            }
        }
        json.endArray();
        return reporters;
    }

    /** An id is the DataNode's address for RPC, a colon, and the volume. */
    private static List<SlowDisk> disks(String text) throws IOException {
        List<SlowDisk> disks = new ArrayList<>();
        if (text.isEmpty()) {
            return disks;
        }
        try (JsonReader json = new JsonReader(new StringReader(text))) {
            json.beginArray();
            while (json.hasNext() && disks.size() < MAX_REPORTED) {
                String id = BoundedJsonReader.printable(
                        BoundedJsonReader.texts(json, DISK_ID::equals).getOrDefault(DISK_ID, ""));
                int volume = id.indexOf(":/");
                disks.add(
                        volume < 0
                                ? new SlowDisk(id, "")
                                : new SlowDisk(id.substring(0, volume), id.substring(volume + 1)));
            }
        }
        return disks;
    }

    private static List<String> dead(String text) throws IOException {
        List<String> dead = new ArrayList<>();
        if (text.isEmpty()) {
            return dead;
        }
        try (JsonReader json = new JsonReader(new StringReader(text))) {
            json.beginObject();
            while (json.hasNext() && dead.size() < MAX_REPORTED) {
                String name = BoundedJsonReader.printable(json.nextName());
                if (!"true"
                        .equals(BoundedJsonReader.texts(json, DECOMMISSIONED::equals)
                                .get(DECOMMISSIONED))) {
                    dead.add(name.replaceFirst(":\\d+$", ""));
                }
            }
        }
        return dead;
    }
}
