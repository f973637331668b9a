package io.hearth.doctor.hbase;

import io.hearth.doctor.hdfs.DataNodeList;
import io.hearth.doctor.hdfs.DataNodeRpc;
import io.hearth.doctor.hdfs.HdfsExaminer;
import io.hearth.doctor.model.Answer;
import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.FoundDataNode;
import io.hearth.doctor.model.FoundMaster;
import io.hearth.doctor.model.FoundRegionServer;
import io.hearth.doctor.model.Key;
import io.hearth.doctor.model.Settings;
import io.hearth.healing.hbase.HealerUser;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * Examines a live cluster with a client's configuration alone: the HMaster's report of its servers, each process's pages {@code /conf} and
 * {@code /jmx}, and HDFS. Each that does not answer within seconds is an unknown; only an HMaster that can't be asked is an error. It changes
 * nothing.
 */
public final class ClusterExaminer {

    private static final String NODE_INFO = "Hadoop:service=DataNode,name=DataNodeInfo";
    private static final String VERSION = "SoftwareVersion";
    private static final String RPC_PORT = "RpcPort";
    private static final String STAND_IN = "the client's configuration";

    private static final Duration MOST = Duration.ofSeconds(60);

    private final Configuration conf;
    private final HealerUser user;
    private final Together together;

    private ClusterExaminer(Configuration conf, HealerUser user, Together together) {
        this.conf = conf;
        this.user = user;
        this.together = together;
    }

    /**
     * Examines it.
     *
     * @throws IOException if HBase can't be asked
     */
    public static Examined examine(Configuration conf, DoctorLimits limits) throws IOException {
        try (Together together = new Together(limits)) {
            HealerUser user = together.within("Kerberos", MOST, () -> HealerUser.login(conf));
            ClusterMetrics metrics = together.within("the HMaster", MOST, () -> metrics(conf, user));
            return new ClusterExaminer(conf, user, together).examine(metrics);
        }
    }

    private static ClusterMetrics metrics(Configuration conf, HealerUser user) throws IOException {
        try (Connection connection = ConnectionFactory.createConnection(conf, User.create(user.ugi()));
                Admin admin = connection.getAdmin()) {
            return admin.getClusterMetrics(EnumSet.of(
                    ClusterMetrics.Option.MASTER,
                    ClusterMetrics.Option.MASTER_INFO_PORT,
                    ClusterMetrics.Option.LIVE_SERVERS,
                    ClusterMetrics.Option.HBASE_VERSION));
        }
    }

    private Examined examine(ClusterMetrics metrics) {
        String scheme = conf.getBoolean("hbase.ssl.enabled", false) ? "https" : "http";
        WebUi master = WebUi.at(scheme, metrics.getMasterName().getHostname(), metrics.getMasterInfoPort());
        Settings standIn = ConfigurationKeys.of(conf);
        try (HdfsExaminer hdfs = together.within(
                "the NameNode", MOST, () -> user.doAs(() -> HdfsExaminer.of(CommonFSUtils.getRootDir(conf), conf)))) {
            return examine(metrics, master, scheme, standIn, new NameNodes(user, Optional.of(hdfs), "", together));
        } catch (IOException notThere) {
            String why = "HDFS can't be asked: "
                    + String.valueOf(notThere.getMessage()).lines().findFirst().orElse("");
            return examine(metrics, master, scheme, standIn, new NameNodes(user, Optional.empty(), why, together));
        }
    }

    private Examined examine(
            ClusterMetrics metrics, WebUi master, String scheme, Settings standIn, NameNodes nameNodes) {
        return new Examined(
                user.shortName(),
                standIn,
                STAND_IN,
                master(metrics, master),
                regionServers(metrics, scheme, racks(master)),
                nameNodes.found(),
                dataNodes(nameNodes),
                nameNodes.hdfs());
    }

    private FoundMaster master(ClusterMetrics metrics, WebUi ui) {
        String host = metrics.getMasterName().getHostname();
        return together.each(
                        List.of(host),
                        asked -> new FoundMaster(asked, metrics.getHBaseVersion(), java(ui), ui.settings()),
                        (asked, why) -> new FoundMaster(
                                asked, metrics.getHBaseVersion(), Answer.unknown(why), Answer.unknown(why)))
                .get(0);
    }

