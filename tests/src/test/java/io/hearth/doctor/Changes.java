package io.hearth.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.docs.DefaultFiles;
import io.hearth.doctor.check.Doctor;
import io.hearth.doctor.model.Answer;
import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.FoundDataNode;
import io.hearth.doctor.model.FoundHBase;
import io.hearth.doctor.model.FoundMaster;
import io.hearth.doctor.model.FoundRegionServer;
import io.hearth.doctor.model.Key;
import io.hearth.doctor.model.Remedy.Line;
import io.hearth.doctor.model.Role;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.util.StringUtils;

/** What becomes of a cluster when somebody pastes what the doctor says, and restarts what it is for. */
final class Changes {

    private Changes() {}

    /** Each value is one that HBase or HDFS can read, by the type that the key's default has. */
    static void areOfTheirKeysTypes(Finding finding) {
        for (Line line : lines(finding)) {
            assertThat(DefaultFiles.knows(line.key())
                            || Key.named(line.key())
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
    static void mend(Examined planted, Finding finding) {
        Examined mended = planted;
        for (Line line : lines(finding)) {
            mended = pasted(mended, line, place -> finding.where().stream().anyMatch(where -> isAt(where, place)));
        }
        if (!lines(finding).isEmpty()) {
            assertThat(Doctor.findings(mended))
                    .as("after %s", lines(finding))
                    .extracting(Finding::check)
                    .doesNotContain(finding.check());
        }
    }

    private static List<Line> lines(Finding finding) {
        return finding.remedies().stream()
                .filter(Line.class::isInstance)
                .map(Line.class::cast)
                .toList();
    }

    private static boolean isAt(String where, String place) {
        return where.equals(place) || where.startsWith(place + " ");
    }

    /** In the files of those processes of its role that are meant; of all of them where none is named. */
    private static Examined pasted(Examined cluster, Line line, Predicate<String> isMeant) {
        boolean isAnyMeant =
                cluster.members(line.role()).map(Examined.Member::name).anyMatch(isMeant);
        Predicate<String> into = place -> !isAnyMeant || isMeant.test(place);
        return switch (line.role()) {
            case HMASTER -> intoMasters(cluster, line);
            case HEALER ->
                CleanCluster.withStandIn(
                        intoMasters(cluster, line), cluster.standIn().with(line.key(), line.value()));
            case REGIONSERVER ->
                CleanCluster.withServers(
                        CleanCluster.withStandIn(cluster, cluster.standIn().with(line.key(), line.value())),
                        cluster.regionServers().stream()
                                .map(server -> into.test(Role.REGIONSERVER.word() + " " + server.host())
                                        ? into(server, line)
                                        : server)
                                .toList());
            case DATANODE ->
                CleanCluster.withNodes(
                        cluster,
                        Answer.known(cluster.dataNodes().ifKnown().orElseThrow().stream()
                                .map(node ->
                                        into.test(Role.DATANODE.word() + " " + node.host()) ? into(node, line) : node)
                                .toList()));
            case NAMENODE -> CleanCluster.withNameNode(cluster, line.key(), line.value());
        };
    }

    private static Examined intoMasters(Examined cluster, Line line) {
        return CleanCluster.withHBase(
                CleanCluster.masterLine(cluster, line.key(), line.value()),
                hbase -> new FoundHBase(
                        hbase.backupMasters().stream()
                                .map(backup -> new FoundMaster(
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

    private static FoundRegionServer into(FoundRegionServer server, Line line) {
        return Servers.settings(server, CleanCluster.with(server.settings(), line.key(), line.value()));
    }

    /** A restarted DataNode does what its file says. */
    private static FoundDataNode into(FoundDataNode node, Line line) {
        FoundDataNode pasted = Nodes.settings(node, CleanCluster.with(node.settings(), line.key(), line.value()));
        long bytes = pasted.settings().ifKnown().orElseThrow().number(Key.BALANCE_BANDWIDTH);
        long moves = pasted.settings().ifKnown().orElseThrow().number(Key.BALANCE_MOVES);
        return Nodes.live(pasted, Answer.known(bytes), Answer.known(moves), pasted.somaxconn());
    }
}
