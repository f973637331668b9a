// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.check.FindingTemplate.Unreadable;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProcessConfig;
import java.util.ArrayList;
import java.util.List;

/** Says which processes could not be read, so that other checks used a default for them or were left out. */
final class UnreadableCheck implements Check {

    /** Of NameNodes and DataNodes. */
    static final String HDFS = "hdfs";

    private static final FindingTemplate CONFIGURATION = unreadable(
            "configuration",
            "Settings of these processes; those of the doctor's own process were used instead.",
            "the page /conf of each process's web UI");
    private static final FindingTemplate COUNTERS = unreadable(
            "counters",
            "Flushes, the queue of compactions and hedged reads.",
            "the page /jmx of each RegionServer's web UI");
    private static final FindingTemplate READ_CACHE = unreadable(
            "read-cache",
            "Whether the read cache serves, and what it writes.",
            "the bean HearthReadCache on each DataNode's page /jmx");
    private static final FindingTemplate METRICS = unreadable(
            "datanode-metrics",
            "Transfers, failed volumes, slow disks, and how long packets and flushes take.",
            "the page /jmx of each DataNode's web UI");
    private static final FindingTemplate REPORTS = unreadable(
            "datanode-reports",
            "Which DataNodes are slow or dead by what the NameNode was told.",
            "the page /jmx of each NameNode's web UI");
    private static final FindingTemplate NODES =
            unreadable(HDFS, "Everything about them.", "the bean NameNodeInfo on the NameNode's page /jmx");
    private static final FindingTemplate JAVA =
            unreadable("java", "The version of its Java.", "the page /jmx of the HMaster's web UI");

    private static FindingTemplate unreadable(String check, String hides, String source) {
        return new FindingTemplate(
                check,
                Severity.UNKNOWN,
                hides,
                source,
                new Advice("Run the doctor on a host that reaches it, as a user who may read it"));
    }

    @Override
    public String name() {
        return CONFIGURATION.check();
    }

    @Override
    public List<Finding> examine(ProbedCluster cluster) {
        List<Finding> findings = new ArrayList<>(CONFIGURATION.unknowns(cluster.daemons()
                .flatMap(daemon ->
                        daemon.settings().whyUnknown().map(why -> new Unreadable(daemon.name(), why)).stream())
                .toList()));
        findings.addAll(
                COUNTERS.unknowns(cluster.regionServers().stream()
                        .flatMap(server -> server
                                .counters()
                                .whyUnknown()
                                .map(why -> new Unreadable("RegionServer " + server.host(), why))
                                .stream())
                        .toList()));
        findings.addAll(READ_CACHE.unknowns(cluster.dataNodes().ifKnown().stream()
                .flatMap(List::stream)
                .filter(node -> hasReadCache(cluster.settingsOf(node.settings())))
                .flatMap(node ->
                        node
                                .readCache()
                                .whyUnknown()
                                .map(why -> new Unreadable("DataNode " + node.host(), why))
                                .stream())
                .toList()));
        findings.addAll(METRICS.unknowns(cluster.dataNodes().ifKnown().stream()
                .flatMap(List::stream)
                .flatMap(node ->
                        node.metrics().whyUnknown().map(why -> new Unreadable("DataNode " + node.host(), why)).stream())
                .toList()));
        findings.addAll(REPORTS.unknowns(cluster.nameNodes().ifKnown().stream()
                .flatMap(List::stream)
                .flatMap(node ->
                        node.reports().whyUnknown().map(why -> new Unreadable("NameNode " + node.host(), why)).stream())
                .toList()));
        cluster.nameNodes().whyUnknown().ifPresent(why -> findings.add(NODES.unknown(List.of("NameNodes"), why)));
        cluster.dataNodes().whyUnknown().ifPresent(why -> findings.add(NODES.unknown(List.of("DataNodes"), why)));
        cluster.master()
                .java()
                .whyUnknown()
                .ifPresent(why -> findings.add(
                        JAVA.unknown(List.of("HMaster " + cluster.master().host()), why)));
        return findings;
    }

    private static boolean hasReadCache(ProcessConfig settings) {
        return settings.hasHearthsDataset()
                && !settings.values()
                        .getOrDefault("hearth.datanode.cache.mode", "off")
                        .strip()
                        .equalsIgnoreCase("off");
    }
}
