package io.hearth.doctor.hbase;

import io.hearth.doctor.hdfs.DataNodeList;
import io.hearth.doctor.hdfs.DataNodeRpc;
import io.hearth.doctor.hdfs.HdfsExaminer;
import io.hearth.doctor.model.Answer;
import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.FoundDataNode;
import io.hearth.doctor.model.FoundHBase;
import io.hearth.doctor.model.FoundMaster;
import io.hearth.doctor.model.FoundRegionServer;
import io.hearth.doctor.model.Key;
import io.hearth.doctor.model.ServerCounters;
import io.hearth.doctor.model.Settings;
import io.hearth.healing.hbase.HealerUser;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
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

    private static final String NO_UI = "it has no web UI (hbase.regionserver.info.port)";
    private static final String HMASTER = "the HMaster";
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
            HBaseState state = together.within(HMASTER, MOST, () -> HBaseState.ask(conf, user));
            long beganNanos = System.nanoTime();
            ClusterExaminer examiner = new ClusterExaminer(conf, user, together);
            Examined first = examiner.examine(state);
            together.pause(limits.watch().minusNanos(System.nanoTime() - beganNanos));
            return examiner.watched(first, state);
        }
    }

    /** The same, with what was counted since. */
    private Examined watched(Examined first, HBaseState state) {
        long overMs = Math.max(1, (System.nanoTime() - state.atNanos()) / 1_000_000);
        List<ServerMetrics> reports = reports(state.metrics());
        List<Answer<ServerCounters>> counters = together.each(
                reports,
                report -> ui(scheme(), report).map(RegionServers::counters).orElseGet(() -> Answer.unknown(NO_UI)),
                (report, why) -> Answer.unknown(why));
        List<FoundRegionServer> servers = new ArrayList<>();
        for (int index = 0; index < reports.size(); index++) {
            servers.add(RegionServers.watched(first.regionServers().get(index), counters.get(index), overMs));
        }
        FoundHBase hbase = first.hbase();
        return new Examined(
                first.user(),
                first.standIn(),
                first.standInName(),
                first.master(),
                servers,
                first.nameNodes(),
                first.dataNodes(),
                first.hdfs(),
                new FoundHBase(
                        hbase.backupMasters(),
                        hbase.deadServers(),
                        hbase.balancerOn(),
                        hbase.replicatedTables(),
                        hotRegions(state, overMs)));
    }

    private Answer<List<FoundHBase.HotRegion>> hotRegions(HBaseState state, long overMs) {
        try {
            return Answer.known(HotRegions.between(
                    state.metrics(),
                    together.within(HMASTER, MOST, () -> HBaseState.ask(conf, user))
                            .metrics(),
                    overMs));
        } catch (IOException none) {
            return Answer.unknown(String.valueOf(none.getMessage()));
        }
    }

    private String scheme() {
        return conf.getBoolean("hbase.ssl.enabled", false) ? "https" : "http";
    }

    private Examined examine(HBaseState state) {
        ClusterMetrics metrics = state.metrics();
        WebUi master = WebUi.at(scheme(), metrics.getMasterName().getHostname(), metrics.getMasterInfoPort());
        Settings standIn = ConfigurationKeys.of(conf);
        try (HdfsExaminer hdfs = together.within(
                "the NameNode", MOST, () -> user.doAs(() -> HdfsExaminer.of(CommonFSUtils.getRootDir(conf), conf)))) {
            return examine(state, master, standIn, new NameNodes(user, Optional.of(hdfs), "", together));
        } catch (IOException notThere) {
            String why = "HDFS can't be asked: "
                    + String.valueOf(notThere.getMessage()).lines().findFirst().orElse("");
            return examine(state, master, standIn, new NameNodes(user, Optional.empty(), why, together));
        }
    }

    private Examined examine(HBaseState state, WebUi master, Settings standIn, NameNodes nameNodes) {
        ClusterMetrics metrics = state.metrics();
        return new Examined(
                user.shortName(),
                standIn,
                STAND_IN,
                master(metrics.getMasterName().getHostname(), metrics, master),
                regionServers(metrics, master, racks(master)),
                nameNodes.found(),
                dataNodes(nameNodes),
                nameNodes.hdfs(),
                new FoundHBase(
                        backupMasters(metrics),
                        state.deadServers(),
                        state.balancerOn(),
                        state.replicatedTables(),
                        Answer.unknown("nobody has watched them")));
    }

    /** They are asked at the port of the active one, which is all that a client is told. */
    private List<FoundMaster> backupMasters(ClusterMetrics metrics) {
        return metrics.getBackupMasterNames().stream()
                .map(ServerName::getHostname)
                .sorted()
                .map(host -> master(host, metrics, WebUi.at(scheme(), host, metrics.getMasterInfoPort())))
                .toList();
    }

    private FoundMaster master(String host, ClusterMetrics metrics, WebUi ui) {
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

    private static List<ServerMetrics> reports(ClusterMetrics metrics) {
        return metrics.getLiveServerMetrics().values().stream()
                .sorted(Comparator.comparing(report -> report.getServerName()))
                .toList();
    }

    private static Optional<WebUi> ui(String scheme, ServerMetrics report) {
        return report.getInfoServerPort() <= 0
                ? Optional.empty()
                : Optional.of(WebUi.at(scheme, report.getServerName().getHostname(), report.getInfoServerPort()));
    }

    private List<FoundRegionServer> regionServers(
            ClusterMetrics metrics, WebUi master, Answer<Map<String, String>> racks) {
        long masterAheadMs = together.each(List.of(master), WebUi::clockAheadMs, (ui, why) -> Answer.<Long>unknown(why))
                .get(0)
                .ifKnown()
                .orElse(0L);
        return together.each(
                reports(metrics),
                report -> regionServer(report, masterAheadMs, racks),
                (report, why) -> silent(report, racks, why));
    }

    private static FoundRegionServer silent(ServerMetrics report, Answer<Map<String, String>> racks, String why) {
        String host = report.getServerName().getHostname();
        return RegionServers.found(
                report, MasterRacks.of(host, racks), Answer.unknown(why), Answer.unknown(why), Answer.unknown(why));
    }

    private FoundRegionServer regionServer(
            ServerMetrics report, long masterAheadMs, Answer<Map<String, String>> racks) {
        Optional<WebUi> ui = ui(scheme(), report);
        if (ui.isEmpty()) {
            return silent(report, racks, NO_UI);
        }
        Answer<Long> clock = ui.get().clockAheadMs();
        return RegionServers.found(
                report,
                MasterRacks.of(report.getServerName().getHostname(), racks),
                ui.get().settings(),
                RegionServers.counters(ui.get()),
                clock.ifKnown()
                        .map(ahead -> Answer.known(ahead - masterAheadMs))
                        .orElse(clock));
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
