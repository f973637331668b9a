// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.common.log.PrintableName;
import io.hearth.doctor.hdfs.HdfsProbe;
import io.hearth.doctor.hdfs.HdfsProbe.DataNodeList;
import io.hearth.doctor.hdfs.HostKernel;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedMaster;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedRegionServer;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ServerCounters;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import io.hearth.doctor.model.ProcessConfig;
import io.hearth.healer.hbase.HealerUser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Examines a live cluster with a client's configuration alone: the HMaster's report of its servers, each process's pages {@code /conf} and
 * {@code /jmx}, and HDFS. Each that does not answer within seconds is an unknown; only an HMaster that can't be asked is an error. It changes
 * nothing.
 */
public final class ClusterProbe {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterProbe.class);
    private static final String FALLBACK_NAME = "the client's configuration";

    private static final String NO_UI = "it has no web UI (hbase.regionserver.info.port)";
    private static final String HMASTER = "the HMaster";
    private static final String LOOPBACK = "127.0.0.1";
    private static final String SITE_FILE = "hbase-site.xml";
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    private final Configuration conf;
    private final HealerUser user;
    private final ParallelProber prober;
    private final boolean inMaster;

    /** @param inMaster whether this process is the HMaster */
    ClusterProbe(Configuration conf, HealerUser user, ParallelProber prober, boolean inMaster) {
        this.conf = conf;
        this.user = user;
        this.prober = prober;
        this.inMaster = inMaster;
    }

    /**
     * Examines it.
     *
     * @throws IOException if HBase can't be asked
     */
    public static ProbedCluster examine(Configuration conf, DoctorLimits limits) throws IOException {
        return examine(conf, limits, false);
    }

    /**
     * Examines the cluster of the HMaster that this process is.
     *
     * @throws IOException if HBase can't be asked
     */
    public static ProbedCluster examineInMaster(Configuration conf) throws IOException {
        return examine(conf, DoctorLimits.IN_MASTER, true);
    }

    private static ProbedCluster examine(Configuration conf, DoctorLimits limits, boolean inMaster) throws IOException {
        try (ParallelProber prober = new ParallelProber(limits)) {
            HealerUser user = prober.within("Kerberos", MAX_WAIT, () -> HealerUser.login(conf));
            HBaseState state = prober.within(HMASTER, MAX_WAIT, () -> HBaseState.ask(conf, user));
            long beganNanos = System.nanoTime();
            ClusterProbe examiner = new ClusterProbe(conf, user, prober, inMaster);
            ProbedCluster first = examiner.examine(state);
            prober.pause(limits.watch().minusNanos(System.nanoTime() - beganNanos));
            return examiner.watched(first, state);
        }
    }

    /** The same, with what was counted since. */
    private ProbedCluster watched(ProbedCluster first, HBaseState state) {
        long overMs = Math.max(1, (System.nanoTime() - state.atNanos()) / 1_000_000);
        List<ServerMetrics> reports = reports(state.metrics());
        List<ProbeResult<ServerCounters>> counters = prober.each(
                reports,
                report -> ui(scheme(), report).map(RegionServers::counters).orElseGet(() -> ProbeResult.unknown(NO_UI)),
                (report, why) -> ProbeResult.unknown(why));
        List<ProbedRegionServer> servers = new ArrayList<>();
        for (int index = 0; index < reports.size(); index++) {
            servers.add(RegionServers.watched(first.regionServers().get(index), counters.get(index), overMs));
        }
        ProbedHBase hbase = first.hbase();
        return new ProbedCluster(
                first.user(),
                first.fallbackConfig(),
                first.fallbackName(),
                first.master(),
                servers,
                first.nameNodes(),
                first.dataNodes()
                        .ifKnown()
                        .map(nodes -> ProbeResult.known(nodes.stream()
                                .map(node -> watched(node, overMs))
                                .toList()))
                        .orElse(first.dataNodes()),
                first.hdfs(),
                new ProbedHBase(
                        hbase.backupMasters(),
                        hbase.deadServers(),
                        hbase.balancerOn(),
                        hbase.replicatedTables(),
                        hotRegions(state, overMs),
                        hbase.metaReplicas(),
                        hbase.flappingServers()));
    }

    /** Only one whose drops could be read is on this host. */
    private static ProbedDataNode watched(ProbedDataNode node, long overMs) {
        return node.listenDrops()
                .ifKnown()
                .flatMap(before -> HostKernel.listenDrops(LOOPBACK).ifKnown().map(now -> before.until(now, overMs)))
                .map(drops -> node.with(ProbeResult.known(drops)))
                .orElse(node);
    }

    private ProbeResult<List<ProbedHBase.HotRegion>> hotRegions(HBaseState state, long overMs) {
        try {
            return ProbeResult.known(HotRegions.between(
                    state.metrics(),
                    prober.within(HMASTER, MAX_WAIT, () -> HBaseState.ask(conf, user))
                            .metrics(),
                    overMs));
        } catch (IOException none) {
            return ProbeResult.unknown(String.valueOf(none.getMessage()));
        }
    }

    private String scheme() {
        return conf.getBoolean("hbase.ssl.enabled", false) ? "https" : "http";
    }

    /** Asks the web UI of each process at the address that this state, the NameNode or the client's configuration has of it. */
    ProbedCluster examine(HBaseState state) {
        ClusterMetrics metrics = state.metrics();
        InfoServerClient master =
                InfoServerClient.at(scheme(), metrics.getMasterName().getHostname(), metrics.getMasterInfoPort());
        ProcessConfig fallbackConfig = fallbackConfig();
        try (HdfsProbe hdfs = prober.within(
                "the NameNode", MAX_WAIT, () -> user.doAs(() -> HdfsProbe.of(CommonFSUtils.getRootDir(conf), conf)))) {
            return examine(state, master, fallbackConfig, new NameNodes(user, Optional.of(hdfs), "", prober));
        } catch (IOException notThere) {
            String why = "HDFS can't be asked: "
                    + String.valueOf(notThere.getMessage()).lines().findFirst().orElse("");
            return examine(state, master, fallbackConfig, new NameNodes(user, Optional.empty(), why, prober));
        }
    }

    private ProbedCluster examine(
            HBaseState state, InfoServerClient master, ProcessConfig fallbackConfig, NameNodes nameNodes) {
        ClusterMetrics metrics = state.metrics();
        ProbeResult<DataNodeList> listed = nameNodes.dataNodes();
        return new ProbedCluster(
                user.shortName(),
                fallbackConfig,
                inMaster || isOnHostOf(metrics) ? ProbedCluster.MASTERS_FILE : FALLBACK_NAME,
                withLoaded(master(metrics.getMasterName().getHostname(), metrics, master), metrics),
                regionServers(metrics, master, racks(master)),
                nameNodes.found(listed.ifKnown().orElseGet(() -> new DataNodeList(List.of()))),
                dataNodes(listed, nameNodes.scheme()),
                nameNodes.hdfs(),
                new ProbedHBase(
                        backupMasters(metrics),
                        state.deadServers(),
                        state.balancerOn(),
                        state.replicatedTables(),
                        ProbeResult.unknown("nobody has watched them"),
                        state.metaReplicas(),
                        flappingServers(master)));
    }

    private ProcessConfig fallbackConfig() {
        if (inMaster) {
            try {
                return prober.within(SITE_FILE, MAX_WAIT, () -> LocalConfigReader.ofMaster(conf));
            } catch (IOException unreadable) {
                LOG.warn("The doctor takes what this HMaster has in memory for its file.", unreadable);
            }
        }
        return LocalConfigReader.of(conf);
    }

    /** Whether an HMaster is started here, most likely with the file that was read. */
    private static boolean isOnHostOf(ClusterMetrics metrics) {
        try {
            InetAddress here = InetAddress.getLocalHost();
            Set<String> names = new HashSet<>(List.of(here.getHostName(), here.getCanonicalHostName()));
            return Stream.concat(Stream.of(metrics.getMasterName()), metrics.getBackupMasterNames().stream())
                    .map(ServerName::getHostname)
                    .anyMatch(names::contains);
        } catch (UnknownHostException nameless) {
            return false;
        }
    }

    private static ProbedMaster withLoaded(ProbedMaster active, ClusterMetrics metrics) {
        return new ProbedMaster(
                active.host(),
                active.version(),
                active.java(),
                active.settings(),
                ProbeResult.known(metrics.getMasterCoprocessorNames().stream()
                        .map(BoundedJsonReader::printable)
                        .sorted()
                        .toList()));
    }

    /** They are asked at the port of the active one, which is all that a client is told. */
    private List<ProbedMaster> backupMasters(ClusterMetrics metrics) {
        return metrics.getBackupMasterNames().stream()
                .map(ServerName::getHostname)
                .sorted()
                .map(host -> master(host, metrics, InfoServerClient.at(scheme(), host, metrics.getMasterInfoPort())))
                .toList();
    }

    private ProbedMaster master(String host, ClusterMetrics metrics, InfoServerClient ui) {
        return prober.each(
                        List.of(host),
                        asked -> new ProbedMaster(
                                PrintableName.of(asked), metrics.getHBaseVersion(), java(ui), ui.settings()),
                        (asked, why) -> new ProbedMaster(
                                PrintableName.of(asked),
                                metrics.getHBaseVersion(),
                                ProbeResult.unknown(why),
                                ProbeResult.unknown(why)))
                .get(0);
    }

    private ProbeResult<Map<String, String>> racks(InfoServerClient master) {
        return prober.each(
                        List.of(master), MasterRacks::of, (asked, why) -> ProbeResult.<Map<String, String>>unknown(why))
                .get(0);
    }

    private ProbeResult<List<String>> flappingServers(InfoServerClient master) {
        return prober.each(
                        List.of(master),
                        BalancerViewBean::flapping,
                        (asked, why) -> ProbeResult.<List<String>>unknown(why))
                .get(0);
    }

    private static ProbeResult<String> java(InfoServerClient ui) {
        return InfoServerClient.text(ui.bean("java.lang:type=Runtime", Set.of("SpecVersion")), "SpecVersion");
    }

    private static List<ServerMetrics> reports(ClusterMetrics metrics) {
        return metrics.getLiveServerMetrics().values().stream()
                .sorted(Comparator.comparing(report -> report.getServerName()))
                .toList();
    }

    private static Optional<InfoServerClient> ui(String scheme, ServerMetrics report) {
        return report.getInfoServerPort() <= 0
                ? Optional.empty()
                : Optional.of(
                        InfoServerClient.at(scheme, report.getServerName().getHostname(), report.getInfoServerPort()));
    }

    private List<ProbedRegionServer> regionServers(
            ClusterMetrics metrics, InfoServerClient master, ProbeResult<Map<String, String>> racks) {
        long masterAheadMs = prober.each(
                        List.of(master), InfoServerClient::clockSkewMs, (ui, why) -> ProbeResult.<Long>unknown(why))
                .get(0)
                .ifKnown()
                .orElse(0L);
        return prober.each(
                reports(metrics),
                report -> regionServer(report, masterAheadMs, racks),
                (report, why) -> silent(report, racks, why));
    }

    private static ProbedRegionServer silent(ServerMetrics report, ProbeResult<Map<String, String>> racks, String why) {
        String host = report.getServerName().getHostname();
        return RegionServers.found(
                report,
                MasterRacks.of(host, racks),
                ProbeResult.unknown(why),
                ProbeResult.unknown(why),
                ProbeResult.unknown(why));
    }

    private ProbedRegionServer regionServer(
            ServerMetrics report, long masterAheadMs, ProbeResult<Map<String, String>> racks) {
        Optional<InfoServerClient> ui = ui(scheme(), report);
        if (ui.isEmpty()) {
            return silent(report, racks, NO_UI);
        }
        ProbeResult<Long> clock = ui.get().clockSkewMs();
        return RegionServers.found(
                report,
                MasterRacks.of(report.getServerName().getHostname(), racks),
                ui.get().settings(),
                RegionServers.counters(ui.get()),
                clock.ifKnown()
                        .map(ahead -> ProbeResult.known(ahead - masterAheadMs))
                        .orElse(clock));
    }

    private ProbeResult<List<ProbedDataNode>> dataNodes(ProbeResult<DataNodeList> list, String scheme) {
        if (list instanceof ProbeResult.Unknown<DataNodeList> unknown) {
            return ProbeResult.unknown(unknown.why());
        }
        return ProbeResult.known(prober.each(
                list.ifKnown().orElseThrow().nodes(),
                node -> new DataNodeProbe(user, conf).probe(node, scheme),
                DataNodeProbe::silent));
    }

    /**
     * What an examination may take of the process that it runs in. Immutable.
     *
     * @param maxConcurrent how many processes are asked at a time
     * @param time until it ends, with what is known by then
     * @param watch what is counted is read twice, so far apart at least: RegionServers count anew every 5 s
     */
    public record DoctorLimits(int maxConcurrent, Duration time, Duration watch) {

        private static final Duration WATCH = Duration.ofSeconds(10);

        /** In the HMaster, which has other things to do. */
        public static final DoctorLimits IN_MASTER = new DoctorLimits(2, Duration.ofMinutes(5), WATCH);

        /** In a process of its own, before which somebody waits. */
        public static final DoctorLimits COMMAND_LINE = new DoctorLimits(16, Duration.ofMinutes(5), WATCH);
    }
}