    private Answer<Map<String, String>> racks(WebUi master) {
        return together.each(List.of(master), MasterRacks::of, (asked, why) -> Answer.<Map<String, String>>unknown(why))
                .get(0);
    }

    private static Answer<String> java(WebUi ui) {
        return WebUi.text(ui.bean("java.lang:type=Runtime", Set.of("SpecVersion")), "SpecVersion");
    }

    private List<FoundRegionServer> regionServers(
            ClusterMetrics metrics, String scheme, Answer<Map<String, String>> racks) {
        List<ServerMetrics> reports = metrics.getLiveServerMetrics().values().stream()
                .sorted(Comparator.comparing(report -> report.getServerName()))
                .toList();
        return together.each(reports, report -> regionServer(report, scheme, racks), (report, why) -> {
            String host = report.getServerName().getHostname();
            return RegionServers.found(report, MasterRacks.of(host, racks), Answer.unknown(why), Answer.unknown(why));
        });
    }

    private static FoundRegionServer regionServer(
            ServerMetrics report, String scheme, Answer<Map<String, String>> racks) {
        String host = report.getServerName().getHostname();
        if (report.getInfoServerPort() <= 0) {
            String none = "it has no web UI (hbase.regionserver.info.port)";
            return RegionServers.found(report, MasterRacks.of(host, racks), Answer.unknown(none), Answer.unknown(none));
        }
        WebUi ui = WebUi.at(scheme, host, report.getInfoServerPort());
        return RegionServers.found(report, MasterRacks.of(host, racks), ui.settings(), RegionServers.counters(ui));
    }

    private Answer<List<FoundDataNode>> dataNodes(NameNodes nameNodes) {
        Answer<DataNodeList> list = nameNodes.dataNodes();
        if (list instanceof Answer.Unknown<DataNodeList> unknown) {
            return Answer.unknown(unknown.why());
        }
        return Answer.known(together.each(
                list.ifKnown().orElseThrow().nodes(),
                node -> dataNode(node, nameNodes.scheme()),
                (node, why) -> new FoundDataNode(
                        node.host(),
                        node.rack(),
                        node.version().map(Answer::known).orElseGet(() -> Answer.unknown(why)),
                        Answer.unknown(why),
                        Answer.unknown(why),
                        Answer.unknown(why),
                        Answer.unknown(why))));
    }

    private FoundDataNode dataNode(DataNodeList.Node node, String scheme) {
        WebUi ui = WebUi.at(scheme, node.address(), node.infoPort());
        Answer<Settings> settings = ui.settings();
        Answer<Map<String, String>> info = ui.bean(NODE_INFO, Set.of(VERSION, RPC_PORT));
        Answer<Long> bandwidth;
        Answer<Long> moves;
        try (DataNodeRpc rpc =
                user.doAs(() -> DataNodeRpc.to(node.address(), ipcPort(node, WebUi.text(info, RPC_PORT)), conf))) {
            bandwidth = rpc.balanceBytesPerSecond();
            moves = rpc.balanceMoves(startedWith(settings));
        } catch (IOException notToBeAsked) {
            bandwidth = Answer.unknown(String.valueOf(notToBeAsked.getMessage()));
            moves = Answer.unknown(String.valueOf(notToBeAsked.getMessage()));
        }
        return new FoundDataNode(
                node.host(),
                node.rack(),
                node.version().map(Answer::known).orElseGet(() -> WebUi.text(info, VERSION)),
                settings,
                bandwidth,
                moves,
                DataNodeRpc.somaxconn(node.address()));
    }

    private static Answer<Long> startedWith(Answer<Settings> settings) {
        try {
            return settings.ifKnown()
                    .map(own -> Answer.known(own.number(Key.BALANCE_MOVES)))
                    .orElseGet(() -> Answer.unknown("its configuration can't be read"));
        } catch (IllegalArgumentException none) {
            return Answer.unknown(String.valueOf(none.getMessage()));
        }
    }

    private static int ipcPort(DataNodeList.Node node, Answer<String> told) throws IOException {
        if (node.ipcPort().isPresent()) {
            return node.ipcPort().getAsInt();
        }
        try {
            return Integer.parseInt(told.ifKnown()
                    .orElseThrow(() ->
                            new IOException("its port for clients is told to HDFS superusers and by its web UI only")));
        } catch (NumberFormatException none) {
            throw new IOException("its web UI answers what the doctor can't read", none);
        }
    }
}
