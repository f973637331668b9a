package io.hearth.doctor.hbase;

import io.hearth.doctor.hdfs.DataNodeList;
import io.hearth.doctor.hdfs.HdfsExaminer;
import io.hearth.doctor.model.Answer;
import io.hearth.doctor.model.FoundHdfs;
import io.hearth.doctor.model.FoundNameNode;
import io.hearth.healing.hbase.HealerUser;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** The NameNodes of HBase's name service: what they say by RPC, and by their web UIs to those whom that is refused. Used by one thread. */
final class NameNodes {

    private static final String INFO = "Hadoop:service=NameNode,name=NameNodeInfo";

    private final HealerUser user;
    private final Optional<HdfsExaminer> hdfs;
    private final String whyNot;
    private final Together together;

    /** @param whyNot why there is no HDFS to ask */
    NameNodes(HealerUser user, Optional<HdfsExaminer> hdfs, String whyNot, Together together) {
        this.user = user;
        this.hdfs = hdfs;
        this.whyNot = whyNot;
        this.together = together;
    }

    String scheme() {
        return hdfs.map(HdfsExaminer::scheme).orElse("http");
    }

    FoundHdfs hdfs() throws IOException {
        return hdfs.isPresent()
                ? user.doAs(() -> hdfs.get().look())
                : new FoundHdfs(Answer.unknown(whyNot), Answer.unknown(whyNot), Answer.unknown(whyNot));
    }

    Answer<List<FoundNameNode>> found() {
        return uis().ifKnown()
                .map(uis -> Answer.known(together.each(uis, NameNodes::nameNode)))
                .orElseGet(() -> Answer.unknown(
                        whyNot.isEmpty() ? "the client's configuration does not say where they are" : whyNot));
    }

    private Answer<List<String>> uis() {
        try {
            return hdfs.isPresent() ? Answer.known(hdfs.get().nameNodeUis()) : Answer.unknown(whyNot);
        } catch (IOException | IllegalArgumentException notConfigured) {
            return Answer.unknown(String.valueOf(notConfigured.getMessage()));
        }
    }

    private static FoundNameNode nameNode(String address) {
        WebUi ui = new WebUi(address);
        Answer<JsonObject> info = ui.bean(INFO);
        Answer<String> version = info.ifKnown()
                .flatMap(bean -> Optional.ofNullable(bean.get("SoftwareVersion")))
                .map(known -> Answer.known(known.getAsString()))
                .orElseGet(() -> Answer.unknown("its web UI does not say"));
        return new FoundNameNode(URI.create(address).getHost(), version, ui.settings());
    }

    /** By the report that superusers get, else by the web UI of the active one. */
    Answer<DataNodeList> dataNodes() throws IOException {
        if (hdfs.isEmpty()) {
            return Answer.unknown(whyNot);
        }
        Answer<DataNodeList> report = user.doAs(() -> hdfs.get().report());
        if (report.ifKnown().isPresent()) {
            return report;
        }
        return uis().ifKnown().stream()
                .flatMap(List::stream)
                .map(address -> new WebUi(address).bean(INFO))
                .flatMap(bean -> bean.ifKnown().stream())
                .map(NameNodes::live)
                .filter(list -> !list.nodes().isEmpty())
                .findFirst()
                .map(Answer::known)
                .orElse(report);
    }

    private static DataNodeList live(JsonObject info) {
        List<DataNodeList.Node> nodes = new ArrayList<>();
        JsonElement live = info.get("LiveNodes");
        if (live == null) {
            return new DataNodeList(nodes);
        }
        JsonObject byName = JsonParser.parseString(live.getAsString()).getAsJsonObject();
        for (String name : byName.keySet()) {
            JsonObject node = byName.getAsJsonObject(name);
            String ui = node.get("infoAddr").getAsString();
            nodes.add(new DataNodeList.Node(
                    name.substring(0, name.lastIndexOf(':')),
                    ui.substring(0, ui.lastIndexOf(':')),
                    node.get("location").getAsString(),
                    Optional.of(node.get("version").getAsString()),
                    Integer.parseInt(ui.substring(ui.lastIndexOf(':') + 1)),
                    OptionalInt.empty()));
        }
        return new DataNodeList(nodes);
    }
}
