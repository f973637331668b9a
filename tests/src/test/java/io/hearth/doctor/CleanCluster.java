package io.hearth.doctor;

import io.hearth.doctor.model.Answer;
import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.FoundDataNode;
import io.hearth.doctor.model.FoundHBase;
import io.hearth.doctor.model.FoundHdfs;
import io.hearth.doctor.model.FoundMaster;
import io.hearth.doctor.model.FoundNameNode;
import io.hearth.doctor.model.FoundRegionServer;
import io.hearth.doctor.model.LocalReads;
import io.hearth.doctor.model.ServerCounters;
import io.hearth.doctor.model.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;

/** A made-up cluster of four hosts that is configured from {@code conf/} and in which everything is known and as it should be. */
final class CleanCluster {

    static final Path CONF = Path.of("..", "conf").toAbsolutePath().normalize();

    private static final long GIGABYTE = 1L << 30;
    private static final long MEGABYTE = 1L << 20;

    private CleanCluster() {}

    static Examined examined() {
        return examined(List.of());
    }

    /** With these files of a preset over the fragments, where they are for both. */
    static Examined examined(List<Path> preset) {
        Settings hbase = settings(files(preset, "regionserver/hbase-site.xml", "short-circuit.xml"));
        Settings master = settings(files(preset, "master/hbase-site.xml"));
        Settings dataNode = settings(files(preset, "datanode/hdfs-site.xml", "short-circuit.xml"));
        List<FoundRegionServer> servers = new ArrayList<>();
        List<FoundDataNode> nodes = new ArrayList<>();
        for (int host = 1; host <= 4; host++) {
            String rack = "/rack" + (1 + host % 2);
            servers.add(new FoundRegionServer(
                    "host" + host,
                    Answer.known("2.6.4-hadoop3"),
                    Answer.known(rack),
                    Answer.known(hbase),
                    12 * GIGABYTE,
                    100,
                    100,
                    300,
                    4,
                    GIGABYTE,
                    Answer.known(new ServerCounters(GIGABYTE, GIGABYTE, 1_000, 100 * MEGABYTE, 2, 10_000, 5_000)),
                    Answer.known(new LocalReads(MEGABYTE, MEGABYTE, 10_000)),
                    Answer.known(0L)));
            nodes.add(new FoundDataNode(
                    "host" + host,
                    rack,
                    Answer.known("3.4.3"),
                    Answer.known(dataNode),
                    Answer.known(100 * MEGABYTE),
                    Answer.known(100L),
                    Answer.known(4_096)));
        }
        return new Examined(
                "hbase",
                hbase,
                "the client's configuration",
                new FoundMaster("master", "2.6.4-hadoop3", Answer.known("17"), Answer.known(master)),
                servers,
                Answer.known(List.of(new FoundNameNode(
                        "namenode",
                        Answer.known("3.4.3"),
                        Answer.known(settings(files(preset, "namenode/hdfs-site.xml")))))),
                Answer.known(nodes),
                new FoundHdfs(Answer.known(true), Answer.known(List.of()), Answer.known(List.of())),
                new FoundHBase(
                        List.of(new FoundMaster("backup", "2.6.4-hadoop3", Answer.known("17"), Answer.known(master))),
                        List.of(),
                        Answer.known(true),
                        Answer.known(List.of()),
                        Answer.known(List.of())));
    }

    private static List<Path> files(List<Path> preset, String... fragments) {
        List<Path> files = new ArrayList<>();
        for (String fragment : fragments) {
            files.add(CONF.resolve(fragment));
        }
        files.addAll(preset);
        return files;
    }

    private static Settings settings(List<Path> files) {
        Configuration site = new Configuration(false);
        files.forEach(file -> site.addResource(new org.apache.hadoop.fs.Path(file.toUri())));
        Map<String, String> values = new TreeMap<>(site.getPropsWithPrefix(""));
        values.keySet().removeIf(key -> !Settings.isOfUse(key));
        return new Settings(values);
    }

