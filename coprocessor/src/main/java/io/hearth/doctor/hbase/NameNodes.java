package io.hearth.doctor.hbase;

import io.hearth.doctor.hdfs.DataNodeList;
import io.hearth.doctor.hdfs.HdfsExaminer;
import io.hearth.doctor.model.Answer;
import io.hearth.doctor.model.FoundHdfs;
import io.hearth.doctor.model.FoundNameNode;
import io.hearth.healing.hbase.HealerUser;
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
    private static final Duration MOST = Duration.ofSeconds(60);

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

    FoundHdfs hdfs() {
        if (hdfs.isEmpty()) {
            return unknown(whyNot);
        }
        try {
            return together.within(
                    NAME_NODE, MOST, () -> user.doAs(() -> hdfs.get().look()));
        } catch (IOException none) {
            return unknown(String.valueOf(none.getMessage()));
        }
    }

    private static FoundHdfs unknown(String why) {
        return new FoundHdfs(Answer.unknown(why), Answer.unknown(why), Answer.unknown(why));
    }

    Answer<List<FoundNameNode>> found() {
        return uis().ifKnown()
                .map(uis -> Answer.known(together.each(uis, NameNodes::nameNode, NameNodes::silent)))
                .orElseGet(() -> Answer.unknown(
                        whyNot.isEmpty() ? "the client's configuration does not say where they are" : whyNot));
    }

    private Answer<List<String>> uis() {
        try {
            return hdfs.isPresent()
                    ? Answer.known(
                            together.within(NAME_NODE, MOST, () -> hdfs.get().nameNodeUis()))
                    : Answer.unknown(whyNot);
        } catch (IOException notConfigured) {
            return Answer.unknown(String.valueOf(notConfigured.getMessage()));
        }
    }

    private static FoundNameNode nameNode(String address) {
        WebUi ui = WebUi.at(address);
        return new FoundNameNode(
                URI.create(address).getHost(), WebUi.text(ui.bean(INFO, Set.of(VERSION)), VERSION), ui.settings());
    }

    private static FoundNameNode silent(String address, String why) {
        return new FoundNameNode(URI.create(address).getHost(), Answer.unknown(why), Answer.unknown(why));
    }

    /** By the report that superusers get, else by the web UI of the active one. */
    Answer<DataNodeList> dataNodes() {
        if (hdfs.isEmpty()) {
            return Answer.unknown(whyNot);
        }
        Answer<DataNodeList> report;
        try {
            report = together.within(
                    NAME_NODE, MOST, () -> user.doAs(() -> hdfs.get().report()));
        } catch (IOException none) {
            report = Answer.unknown(String.valueOf(none.getMessage()));
        }
        if (report.ifKnown().isPresent()) {
            return report;
        }
        List<Answer<DataNodeList>> live = together.each(
                uis().ifKnown().orElse(List.of()),
                address -> live(WebUi.at(address).bean(INFO, Set.of(LIVE))),
                (address, why) -> Answer.unknown(why));
        return live.stream()
                .filter(list ->
                        list.ifKnown().filter(known -> !known.nodes().isEmpty()).isPresent())
                .findFirst()
                .orElse(report);
    }

    /** The attribute is a text that is JSON again. */
    static Answer<DataNodeList> live(Answer<Map<String, String>> info) {
        String text = info.ifKnown().map(bean -> bean.get(LIVE)).orElse("{}");
        List<DataNodeList.Node> nodes = new ArrayList<>();
        try (JsonReader json = new JsonReader(new StringReader(text))) {
            json.beginObject();
            while (json.hasNext()) {
                String name = json.nextName();
                nodes.add(node(JsonPages.printable(name), JsonPages.texts(json, OF_A_NODE::contains)));
            }
            return Answer.known(new DataNodeList(nodes));
        } catch (IOException | RuntimeException notWhatWeKnow) {
            return Answer.unknown("the NameNode's list of DataNodes can't be read");
        }
    }

    private static DataNodeList.Node node(String name, Map<String, String> node) {
        String ui = node.getOrDefault("infoAddr", "");
        return new DataNodeList.Node(
                name.substring(0, name.lastIndexOf(':')),
                ui.substring(0, ui.lastIndexOf(':')),
                JsonPages.printable(node.getOrDefault("location", "")),
                Optional.ofNullable(node.get("version")).map(JsonPages::printable),
                Integer.parseInt(ui.substring(ui.lastIndexOf(':') + 1)),
                OptionalInt.empty());
    }
}
