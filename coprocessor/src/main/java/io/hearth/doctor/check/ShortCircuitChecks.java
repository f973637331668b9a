// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.DOMAIN_SOCKET;
import static io.hearth.doctor.model.HadoopKey.DOMAIN_SOCKET_DISABLE_S;
import static io.hearth.doctor.model.HadoopKey.SHORT_CIRCUIT;
import static io.hearth.doctor.model.HadoopKey.SHORT_CIRCUIT_CACHES;
import static io.hearth.doctor.model.HadoopKey.STREAMS_CACHE;
import static io.hearth.doctor.model.ProcessConfig.Role.DATANODE;
import static io.hearth.doctor.model.ProcessConfig.Role.REGIONSERVER;

import io.hearth.common.config.HumanFormat;
import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.check.FindingTemplate.Unreadable;
import io.hearth.doctor.check.SettingCheck.Violation;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.Daemon;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.LocalReads;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedRegionServer;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import io.hearth.doctor.model.ProcessConfig;
import io.hearth.doctor.model.ProcessConfig.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Whether a RegionServer may read the replicas of its own host without the DataNode. */
final class ShortCircuitChecks {

    /** The socket to advise where no process of the cluster names one. */
    private static final String DEFAULT_SOCKET = "/var/lib/hadoop-hdfs/dn_socket";

    /** HDFS puts the DataNode's port in its place. */
    private static final String PORT = "_PORT";

    private static final int RECOMMENDED_CACHES = 3;
    private static final int MAX_CACHES = 5;

    private ShortCircuitChecks() {}

