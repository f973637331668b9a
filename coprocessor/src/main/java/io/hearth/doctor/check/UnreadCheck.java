package io.hearth.doctor.check;

import io.hearth.doctor.check.Diagnosis.Unread;
import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Remedy.Advice;
import io.hearth.doctor.model.Severity;
import java.util.ArrayList;
import java.util.List;

/** What could not be read at all, so that other checks had to go by something else or had nothing to go by. */
final class UnreadCheck implements Check {

    private static final Diagnosis CONFIGURATION = unread(
            "configuration",
            "Settings of these processes; the examiner's own stood in for them.",
            "the page /conf of each process's web UI");
    private static final Diagnosis COUNTERS = unread(
            "counters",
            "Flushes, the queue of compactions and hedged reads.",
            "the page /jmx of each RegionServer's web UI");
    private static final Diagnosis NODES =
            unread("hdfs", "Everything about them.", "the bean NameNodeInfo on the NameNode's page /jmx");
    private static final Diagnosis JAVA =
            unread("java", "The version of its Java.", "the page /jmx of the HMaster's web UI");

    private static Diagnosis unread(String check, String hides, String source) {
        return new Diagnosis(
                check,
                Severity.UNKNOWN,
                hides,
                source,
                new Advice("Ask from where it can be reached, as a user who may"));
    }

    @Override
    public String name() {
        return CONFIGURATION.check();
    }

    @Override
    public List<Finding> examine(Examined cluster) {
        List<Finding> findings = new ArrayList<>(CONFIGURATION.unknowns(cluster.members()
                .flatMap(member -> member.settings().whyUnknown().map(why -> new Unread(member.name(), why)).stream())
                .toList()));
        findings.addAll(COUNTERS.unknowns(cluster.regionServers().stream()
                .flatMap(server ->
                        server
                                .counters()
                                .whyUnknown()
                                .map(why -> new Unread("RegionServer " + server.host(), why))
                                .stream())
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
}
