// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.DOMAIN_SOCKET;
import static io.hearth.doctor.model.HadoopKey.DOMAIN_SOCKET_DISABLE_S;
import static io.hearth.doctor.model.HadoopKey.SHORT_CIRCUIT;
import static io.hearth.doctor.model.Role.DATANODE;
import static io.hearth.doctor.model.Role.REGIONSERVER;

import io.hearth.doctor.check.SettingCheck.Violation;
import io.hearth.doctor.model.Fix;
import io.hearth.doctor.model.Fix.ConfigLine;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.Daemon;
import io.hearth.doctor.model.ProbedDataNode;
import io.hearth.doctor.model.ProcessConfig;
import io.hearth.doctor.model.Role;
import io.hearth.doctor.model.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Whether a RegionServer may read the replicas of its own host without the DataNode. */
final class ShortCircuitChecks {

    /** Where nobody in the cluster names one. */
    private static final String DEFAULT_SOCKET = "/var/lib/hadoop-hdfs/dn_socket";

    /** HDFS puts the DataNode's port in its place. */
    private static final String PORT = "_PORT";

    private ShortCircuitChecks() {}

    static List<Check> all() {
        return List.of(isOn(REGIONSERVER), isOn(DATANODE), sameSocket(), disableInterval());
    }

    /** Both sides need both keys: a DataNode without them does not listen (DataNode.getDomainPeerServer). */
    private static Check isOn(Role role) {
        return new SettingCheck(
                role,
                new FindingTemplate(
                        "short-circuit",
                        Severity.WARNING,
                        "Every read of a local block goes through the DataNode and TCP, so that locality is worth less than it could be.",
                        "default of HDFS; HubSpot's, XiaoMi's and Bloomberg's practice. It needs libhadoop.so in the java.library.path"
                                + " of both: a DataNode with these keys and without the library does not start"),
                (cluster, daemon, settings) -> {
                    if (settings.is(SHORT_CIRCUIT)
                            && !settings.text(DOMAIN_SOCKET).isEmpty()) {
                        return Optional.empty();
                    }
                    String what = settings.is(SHORT_CIRCUIT)
                            ? "Short-circuit reads have no socket: " + DOMAIN_SOCKET.key() + " is not set."
                            : "Short-circuit reads are off: " + SHORT_CIRCUIT.key() + " is false.";
                    return Optional.of(new Violation(what, lines(role, socketFor(cluster, daemon), settings)));
                });
    }

    private static List<Fix> lines(Role role, String socket, ProcessConfig settings) {
        List<Fix> lines = new ArrayList<>();
        if (!settings.is(SHORT_CIRCUIT)) {
            lines.add(ConfigLine.of(role, SHORT_CIRCUIT, true));
        }
        if (!settings.text(DOMAIN_SOCKET).equals(socket)) {
            lines.add(ConfigLine.of(role, DOMAIN_SOCKET, socket));
        }
        return lines;
    }

    /** The socket of this host's DataNode; where that names none, this process's own, another DataNode's, or the usual one. */
    private static String socketFor(ProbedCluster cluster, Daemon daemon) {
        return Stream.of(
                        socketOf(cluster, daemon.host()).stream(),
                        daemon.settings().ifKnown().stream().map(own -> own.text(DOMAIN_SOCKET)),
                        cluster.daemons(DATANODE)
                                .flatMap(node -> node.settings().ifKnown().stream())
                                .map(own -> own.text(DOMAIN_SOCKET)))
                .flatMap(paths -> paths)
                .filter(path -> !path.isEmpty())
                .findFirst()
                .orElse(DEFAULT_SOCKET);
    }

    /** Where the DataNode of this host listens; empty where that is not known or it does not. */
    private static Optional<String> socketOf(ProbedCluster cluster, String host) {
        return cluster.dataNodes().ifKnown().stream()
                .flatMap(List::stream)
                .filter(node -> node.host().equalsIgnoreCase(host))
                .map(ProbedDataNode::settings)
                .flatMap(settings -> settings.ifKnown().stream())
                .map(own -> own.text(DOMAIN_SOCKET))
                .filter(path -> !path.isEmpty())
                .findFirst();
    }

    private static Check sameSocket() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "short-circuit-socket",
                        Severity.ERROR,
                        "Short-circuit reads are on and none is ever made: every read of a local block goes through the DataNode and TCP.",
                        "DomainSocketFactory; the pages /conf of the RegionServer and of its host's DataNode"),
                (cluster, daemon, settings) -> {
                    String own = settings.text(DOMAIN_SOCKET);
                    if (!settings.is(SHORT_CIRCUIT) || own.isEmpty()) {
                        return Optional.empty();
                    }
                    return socketOf(cluster, daemon.host())
                            .filter(theirs -> !isSame(own, theirs))
                            .flatMap(theirs -> Violation.of(
                                    "It looks for its DataNode at " + own + ", and that listens at " + theirs + ": "
                                            + DOMAIN_SOCKET.key() + ".",
                                    ConfigLine.of(REGIONSERVER, DOMAIN_SOCKET, theirs)));
                });
    }

    private static boolean isSame(String one, String other) {
        return one.equals(other) || fits(one, other) || fits(other, one);
    }

    private static boolean fits(String withPort, String path) {
        return withPort.contains(PORT) && path.matches(Pattern.quote(withPort).replace(PORT, "\\E\\d+\\Q"));
    }

    private static Check disableInterval() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "short-circuit-pause",
                        Severity.ERROR,
                        "One replica that moves away from under a local reader makes all the others go through the DataNode for that long.",
                        "DomainSocketFactory; measured",
                        ConfigLine.of(REGIONSERVER, DOMAIN_SOCKET_DISABLE_S, 0)),
                settings -> settings.is(SHORT_CIRCUIT) && settings.number(DOMAIN_SOCKET_DISABLE_S) > 0
                        ? Optional.of("After one failure all short-circuit reads of a RegionServer are off for "
                                + settings.number(DOMAIN_SOCKET_DISABLE_S) + " s.")
                        : Optional.empty());
    }
}
