// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.datanode.config.DataNodeSettings;
import io.hearth.docs.DefaultFiles;
import io.hearth.doctor.check.Doctor;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix.Command;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Fix.Effect;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedMaster;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedRegionServer;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import io.hearth.doctor.model.ProbedReadCache;
import io.hearth.doctor.model.ProbedReadCache.CacheSsd;
import io.hearth.doctor.model.ProcessConfig.Role;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.util.StringUtils;

/** What becomes of a cluster when somebody pastes what the doctor says, and restarts what it is for. */
final class Changes {

    private Changes() {}

    /** Each value is one that HBase or HDFS can read, by the type that the key's default has. */
    static void areOfTheirKeysTypes(Finding finding) {
        finding.fixes().stream()
                .filter(Command.class::isInstance)
                .map(fix -> ((Command) fix).command())
                .forEach(command -> assertThat(command)
                        .as("what is to be run can be pasted as it is")
                        .doesNotContain("#", "<", "...")
                        .doesNotContainPattern("\\b[A-Z]{3,}\\b"));
        for (ConfigLine line : lines(finding)) {
            assertThat(line.effect() == Effect.REREAD)
                    .as("DataNodes read %s again by themselves", line.key())
                    .isEqualTo(DataNodeSettings.ALL.stream()
                            .anyMatch(setting -> setting.key().equals(line.key())));
            assertThat(DefaultFiles.knows(line.key())
                            || HadoopKey.named(line.key())
                                    .filter(key -> key.readBy().isPresent())
                                    .isPresent())
                    .as("somebody reads %s", line.key())
                    .isTrue();
            String like = DefaultFiles.defaultOf(line.key());
            if (like.equals("true") || like.equals("false")) {
                assertThat(line.value()).as(line.xml()).isIn("true", "false");
            } else if (like.matches("-?\\d+")) {
                assertThat(Long.parseLong(line.value())).as(line.xml()).isGreaterThanOrEqualTo(0);
            } else if (like.matches("\\d+[kmgtpe]")) {
                assertThat(StringUtils.TraditionalBinaryPrefix.string2long(line.value()))
                        .as(line.xml())
                        .isPositive();
            } else if (like.matches("-?\\d+\\.\\d+")) {
                assertThat(Double.parseDouble(line.value())).as(line.xml()).isFinite();
            } else {
                assertThat(line.value()).as(line.xml()).matches("[\\w./,$-]+");
            }
        }
    }

    /** With all of the finding's lines in the files of the processes that it names, and those restarted, it is gone. */
    static void mend(ProbedCluster injected, Finding finding) {
        ProbedCluster mended = injected;
        for (ConfigLine line : lines(finding)) {
            mended = pasted(mended, line, place -> finding.where().stream().anyMatch(where -> isAt(where, place)));
        }
        if (!lines(finding).isEmpty()) {
            assertThat(Doctor.findings(mended))
                    .as("after %s", lines(finding))
                    .extracting(Finding::check)
                    .doesNotContain(finding.check());
        }
    }

    private static List<ConfigLine> lines(Finding finding) {
        return finding.fixes().stream()
                .filter(ConfigLine.class::isInstance)
                .map(ConfigLine.class::cast)
                .toList();
    }

    private static boolean isAt(String where, String place) {
        return where.equals(place) || where.startsWith(place + " ");
    }

    /** In the files of those processes of its role that are meant; of all of them where none is named. */
    private static ProbedCluster pasted(ProbedCluster cluster, ConfigLine line, Predicate<String> isMeant) {
        boolean isAnyMeant =
                cluster.daemons(line.role()).map(ProbedCluster.Daemon::name).anyMatch(isMeant);
        Predicate<String> into = place -> !isAnyMeant || isMeant.test(place);
        return switch (line.role()) {
            case HMASTER ->
                isMeant.test(cluster.fallbackName())
                        ? CleanCluster.withFallbackConfig(
                                intoMasters(cluster, line),
                                cluster.fallbackConfig().with(line.key(), line.value()))
                        : intoMasters(cluster, line);
            case HEALER ->
                CleanCluster.withFallbackConfig(
                        intoMasters(cluster, line), cluster.fallbackConfig().with(line.key(), line.value()));
            case REGIONSERVER ->
                CleanCluster.withServers(
                        CleanCluster.withFallbackConfig(
                                cluster, cluster.fallbackConfig().with(line.key(), line.value())),
                        cluster.regionServers().stream()
                                .map(server -> into.test(Role.REGIONSERVER.word() + " " + server.host())
                                        ? into(server, line)
                                        : server)
                                .toList());
            case DATANODE ->
                CleanCluster.withNodes(
                        cluster,
                        ProbeResult.known(cluster.dataNodes().ifKnown().orElseThrow().stream()
                                .map(node ->
                                        into.test(Role.DATANODE.word() + " " + node.host()) ? into(node, line) : node)
                                .toList()));
            case NAMENODE -> CleanCluster.withNameNode(cluster, line.key(), line.value());
        };
    }

    private static ProbedCluster intoMasters(ProbedCluster cluster, ConfigLine line) {
        return CleanCluster.withHBase(
                CleanCluster.masterLine(cluster, line.key(), line.value()),
                hbase -> new ProbedHBase(
                        hbase.backupMasters().stream()
                                .map(backup -> new ProbedMaster(
                                        backup.host(),
                                        backup.version(),
                                        backup.java(),
                                        CleanCluster.with(backup.settings(), line.key(), line.value())))
                                .toList(),
                        hbase.deadServers(),
                        hbase.balancerOn(),
                        hbase.replicatedTables(),
                        hbase.hotRegions()));
    }

    private static ProbedRegionServer into(ProbedRegionServer server, ConfigLine line) {
        return Servers.settings(server, CleanCluster.with(server.settings(), line.key(), line.value()));
    }

    /** A restarted DataNode does what its file says. */
    private static ProbedDataNode into(ProbedDataNode node, ConfigLine line) {
        ProbedDataNode pasted = Nodes.settings(node, CleanCluster.with(node.settings(), line.key(), line.value()));
        long bytes = pasted.settings().ifKnown().orElseThrow().number(HadoopKey.BALANCE_BANDWIDTH);
        long moves = pasted.settings().ifKnown().orElseThrow().number(HadoopKey.BALANCE_MOVES);
        ProbedDataNode live =
                Nodes.live(pasted, ProbeResult.known(bytes), ProbeResult.known(moves), pasted.somaxconn());
        return live.readCache()
                .ifKnown()
                .map(cache -> Nodes.readCache(live, ProbeResult.known(into(cache, line))))
                .orElse(live);
    }

    /** What was written stays written; what may be is as the file says. */
    private static ProbedReadCache into(ProbedReadCache cache, ConfigLine line) {
        CacheSsd ssd = cache.ssd();
        return line.key().equals("hearth.datanode.cache.max.daily.writes")
                ? new ProbedReadCache(
                        cache.mode(),
                        new CacheSsd(ssd.isServing(), ssd.trips(), ssd.maxBytes(), (long)
                                (Double.parseDouble(line.value()) * ssd.maxBytes())),
                        cache.ssdBytes(),
                        cache.diskBytes(),
                        cache.lastDay())
                : cache;
    }
}
