// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.core.HealingEvents.TargetProblem;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.plan.MovePlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TargetProblemTest {

    private static final ServedRegion REGION = new ServedRegion(
            new EncodedRegionName("r"),
            new TableId("t"),
            HealRank.USER,
            TableHealingMode.ON,
            new ServerId("host3", 16020, 1),
            Optional.empty());

    @Test
    void eachIsOneLineThatSaysWhatWhereAndWhatToDo() {
        assertThat(line(Map.of(SkipReason.TARGET_FULL, 7L)))
                .contains(
                        "The DataNode on host3 has no room for 7 blocks of region r of t. Free space there or move regions"
                                + " away; the region is looked at again later.");
        assertThat(line(Map.of(SkipReason.TARGET_NOT_IN_SERVICE, 1L)))
                .contains(
                        "The DataNode on host3 is stale or leaving and is not given 1 blocks of region r of t. See hdfs"
                                + " dfsadmin -report; the region is looked at again later.");
        assertThat(line(Map.of(SkipReason.NO_DATANODE_ON_HOST, 2L)))
                .contains("No DataNode is known on host3, for 2 blocks of region r of t. Start one there, or see that"
                        + " RegionServer and DataNode go by the same host name; the region is looked at again later.");
    }

    @Test
    void otherReasonsAreNoTrouble() {
        assertThat(line(Map.of(SkipReason.IN_FLIGHT, 3L, SkipReason.PINNED, 1L)))
                .isEmpty();
    }

    private static Optional<String> line(Map<SkipReason, Long> skipped) {
        MovePlan plan = new MovePlan(List.of(), skipped, 0, 100);
        return TargetProblem.of(plan).map(problem -> problem.line(REGION, plan));
    }
}
