// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.Severity;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * All checks. A check that can't judge what it was given (a number that is none, say) is a finding too, and the others go on. Pure.
 */
public final class Doctor {

    private static final List<Check> OF_THE_BALANCER = flat(List.of(new BalancerWeightsCheck()), HBaseChecks.all());

    /** What is asked only where HBase's files are in HDFS. */
    private static final List<Check> OF_HDFS = flat(
            ReaderChecks.all(),
            List.of(new DeletionDelayCheck(), new DeadNodeDetectionCheck()),
            ShortCircuitChecks.all(),
            List.of(new ShortCircuitUseCheck(), new ShortCircuitCacheCheck()),
            ConnectionChecks.all(),
            List.of(
                    new HedgedReadsCheck(),
                    new ListenBacklogCheck(),
                    new BandwidthCheck(),
                    new ConcurrentMovesCheck(),
                    new HostsCheck(),
                    new RacksCheck(),
                    new PrivilegesCheck()),
            EncryptionChecks.all(),
            List.of(new BlockPinningCheck(), new DirectoryPolicyCheck(), new HdfsBalancerCheck()),
            ReadIntegrityChecks.all());

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
}
