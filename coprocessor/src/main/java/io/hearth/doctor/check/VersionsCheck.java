// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedRegionServer;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedNameNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether what is here is what this build was run on, or only compiled for, and whether it is the same everywhere. */
final class VersionsCheck implements Check {

    /** What the whole of the tests run on. */
    private static final String HBASE_RUN = "2.6.4";

    private static final String HADOOP_RUN = "3.4.3";

    private static final String COMPILED = "compiled and tested for, not run on in a cluster of processes.";
    private static final String HEALED = "run on with healing alone.";
    private static final Map<String, String> HBASE_TRIED = Map.of("2.5.13", COMPILED, "3.0.0-alpha-4", COMPILED);
    private static final Map<String, String> HADOOP_TRIED = Map.of("3.2.4", COMPILED, "3.3.6", HEALED, "3.5.0", HEALED);
    private static final int MIN_JAVA = 17;

    private static final FindingTemplate NOT_RUN = new FindingTemplate(
            "versions",
            Severity.INFO,
            "Hearth touches a few internals of HBase and HDFS (docs/internals.md), which may differ there; nobody has tried.",
            "this build: run on HBase " + HBASE_RUN + " with Hadoop " + HADOOP_RUN
                    + " (healing also with 3.3.6 and 3.5.0), compiled and tested for HBase 2.5.13, and 3.0.0-alpha-4 with Hadoop 3.2.4",
            new Advice("Try it on a test cluster first: hearth.balancer.mode and hearth.heal.mode = advise"));

    private static final FindingTemplate MIXED = new FindingTemplate(
            "mixed-versions",
            Severity.INFO,
            "Fine during a rolling upgrade. Afterwards some server was forgotten.",
            "ClusterMetrics; the NameNode's LiveNodes",
            new Advice("Upgrade the others"));

    private static final FindingTemplate OLD_JAVA = new FindingTemplate(
            "java",
            Severity.ERROR,
            "Hearth's jars can't be loaded: an HMaster that names their classes does not start.",
            "this build: Java " + MIN_JAVA,
            new Advice("Start the HMaster with Java " + MIN_JAVA + " or later"));

    @Override
    public String name() {
        return NOT_RUN.check();
    }

    @Override
    public List<Finding> examine(ProbedCluster cluster) {
        Set<String> hbase = known(Stream.concat(
                Stream.of(ProbeResult.known(cluster.master().version())),
                cluster.regionServers().stream().map(ProbedRegionServer::version)));
        Set<String> hdfs = known(Stream.concat(
                cluster.dataNodes().ifKnown().stream().flatMap(List::stream).map(ProbedDataNode::version),
                cluster.nameNodes().ifKnown().stream().flatMap(List::stream).map(ProbedNameNode::version)));
        List<Finding> findings = new ArrayList<>();
        findings.addAll(strange("HBase", hbase, HBASE_RUN, HBASE_TRIED));
        findings.addAll(strange("Hadoop", hdfs, HADOOP_RUN, HADOOP_TRIED));
        Stream.of(hbase, hdfs)
                .filter(versions -> versions.size() > 1)
                .forEach(versions -> findings.addAll(
                        MIXED.found("There are several versions here: " + String.join(", ", versions) + ".")));
        cluster.master()
                .java()
                .ifKnown()
                .filter(VersionsCheck::isOld)
                .ifPresent(java -> findings.addAll(OLD_JAVA.found("The HMaster runs on Java " + java + ".")));
        return findings;
    }

    /** Those that are not known come from processes that UnreadableCheck names. */
    private static Set<String> known(Stream<ProbeResult<String>> versions) {
        return versions.flatMap(version -> version.ifKnown().stream()).collect(Collectors.toCollection(TreeSet::new));
    }

    /** What was done with each version that is not the one that all tests run on. */
    private static List<Finding> strange(String what, Set<String> versions, String run, Map<String, String> tried) {
        SortedMap<String, List<String>> versionsByText = versions.stream()
                .filter(version -> !isOf(version, run))
                .collect(Collectors.groupingBy(
                        version -> tried.entrySet().stream()
                                .filter(known -> isOf(version, known.getKey()))
                                .map(Map.Entry::getValue)
                                .findFirst()
                                .orElse("never run on; that is " + run + "."),
                        TreeMap::new,
                        Collectors.toList()));
        List<Finding> findings = new ArrayList<>();
        versionsByText.forEach((text, those) -> findings.addAll(
                NOT_RUN.found("Here is " + what + " " + String.join(", ", those) + ", which this build was " + text)));
        return findings;
    }

    /** {@code 2.6.4-hadoop3} is 2.6.4. */
    private static boolean isOf(String version, String known) {
        return version.equals(known) || version.startsWith(known + "-");
    }

    private static boolean isOld(String java) {
        String major = java.startsWith("1.") ? java.substring(2) : java;
        return Integer.parseInt(major.split("[^0-9]", 2)[0]) < MIN_JAVA;
    }
}
