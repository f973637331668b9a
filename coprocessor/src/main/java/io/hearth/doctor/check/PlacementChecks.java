// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.RACK_DETERMINER;
import static io.hearth.doctor.model.HadoopKey.TOPOLOGY_MAPPING;
import static io.hearth.doctor.model.HadoopKey.TOPOLOGY_SCRIPT;
import static io.hearth.doctor.model.ProcessConfig.Role.DATANODE;
import static io.hearth.doctor.model.ProcessConfig.Role.REGIONSERVER;

import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.check.FindingTemplate.Unreadable;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedRegionServer;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import io.hearth.doctor.model.ProcessConfig;
import io.hearth.doctor.model.ProcessConfig.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether HBase and HDFS know each host by the same name and in the same rack. */
final class PlacementChecks {

    private PlacementChecks() {}

    static List<Check> all() {
        return List.of(new HostsCheck(), new RacksCheck());
    }

    /** Whether every RegionServer has a DataNode under the same host name, and which DataNodes have no RegionServer. */
    private static final class HostsCheck implements Check {

        private static final FindingTemplate NO_DATANODE = new FindingTemplate(
                "host-names",
                Severity.ERROR,
                "HBase and HDFS know a host by its name alone: no block is ever local to this server, its locality is 0, and the healer has no"
                        + " place to move its data to.",
                "HDFSBlockDistribution; docs/install.md",
                new Advice(
                        "Give both the same name: dfs.datanode.hostname in hdfs-site.xml of the DataNode, or"
                                + " hbase.unsafe.regionserver.hostname in hbase-site.xml of the RegionServer, and restart that one; or start a DataNode there"));

        private static final FindingTemplate OTHER_CASE = new FindingTemplate(
                NO_DATANODE.check(),
                Severity.ERROR,
                "HBase looks up a server's blocks by exactly its host name: no block counts as local to this server, its"
                        + " locality is 0, and healing its regions does not change that.",
                "HDFSBlocksDistribution",
                new Advice(
                        "Give both the same name in lower case, as HBase writes it in ZooKeeper: dfs.datanode.hostname in"
                                + " hdfs-site.xml of the DataNode, or hbase.unsafe.regionserver.hostname in hbase-site.xml of the"
                                + " RegionServer, and restart that one"));

        private static final FindingTemplate NO_REGIONSERVER = new FindingTemplate(
                "datanode-alone",
                Severity.INFO,
                "It holds replicas that nobody reads locally. The healer takes them from there gladly and never moves one there; HDFS's own placement"
                        + " goes on putting some there.",
                "HDFS's placement policy",
                new Advice(
                        "Nothing, if it is meant to be so. Else start a RegionServer there, or give both the same host name"));

        @Override
        public String name() {
            return NO_DATANODE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            List<ProbedDataNode> nodes = cluster.dataNodes().ifKnown().orElse(List.of());
            if (nodes.isEmpty()) {
                return cluster.dataNodes()
                        .whyUnknown()
                        .map(why -> List.of(NO_DATANODE.unknown(List.of(), why)))
                        .orElse(List.of());
            }
            Map<String, String> dataNodeByHost = new HashMap<>();
            nodes.forEach(node -> dataNodeByHost.put(same(node.host()), node.host()));
            Set<String> dataNodeHosts = dataNodeByHost.keySet();
            Set<String> servers = cluster.regionServers().stream()
                    .map(ProbedRegionServer::host)
                    .map(HostsCheck::same)
                    .collect(Collectors.toCollection(HashSet::new));
            // DeadServers says more of those.
            cluster.hbase().deadServers().forEach(dead -> servers.add(HBaseChecks.host(dead)));
            List<Finding> findings = new ArrayList<>();
            findings.addAll(NO_DATANODE.foundIfAny(
                    cluster.regionServers().stream()
                            .map(ProbedRegionServer::host)
                            .filter(host -> !dataNodeHosts.contains(same(host)))
                            .map(host -> REGIONSERVER.word() + " " + host + near(host, dataNodeHosts))
                            .toList(),
                    "No DataNode has this RegionServer's host name."));
            findings.addAll(OTHER_CASE.foundIfAny(
                    cluster.regionServers().stream()
                            .map(ProbedRegionServer::host)
                            .filter(host -> dataNodeHosts.contains(same(host)))
                            .filter(host -> !host.equals(dataNodeByHost.get(same(host))))
                            .map(host -> REGIONSERVER.word() + " " + host + " (" + DATANODE.word() + " "
                                    + dataNodeByHost.get(same(host)) + ")")
                            .toList(),
                    "This RegionServer's host name and its DataNode's differ in upper and lower case."));
            findings.addAll(NO_REGIONSERVER.foundIfAny(
                    nodes.stream()
                            .map(ProbedDataNode::host)
                            .filter(host -> !servers.contains(same(host)))
                            .map(host -> DATANODE.word() + " " + host)
                            .toList(),
                    "No RegionServer has this DataNode's host name."));
            return findings;
        }

        /** Names that differ only in case are of one host. */
        private static String same(String host) {
            return host.toLowerCase(Locale.ROOT);
        }

