// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.doctor.hdfs.HdfsProbe;
import io.hearth.doctor.hdfs.HdfsProbe.DataNodeList;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedNameNode;
import io.hearth.healer.hbase.HealerUser;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonReader;

/** The NameNodes of HBase's name service: what they say by RPC, and by their web UIs to those whom that is refused. Used by one thread. */
final class NameNodes {

    private static final String INFO = "Hadoop:service=NameNode,name=NameNodeInfo";
    private static final String VERSION = "SoftwareVersion";
    private static final String NAME_NODE = "the NameNode";
    private static final String LIVE = "LiveNodes";
    private static final Set<String> OF_A_NODE = Set.of("infoAddr", "location", "version");

    /** The NameNode's own client tries again for longer. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    private final HealerUser user;
    private final Optional<HdfsProbe> hdfs;
    private final String whyNot;
    private final ParallelProber prober;

    /** @param whyNot why there is no HDFS to ask */
    NameNodes(HealerUser user, Optional<HdfsProbe> hdfs, String whyNot, ParallelProber prober) {
        this.user = user;
        this.hdfs = hdfs;
        this.whyNot = whyNot;
        this.prober = prober;
    }

    String scheme() {
        return hdfs.map(HdfsProbe::scheme).orElse("http");
    }

    ProbedHdfs hdfs() {
        if (hdfs.isEmpty()) {
            return unknown(whyNot);
        }
        try {
            return prober.within(
                    NAME_NODE, MAX_WAIT, () -> user.doAs(() -> hdfs.get().probe()));
        } catch (IOException none) {
            return unknown(String.valueOf(none.getMessage()));
        }
    }

    private static ProbedHdfs unknown(String why) {
        return new ProbedHdfs(
                ProbeResult.unknown(why), ProbeResult.unknown(why), ProbeResult.unknown(why), ProbeResult.unknown(why));
    }

    /** @param nodes by which what they report has names */
    ProbeResult<List<ProbedNameNode>> found(DataNodeList nodes) {
        return uis().ifKnown()
                .map(uis -> ProbeResult.known(prober.each(uis, NameNodes::nameNode, NameNodes::silent).stream()
                        .map(node -> named(node, nodes))
                        .toList()))
                .orElseGet(() -> ProbeResult.unknown(
                        whyNot.isEmpty() ? "the client's configuration does not say where they are" : whyNot));
    }

    private ProbeResult<List<String>> uis() {
        try {
            return hdfs.isPresent()
                    ? ProbeResult.known(
                            prober.within(NAME_NODE, MAX_WAIT, () -> hdfs.get().nameNodeUis()))
                    : ProbeResult.unknown(whyNot);
        } catch (IOException notConfigured) {
            return ProbeResult.unknown(String.valueOf(notConfigured.getMessage()));
        }
    }

    private static ProbedNameNode nameNode(String address) {
        InfoServerClient ui = InfoServerClient.at(address);
        ProbeResult<Map<String, String>> info = ui.bean(INFO, Set.of(VERSION, NodeReportsReader.DEAD));
        return new ProbedNameNode(
                URI.create(address).getHost(),
                InfoServerClient.text(info, VERSION),
                ui.settings(),
                NodeReportsReader.read(ui, info));
    }

    private static ProbedNameNode named(ProbedNameNode node, DataNodeList nodes) {
        return new ProbedNameNode(
                node.host(),
                node.version(),
                node.settings(),
                node.reports()
                        .ifKnown()
                        .map(reports ->
                                ProbeResult.known(reports.named(address -> NodeReportsReader.host(address, nodes))))
                        .orElse(node.reports()));
    }

    private static ProbedNameNode silent(String address, String why) {
        return new ProbedNameNode(
                URI.create(address).getHost(),
                ProbeResult.unknown(why),
                ProbeResult.unknown(why),
                ProbeResult.unknown(why));
    }

    /** By the report that superusers get, else by the web UI of the active one. */
    ProbeResult<DataNodeList> dataNodes() {
        if (hdfs.isEmpty()) {
            return ProbeResult.unknown(whyNot);
        }
        ProbeResult<DataNodeList> report;
        try {
            report = prober.within(
                    NAME_NODE, MAX_WAIT, () -> user.doAs(() -> hdfs.get().report()));
        } catch (IOException none) {
            report = ProbeResult.unknown(String.valueOf(none.getMessage()));
        }
        if (report.ifKnown().isPresent()) {
            return report;
        }
        List<ProbeResult<DataNodeList>> live = prober.each(
                uis().ifKnown().orElse(List.of()),
                address -> live(InfoServerClient.at(address).bean(INFO, Set.of(LIVE))),
                (address, why) -> ProbeResult.unknown(why));
        return live.stream()
                .filter(list ->
                        list.ifKnown().filter(known -> !known.nodes().isEmpty()).isPresent())
                .findFirst()
                .orElse(report);
    }

    /** The attribute is a text that is JSON again. */
    static ProbeResult<DataNodeList> live(ProbeResult<Map<String, String>> info) {
        String text = info.ifKnown().map(bean -> bean.get(LIVE)).orElse("{}");
        List<DataNodeList.Node> nodes = new ArrayList<>();
        try (JsonReader json = new JsonReader(new StringReader(text))) {
            json.beginObject();
            while (json.hasNext()) {
                String name = json.nextName();
                nodes.add(node(BoundedJsonReader.printable(name), BoundedJsonReader.texts(json, OF_A_NODE::contains)));
            }
            return ProbeResult.known(new DataNodeList(nodes));
        } catch (IOException | RuntimeException notWhatWeKnow) {
            return ProbeResult.unknown("the NameNode's list of DataNodes can't be read");
        }
    }

    private static DataNodeList.Node node(String name, Map<String, String> node) {
        String ui = node.getOrDefault("infoAddr", "");
        return new DataNodeList.Node(
                name.substring(0, name.lastIndexOf(':')),
                ui.substring(0, ui.lastIndexOf(':')),
                BoundedJsonReader.printable(node.getOrDefault("location", "")),
                Optional.ofNullable(node.get("version")).map(BoundedJsonReader::printable),
                Integer.parseInt(ui.substring(ui.lastIndexOf(':') + 1)),
                OptionalInt.empty());
    }
}
