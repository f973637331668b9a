package io.hearth.healer.core;

import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.plan.MovePlan;
import java.util.Arrays;
import java.util.Optional;

/** What keeps blocks from a region's host and only an operator can mend, in the order in which it is told. */
enum TargetProblem {
    FULL(
            SkipReason.TARGET_FULL,
            "The DataNode on %s has no room for %d blocks of region %s of %s. Free space there or move regions away"),
    NOT_IN_SERVICE(
            SkipReason.TARGET_NOT_IN_SERVICE,
            "The DataNode on %s is stale or leaving and is not given %d blocks of region %s of %s. See hdfs dfsadmin -report"),
    NONE(
            SkipReason.NO_DATANODE_ON_HOST,
            "No DataNode is known on %s, for %d blocks of region %s of %s. Start one there, or see that RegionServer and"
                    + " DataNode go by the same host name");

    private final SkipReason reason;
    private final String line;

    TargetProblem(SkipReason reason, String line) {
        this.reason = reason;
        this.line = line;
    }

    /** The first that this plan met; empty if the target takes what it should. */
    static Optional<TargetProblem> of(MovePlan plan) {
        return Arrays.stream(values())
                .filter(problem -> plan.skipped(problem.reason) > 0)
                .findFirst();
    }

    /** One line: what, where, and what to do. */
    String line(ServedRegion region, MovePlan plan) {
        return String.format(line, region.server().host(), plan.skipped(reason), region.region(), region.table())
                + "; the region is looked at again later.";
    }
}