    static List<Check> all() {
        return List.of(
                isOn(REGIONSERVER),
                isOn(DATANODE),
                sameSocket(),
                disableInterval(),
                new ShortCircuitUseCheck(),
                new ShortCircuitCacheCheck(),
                cacheCount(),
                new CacheContentionCheck());
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

    /** HDFS's client refuses any other number, and with it every file system. */
    private static Check cacheCount() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "short-circuit-num",
                        Severity.ERROR,
                        "A RegionServer that starts with this line ends at once: it can't open HDFS.",
                        "DfsClientConf; HDFS-15202 (Hadoop 3.3.1 and later)",
                        ConfigLine.of(REGIONSERVER, SHORT_CIRCUIT_CACHES, RECOMMENDED_CACHES)),
                settings -> settings.number(SHORT_CIRCUIT_CACHES) < 1
                                || settings.number(SHORT_CIRCUIT_CACHES) > MAX_CACHES
                        ? Optional.of("Short-circuit reads are to have " + settings.number(SHORT_CIRCUIT_CACHES)
                                + " caches, and HDFS takes 1 to " + MAX_CACHES + ": " + SHORT_CIRCUIT_CACHES.key()
                                + ".")
                        : Optional.empty());
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

    /**
     * Whether short-circuit reads that are on are also done. From outside nobody sees whether a process has loaded the native library;
     * what it has read from its own host, and how, tells.
     */
    private static final class ShortCircuitUseCheck implements Check {

        /** So many local bytes are no accident, such as the first reads while the DataNode was still starting. */
        private static final long MIN_BYTES = 16L << 20;

        /** So many while the doctor watched are none either, and tell of now. */
        private static final long MIN_RECENT_BYTES = 1L << 20;

        /** Below that something is wrong: replicas that are being written, and a DataNode that was restarted, make a few per cent. */
        private static final double MIN_RECENT = 0.5;

        /** The same since the start, in which replicas were written and DataNodes restarted. */
        private static final double MIN = 0.1;

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "short-circuit-use",
                Severity.ERROR,
                "Short-circuit reads are configured, and local reads go through the DataNode all the same.",
                "HBase's metrics localBytesRead and shortCircuitBytesRead; hadoop checknative",
                new Advice(
                        "Look for \"native-hadoop library\" and \"domain socket\" in the RegionServer's log: libhadoop.so is not in its"
                                + " java.library.path, or the DataNode's socket (" + HadoopKey.DOMAIN_SOCKET.key()
                                + ") was lost or deleted, which a restart of the DataNode mends, or its folder belongs to others"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            List<String> unused = new ArrayList<>();
            List<Unreadable> unreadable = new ArrayList<>();
            for (ProbedRegionServer server : cluster.regionServers()) {
                if (!cluster.settingsOf(server.settings()).is(HadoopKey.SHORT_CIRCUIT)) {
                    continue;
                }
                String name = REGIONSERVER.word() + " " + server.host();
                Optional<String> why = whyNotTold(server);
                if (why.isPresent()) {
                    unreadable.add(new Unreadable(name, why.get()));
                } else {
                    tooFew(server).ifPresent(figures -> unused.add(name + " (" + figures + ")"));
                }
            }
            List<Finding> findings = new ArrayList<>(TEMPLATE.foundIfAny(
                    unused, "Of what it reads from its own host too little is read short-circuit, or nothing."));
            findings.addAll(TEMPLATE.unknowns(unreadable));
            return findings;
        }

        /** What it read, where that is too little: of late if that tells, else since it started. */
        private static Optional<String> tooFew(ProbedRegionServer server) {
            Optional<LocalReads> recentLocalReads =
                    server.recentLocalReads().ifKnown().filter(reads -> reads.bytes() >= MIN_RECENT_BYTES);
            if (recentLocalReads.isPresent()) {
                LocalReads reads = recentLocalReads.get();
                return reads.shortCircuitBytes() < MIN_RECENT * reads.bytes()
                        ? Optional.of(HumanFormat.bytes(reads.shortCircuitBytes()) + " of "
                                + HumanFormat.bytes(reads.bytes()) + " in the last " + reads.overMs() / 1_000
                                + " s")
                        : Optional.empty();
            }
            return server.counters()
                    .ifKnown()
                    .filter(counters -> counters.shortCircuitBytesRead() < MIN * counters.localBytesRead())
                    .map(counters -> HumanFormat.bytes(counters.shortCircuitBytesRead()) + " of "
                            + HumanFormat.bytes(counters.localBytesRead()) + " since it started");
        }

        private static Optional<String> whyNotTold(ProbedRegionServer server) {
            boolean isToldOfLate = server.recentLocalReads()
                    .ifKnown()
                    .filter(reads -> reads.bytes() >= MIN_RECENT_BYTES)
                    .isPresent();
            return isToldOfLate
                    ? Optional.empty()
                    : server.counters().whyUnknown().or(() -> server.counters()
                            .ifKnown()
                            .filter(counters -> counters.localBytesRead() < MIN_BYTES)
                            .map(few -> "it has read less than " + HumanFormat.bytes(MIN_BYTES)
                                    + " from its own host since it started"));
        }
    }

    /** Whether a RegionServer that reads much from its own host has one cache of open replicas, and so one lock, for all of it. */
    private static final class CacheContentionCheck implements Check {

        private static final long MANY_BYTES_PER_SECOND = 200L << 20;

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "short-circuit-caches",
                Severity.WARNING,
                "Its handlers wait for one another before they read, and for the thread that gives slots of shared memory back.",
                "HDFS-15202 (Hadoop 3.3.1 and later); ShortCircuitCache",
                ConfigLine.of(REGIONSERVER, SHORT_CIRCUIT_CACHES, RECOMMENDED_CACHES),
                new Advice(
                        "Look for \"failed to release short-circuit shared memory slot\" in the RegionServer's log, and for full collections of"
                                + " the DataNode: slots were given back one connection each until HDFS-13639, and to the wrong one of several DataNodes until"
                                + " HDFS-16535. Hadoop 3.3.3 has both, 3.2.4 neither"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            return TEMPLATE.foundIfAny(
                    cluster.regionServers().stream()
                            .filter(server ->
                                    cluster.settingsOf(server.settings()).number(SHORT_CIRCUIT_CACHES) == 1)
                            .filter(server -> server.recentLocalReads()
                                    .ifKnown()
                                    .filter(reads -> reads.shortCircuitBytes() * 1_000
                                            >= MANY_BYTES_PER_SECOND * Math.max(1, reads.overMs()))
                                    .isPresent())
                            .map(server -> REGIONSERVER.word() + " " + server.host())
                            .toList(),
                    "It reads more than " + HumanFormat.bytes(MANY_BYTES_PER_SECOND)
                            + "/s short-circuit, all through one cache: " + SHORT_CIRCUIT_CACHES.key() + " is 1.");
        }
    }

    /** Whether the cache of open short-circuit replicas has room for one block of each store file of a RegionServer. */
    private static final class ShortCircuitCacheCheck implements Check {

        @Override
        public String name() {
            return "short-circuit-cache";
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            List<ProbedRegionServer> tooSmall = cluster.regionServers().stream()
                    .filter(server -> server.settings()
                            .ifKnown()
                            .filter(own -> own.is(HadoopKey.SHORT_CIRCUIT))
                            .filter(own -> own.number(STREAMS_CACHE) < server.storeFiles())
                            .isPresent())
                    .toList();
            int mostFiles = tooSmall.stream()
                    .mapToInt(ProbedRegionServer::storeFiles)
                    .max()
                    .orElse(0);
            FindingTemplate template = new FindingTemplate(
                    name(),
                    Severity.WARNING,
                    "Replicas are opened over the domain socket again and again; each takes a round trip to the DataNode and a slot.",
                    "ShortCircuitCache, which closes the longest unused above that number",
                    // The next power of two above the number of store files, and no less than would do for most.
                    ConfigLine.of(
                            REGIONSERVER,
                            STREAMS_CACHE,
                            Math.max(4_096, Integer.highestOneBit(Math.max(1, mostFiles)) * 2)));
            return cluster.whyNoneShown(REGIONSERVER)
                    .map(why -> List.of(template.unknown(List.of(), why)))
                    .orElseGet(() -> template.foundIfAny(
                            tooSmall.stream()
                                    .map(server -> REGIONSERVER.word() + " " + server.host())
                                    .toList(),
                            "Fewer replicas are kept open than there are store files: " + STREAMS_CACHE.key()
                                    + ", and up to " + mostFiles + " store files."));
        }
    }
}