    /** A copy with one part in the place of its own. */
    private static Examined with(Examined cluster, Object... parts) {
        Examined copy = cluster;
        for (Object part : parts) {
            copy = new Examined(
                    copy.user(),
                    part instanceof Settings standIn ? standIn : copy.standIn(),
                    copy.standInName(),
                    part instanceof FoundMaster master ? master : copy.master(),
                    copy.regionServers(),
                    copy.nameNodes(),
                    copy.dataNodes(),
                    part instanceof FoundHdfs hdfs ? hdfs : copy.hdfs(),
                    part instanceof FoundHBase hbase ? hbase : copy.hbase());
        }
        return copy;
    }

    static Examined withStandIn(Examined cluster, Settings standIn) {
        return with(cluster, standIn);
    }

    static Examined withMaster(Examined cluster, UnaryOperator<FoundMaster> change) {
        return with(cluster, change.apply(cluster.master()));
    }

    static Examined withHdfs(Examined cluster, UnaryOperator<FoundHdfs> change) {
        return with(cluster, change.apply(cluster.hdfs()));
    }

    static Examined withHBase(Examined cluster, UnaryOperator<FoundHBase> change) {
        return with(cluster, change.apply(cluster.hbase()));
    }

    static Examined withServers(Examined cluster, List<FoundRegionServer> servers) {
        return new Examined(
                cluster.user(),
                cluster.standIn(),
                cluster.standInName(),
                cluster.master(),
                servers,
                cluster.nameNodes(),
                cluster.dataNodes(),
                cluster.hdfs(),
                cluster.hbase());
    }

    static Examined withNodes(Examined cluster, Answer<List<FoundDataNode>> nodes) {
        return new Examined(
                cluster.user(),
                cluster.standIn(),
                cluster.standInName(),
                cluster.master(),
                cluster.regionServers(),
                cluster.nameNodes(),
                nodes,
                cluster.hdfs(),
                cluster.hbase());
    }

    static Examined withNameNodes(Examined cluster, List<FoundNameNode> nodes) {
        return new Examined(
                cluster.user(),
                cluster.standIn(),
                cluster.standInName(),
                cluster.master(),
                cluster.regionServers(),
                Answer.known(nodes),
                cluster.dataNodes(),
                cluster.hdfs(),
                cluster.hbase());
    }

    /** With a change to the last of the RegionServers. */
    static Examined withServer(Examined cluster, UnaryOperator<FoundRegionServer> change) {
        List<FoundRegionServer> servers = new ArrayList<>(cluster.regionServers());
        servers.add(change.apply(servers.remove(servers.size() - 1)));
        return withServers(cluster, servers);
    }

    /** With a change to the last of the DataNodes. */
    static Examined withNode(Examined cluster, UnaryOperator<FoundDataNode> change) {
        List<FoundDataNode> nodes =
                new ArrayList<>(cluster.dataNodes().ifKnown().orElseThrow());
        nodes.add(change.apply(nodes.remove(nodes.size() - 1)));
        return withNodes(cluster, Answer.known(nodes));
    }

    static Examined withNameNode(Examined cluster, String key, String value) {
        FoundNameNode node = cluster.nameNodes().ifKnown().orElseThrow().get(0);
        return withNameNodes(
                cluster, List.of(new FoundNameNode(node.host(), node.version(), with(node.settings(), key, value))));
    }

    static Answer<Settings> with(Answer<Settings> settings, String key, String value) {
        return Answer.known(settings.ifKnown().orElseThrow().with(key, value));
    }

    static Examined masterLine(Examined cluster, String key, String value) {
        return withMaster(
                cluster,
                master -> new FoundMaster(
                        master.host(), master.version(), master.java(), with(master.settings(), key, value)));
    }

    static Examined serverLine(Examined cluster, String key, String value) {
        return withServer(cluster, server -> Servers.settings(server, with(server.settings(), key, value)));
    }

    static Examined nodeLine(Examined cluster, String key, String value) {
        return withNode(cluster, node -> Nodes.settings(node, with(node.settings(), key, value)));
    }
}