        /** The name that may be the same machine's. */
        private static String near(String host, Set<String> dataNodeHosts) {
            String first = firstLabel(same(host));
            return dataNodeHosts.stream()
                    .filter(dataNodeHost -> firstLabel(dataNodeHost).equals(first))
                    .findFirst()
                    .map(dataNodeHost -> " (is it " + dataNodeHost + "?)")
                    .orElse("");
        }

        private static String firstLabel(String host) {
            return host.split("\\.", 2)[0];
        }
    }

    /** Whether the HMaster and the NameNode have each host in the same rack. */
    private static final class RacksCheck implements Check {

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "racks",
                Severity.ERROR,
                "The balancer counts as in the same rack what is not, and the other way round: rack locality is wrong, and regions and their replicas can"
                        + " end up in one rack.",
                "RackManager; DatanodeManager",
                new Advice("Give both the same racks: the script (" + TOPOLOGY_SCRIPT.key() + ") or class ("
                        + TOPOLOGY_MAPPING.key() + "; for HBase " + RACK_DETERMINER.key()
                        + ", which needs a class with a constructor that takes a Configuration, or the HMaster does not start) of the NameNode, with"
                        + " the same data, on the HMaster's host"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            Map<String, String> rackByHost = new HashMap<>();
            cluster.dataNodes()
                    .ifKnown()
                    .orElse(List.of())
                    .forEach(node -> rackByHost.put(node.host().toLowerCase(Locale.ROOT), node.rack()));
            List<String> different = new ArrayList<>();
            List<Unreadable> unreadable = new ArrayList<>();
            for (ProbedRegionServer server : cluster.regionServers()) {
                String hdfs = rackByHost.get(server.host().toLowerCase(Locale.ROOT));
                if (hdfs == null) {
                    // HostsCheck has said so.
                    continue;
                }
                server.rack().whyUnknown().ifPresent(why -> unreadable.add(new Unreadable(server.host(), why)));
                server.rack()
                        .ifKnown()
                        .filter(rack -> !rack.equals(hdfs))
                        .ifPresent(rack ->
                                different.add(server.host() + " (HMaster " + rack + ", NameNode " + hdfs + ")"));
            }
            List<Finding> findings = new ArrayList<>(withLines(cluster)
                    .foundIfAny(different, "HMaster and NameNode have this host in different racks."));
            if (!unreadable.isEmpty()) {
                findings.addAll(byConfiguration(cluster, unreadable));
            }
            return findings;
        }

        /** Where the master's racks can't be read: the same resolver gives the same racks, a missing one gives none. */
        private static List<Finding> byConfiguration(ProbedCluster cluster, List<Unreadable> unreadable) {
            List<ProcessConfig> both = new ArrayList<>(
                    cluster.master().settings().ifKnown().stream().toList());
            cluster.nameNodes().ifKnown().stream()
                    .flatMap(List::stream)
                    .flatMap(node -> node.settings().ifKnown().stream())
                    .findFirst()
                    .ifPresent(both::add);
            if (both.size() < 2) {
                return TEMPLATE.unknowns(unreadable);
            }
            long racks = cluster.dataNodes().ifKnown().orElse(List.of()).stream()
                    .map(ProbedDataNode::rack)
                    .distinct()
                    .count();
            if (racks > 1 && !resolves(both.get(0))) {
                return withLines(cluster)
                        .found("HDFS knows " + racks + " racks, and the HMaster has nothing to resolve them with: "
                                + TOPOLOGY_SCRIPT.key() + " and " + RACK_DETERMINER.key() + " are not set.");
            }
            return resolver(both.get(0), RACK_DETERMINER).equals(resolver(both.get(1), TOPOLOGY_MAPPING))
                    ? List.of()
                    : TEMPLATE.unknowns(unreadable);
        }

        /** With the NameNode's script, where it shows that and the HMaster does not have it. */
        private static FindingTemplate withLines(ProbedCluster cluster) {
            Optional<ProcessConfig> nameNode = cluster.daemons(Role.NAMENODE)
                    .flatMap(node -> node.settings().ifKnown().stream())
                    .findFirst();
            ProcessConfig master = cluster.settingsOf(cluster.master().settings());
            if (nameNode.isEmpty()
                    || resolver(master, RACK_DETERMINER).equals(resolver(nameNode.get(), TOPOLOGY_MAPPING))) {
                return TEMPLATE;
            }
            String script = nameNode.get().text(TOPOLOGY_SCRIPT);
            boolean isScript = nameNode.get().text(TOPOLOGY_MAPPING).equals(TOPOLOGY_MAPPING.defaultValue());
            return isScript && !script.isEmpty() && !script.equals(master.text(TOPOLOGY_SCRIPT))
                    ? TEMPLATE.withFixes(List.of(ConfigLine.of(Role.HMASTER, TOPOLOGY_SCRIPT, script)))
                    : TEMPLATE;
        }

        private static boolean resolves(ProcessConfig master) {
            return !master.text(RACK_DETERMINER).isEmpty()
                    || !master.text(TOPOLOGY_SCRIPT).isEmpty();
        }

        /** HBase names its resolver in a key of its own and takes the script where that is not set ({@code RackManager}). */
        private static String resolver(ProcessConfig settings, HadoopKey named) {
            String resolver = settings.text(named);
            return (resolver.isEmpty() ? TOPOLOGY_MAPPING.defaultValue() : resolver) + " "
                    + settings.text(TOPOLOGY_SCRIPT);
        }
    }
}
