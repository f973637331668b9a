// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.Role.DATANODE;
import static io.hearth.doctor.model.Role.REGIONSERVER;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Fix.Advice;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedDataNode;
import io.hearth.doctor.model.ProbedRegionServer;
import io.hearth.doctor.model.Severity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether every RegionServer has a DataNode under the same host name, and which DataNodes have no RegionServer. */
final class HostsCheck implements Check {

    private static final FindingTemplate NO_DATANODE = new FindingTemplate(
            "host-names",
            Severity.ERROR,
            "HBase and HDFS know a host by its name alone: no block is ever local to this server, its locality is 0, and the healer has no"
                    + " place to move its data to.",
            "HDFSBlockDistribution; docs/install.md",
            new Advice(
                    "Give both the same name: dfs.datanode.hostname in hdfs-site.xml of the DataNode, or"
                            + " hbase.unsafe.regionserver.hostname in hbase-site.xml of the RegionServer, and restart that one; or start a DataNode there"));

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
        Set<String> dataNodeHosts =
                nodes.stream().map(ProbedDataNode::host).map(HostsCheck::same).collect(Collectors.toSet());
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
        findings.addAll(NO_REGIONSERVER.foundIfAny(
                nodes.stream()
                        .map(ProbedDataNode::host)
                        .filter(host -> !servers.contains(same(host)))
                        .map(host -> DATANODE.word() + " " + host)
                        .toList(),
                "No RegionServer has this DataNode's host name."));
        return findings;
    }

    /** HBase and HDFS compare names without regard to case. */
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
