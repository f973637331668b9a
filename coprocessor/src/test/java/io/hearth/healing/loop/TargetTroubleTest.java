package io.hearth.healing.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.HealRank;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.model.SkipReason;
import io.hearth.healing.plan.MovePlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TargetTroubleTest {

    private static final ServedRegion REGION = new ServedRegion(
            new RegionId("r"),
            new TableId("t"),
            HealRank.USER,
            HealMode.ON,
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
        return TargetTrouble.of(plan).map(trouble -> trouble.line(REGION, plan));
    }
}
