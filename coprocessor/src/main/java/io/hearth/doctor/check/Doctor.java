// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.DEFAULT_FILE_SYSTEM;
import static io.hearth.doctor.model.HadoopKey.ROOT_DIR;

import io.hearth.balancer.locality.ObjectStores;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProcessConfig;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * All checks. A check that can't judge what it was given (a number that is none, say) is a finding too, and the others go on. Pure.
 */
public final class Doctor {

    private static final List<Check> OF_THE_BALANCER =
            flat(List.of(new BalancerWeightsCheck()), HBaseChecks.all(), RegionReplicaChecks.all());

    /** What is asked only where HBase's files are in HDFS. */
    private static final List<Check> OF_HDFS = flat(
            ReaderChecks.all(),
            ShortCircuitChecks.all(),
            ConnectionChecks.all(),
            BlockMoveChecks.all(),
            PlacementChecks.all(),
            SecurityChecks.all(),
            ReplicaChecks.all(),
            ReadIntegrityChecks.all(),
            ReadCacheChecks.all());

    private static final List<Check> OF_SERVERS =
            flat(CapacityChecks.all(), List.of(new VersionsCheck(), new UnreadableCheck()));

    private Doctor() {}

    @SafeVarargs
    private static List<Check> flat(List<? extends Check>... checks) {
        return Stream.of(checks).<Check>flatMap(List::stream).toList();
    }

    /** What there is to say, the worst first. */
    public static List<Finding> findings(ProbedCluster cluster) {
        Optional<Finding> objectStore = ObjectStoreFinding.of(cluster);
        Stream<Finding> ofServers = findings(OF_SERVERS, cluster);
        Stream<Finding> ofFiles = objectStore.isPresent() ? objectStore.stream() : findings(OF_HDFS, cluster);
        return Stream.of(
                        findings(OF_THE_BALANCER, cluster),
                        ofFiles,
                        objectStore.isPresent() ? ofServers.filter(ObjectStoreFinding::isNotOfHdfs) : ofServers)
                .flatMap(Function.identity())
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
    }

    private static Stream<Finding> findings(List<Check> checks, ProbedCluster cluster) {
        return checks.stream().flatMap(check -> examine(check, cluster).stream());
    }

    private static List<Finding> examine(Check check, ProbedCluster cluster) {
        try {
            return check.examine(cluster);
        } catch (RuntimeException cannotJudge) {
            return List.of(new Finding(
                    check.name(),
                    Severity.UNKNOWN,
                    List.of(),
                    "This check could not judge what it was given: " + cannotJudge.getMessage() + ".",
                    "Whatever it would have found.",
                    List.of(),
                    "the doctor"));
        }
    }

    /** One question about a cluster. Pure. */
    interface Check {

        /** The name of its findings. */
        String name();

        /** What it finds; nothing where all is as it should be. */
        List<Finding> examine(ProbedCluster cluster);
    }

    /** That HBase's files are in an object store, which is said in the place of everything about HDFS, DataNodes and local reads. */
    private static final class ObjectStoreFinding {

        private static final FindingTemplate INFO = new FindingTemplate(
                "object-store",
                Severity.INFO,
                "No block is local to any server: locality is no part of plans, healing does not run, and nothing of HDFS is checked here.",
                "hbase.rootdir",
                new Advice(
                        "Leave io.hearth.healer.hbase.LocalityHealingObserver out of hbase.coprocessor.master.classes"));

        private ObjectStoreFinding() {}

        static Optional<Finding> of(ProbedCluster cluster) {
            ProcessConfig master = cluster.settingsOf(cluster.master().settings());
            return ObjectStores.rootFolder(master.text(ROOT_DIR), master.text(DEFAULT_FILE_SYSTEM))
                    .map(root -> INFO.found(
                            List.of(),
                            "HBase's files are in an object store: " + ROOT_DIR.key() + " is " + root + "."));
        }

        /** Whether a finding is of something that is there: NameNodes and DataNodes that could not be read are not. */
        static boolean isNotOfHdfs(Finding finding) {
            return !finding.check().equals(UnreadableCheck.HDFS);
        }
    }
}
