package io.hearth.doctor.check;

import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Severity;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * All checks. A check that can't judge what it was given (a number that is none, say) is a finding too, and the others go on. Pure.
 */
public final class Doctor {

    private static final List<Check> CHECKS = Stream.<List<? extends Check>>of(
                    List.of(new WeightsCheck()),
                    HBaseChecks.all(),
                    ReaderChecks.all(),
                    List.of(new GraceCheck(), new DeadNodeDetectionCheck()),
                    ShortCircuitChecks.all(),
                    List.of(new ShortCircuitUseCheck(), new StreamsCacheCheck()),
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
                    List.of(new PinningCheck(), new FoldersCheck(), new HdfsToolsCheck()),
                    ReadIntegrityChecks.all(),
                    CapacityChecks.all(),
                    List.of(new VersionsCheck(), new UnreadCheck()))
            .<Check>flatMap(List::stream)
            .toList();

    private Doctor() {}

    /** What there is to say, the worst first. */
    public static List<Finding> findings(Examined cluster) {
        return CHECKS.stream()
                .flatMap(check -> examine(check, cluster).stream())
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
    }

    private static List<Finding> examine(Check check, Examined cluster) {
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
