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
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * Examines a live cluster with a client's configuration alone: the HMaster's report of its servers, each process's pages {@code /conf} and
 * {@code /jmx}, and HDFS. Each that does not answer within seconds is an unknown; only an HMaster that can't be asked is an error. It changes
 * nothing.
 */
public final class ClusterExaminer {

    private static final String NODE_INFO = "Hadoop:service=DataNode,name=DataNodeInfo";
    private static final String STAND_IN = "the client's configuration";

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
    public static Examined examine(Configuration conf) throws IOException {
        HealerUser user = HealerUser.login(conf);
        try (Together together = new Together(user);
                Connection connection = ConnectionFactory.createConnection(conf, User.create(user.ugi()));
                Admin admin = connection.getAdmin()) {
            ClusterMetrics metrics = admin.getClusterMetrics(EnumSet.of(
                    ClusterMetrics.Option.MASTER,
                    ClusterMetrics.Option.MASTER_INFO_PORT,
                    ClusterMetrics.Option.LIVE_SERVERS,
                    ClusterMetrics.Option.HBASE_VERSION));
            return new ClusterExaminer(conf, user, together).examine(metrics);
        }
    }

    private Examined examine(ClusterMetrics metrics) throws IOException {
        String scheme = conf.getBoolean("hbase.ssl.enabled", false) ? "https" : "http";
        WebUi master = WebUi.at(scheme, metrics.getMasterName().getHostname(), metrics.getMasterInfoPort());
        Settings standIn = ConfigurationKeys.of(conf);
        try (HdfsExaminer hdfs = user.doAs(() -> HdfsExaminer.of(CommonFSUtils.getRootDir(conf), conf))) {
            return examine(metrics, master, scheme, standIn, new NameNodes(user, Optional.of(hdfs), "", together));
        } catch (IOException notThere) {
            String why = "HDFS can't be asked: "
                    + String.valueOf(notThere.getMessage()).lines().findFirst().orElse("");
            return examine(metrics, master, scheme, standIn, new NameNodes(user, Optional.empty(), why, together));
        }
    }

    private Examined examine(ClusterMetrics metrics, WebUi master, String scheme, Settings standIn, NameNodes nameNodes)
            throws IOException {
        return new Examined(
                user.shortName(),
                standIn,
                STAND_IN,
                master(metrics, master),
                regionServers(metrics, scheme, MasterRacks.of(master)),
                nameNodes.found(),
                dataNodes(nameNodes),
                nameNodes.hdfs());
    }

    private static FoundMaster master(ClusterMetrics metrics, WebUi ui) {
        return new FoundMaster(
                metrics.getMasterName().getHostname(), metrics.getHBaseVersion(), java(ui), ui.settings());
    }

    private static Answer<String> java(WebUi ui) {
        return text(ui.bean("java.lang:type=Runtime"), "SpecVersion");
    }

    private List<FoundRegionServer> regionServers(
            ClusterMetrics metrics, String scheme, Answer<Map<String, String>> racks) {
        List<ServerMetrics> reports = metrics.getLiveServerMetrics().values().stream()
                .sorted(Comparator.comparing(report -> report.getServerName()))
                .toList();
        return together.each(reports, report -> {
            String host = report.getServerName().getHostname();
            if (report.getInfoServerPort() <= 0) {
                String none = "it has no web UI (hbase.regionserver.info.port)";
                return RegionServers.found(
                        report, MasterRacks.of(host, racks), Answer.unknown(none), Answer.unknown(none));
            }
            WebUi ui = WebUi.at(scheme, host, report.getInfoServerPort());
            return RegionServers.found(report, MasterRacks.of(host, racks), ui.settings(), RegionServers.counters(ui));
        });
    }

    private Answer<List<FoundDataNode>> dataNodes(NameNodes nameNodes) throws IOException {
        Answer<DataNodeList> list = nameNodes.dataNodes();
        if (list instanceof Answer.Unknown<DataNodeList> unknown) {
            return Answer.unknown(unknown.why());
        }
        return Answer.known(
                together.each(list.ifKnown().orElseThrow().nodes(), node -> dataNode(node, nameNodes.scheme())));
    }

    private FoundDataNode dataNode(DataNodeList.Node node, String scheme) {
        WebUi ui = WebUi.at(scheme, node.address(), node.infoPort());
        Answer<Settings> settings = ui.settings();
        Answer<Long> startedWith = settings.ifKnown()
                .map(own -> Answer.known(own.number(Key.BALANCE_MOVES)))
                .orElseGet(() -> Answer.unknown("its configuration can't be read"));
        Answer<Long> bandwidth;
        Answer<Long> moves;
        try (DataNodeRpc rpc = DataNodeRpc.to(node.address(), ipcPort(node, ui), conf)) {
            bandwidth = rpc.balanceBytesPerSecond();
            moves = rpc.balanceMoves(startedWith);
        } catch (IOException notToBeAsked) {
            bandwidth = Answer.unknown(notToBeAsked.getMessage());
            moves = Answer.unknown(notToBeAsked.getMessage());
        }
        return new FoundDataNode(
                node.host(),
                node.rack(),
                node.version().map(Answer::known).orElseGet(() -> text(ui.bean(NODE_INFO), "SoftwareVersion")),
                settings,
                bandwidth,
                moves,
                DataNodeRpc.somaxconn(node.address()));
    }

    private static Answer<String> text(Answer<JsonObject> bean, String attribute) {
        return bean.ifKnown()
                .flatMap(known -> Optional.ofNullable(known.get(attribute)))
                .map(value -> Answer.known(value.getAsString()))
                .orElseGet(() -> Answer.unknown("its web UI does not say"));
    }

    private static int ipcPort(DataNodeList.Node node, WebUi ui) throws IOException {
        if (node.ipcPort().isPresent()) {
            return node.ipcPort().getAsInt();
        }
        return ui.bean(NODE_INFO)
                .ifKnown()
                .flatMap(bean -> Optional.ofNullable(bean.get("RpcPort")))
                .orElseThrow(
                        () -> new IOException("its port for clients is told to HDFS superusers and by its web UI only"))
                .getAsInt();
    }
}
