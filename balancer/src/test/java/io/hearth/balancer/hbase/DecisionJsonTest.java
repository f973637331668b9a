// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.plan.Objective;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.Plan.LocalityOutcome;
import io.hearth.balancer.plan.Plan.RegionCountOutcome;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.plan.PlannedMove.MoveScore;
import io.hearth.balancer.plan.PlannedMove.RunnerUp;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.plan.UnmovedRegion;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.junit.jupiter.api.Test;

class DecisionJsonTest {

    private static final ServerId A = new ServerId("a", 16020, 1);
    private static final ServerId B = new ServerId("b", 16020, 1);
    private static final TableId TABLE = new TableId("t");

    /** Whether a region is moved or stays, what it is for has one name, which is that of the field of its load. */
    @Test
    void aDimensionHasOneNameWhereverItStands() {
        JsonObject json = DecisionJson.of(decision(Objective.READS), 10);
        JsonObject move = json.getAsJsonArray("moves").get(0).getAsJsonObject();
        JsonObject left = json.getAsJsonArray("unmovedRegions").get(0).getAsJsonObject();

        assertThat(move.get("because").getAsString()).isEqualTo("readsPerSecond");
        assertThat(left.get("because").getAsString()).isEqualTo("readsPerSecond");
        assertThat(move.getAsJsonObject("load").get("readsPerSecond").getAsDouble())
                .isEqualTo(7);
        assertThat(move.getAsJsonObject("score").getAsJsonObject("gainByObjective"))
                .hasToString("{\"readsPerSecond\":3.0,\"coldCache\":-1.0}");
        assertThat(move.getAsJsonObject("runnerUp").get("weakerIn").getAsString())
                .isEqualTo("writesPerSecond");
    }

    @Test
    void whatIsNoDimensionIsNamedInTheSameWay() {
        JsonObject json = DecisionJson.of(decision(Objective.REGION_COUNT), 10);

        assertThat(json.getAsJsonArray("moves").get(0).getAsJsonObject().get("because"))
                .hasToString("\"regionCount\"");
        assertThat(Objective.all())
                .extracting(Objective::jsonName)
                .containsExactly(
                        "readsPerSecond",
                        "writesPerSecond",
                        "storeBytes",
                        "memstoreBytes",
                        "regionCount",
                        "tableSkew",
                        "replicas",
                        "bytesToHeal",
                        "coldCache",
                        "unavailability");
    }

    private static Decision decision(Objective because) {
        MoveScore score = new MoveScore(Map.of(Objective.READS, 3.0, Objective.COLD_CACHE, -1.0), OptionalLong.empty());
        EncodedRegionName moved = new EncodedRegionName("moved");
        PlannedMove move = new PlannedMove(
                moved,
                TABLE,
                LoadVector.ofReads(7),
                A,
                B,
                because,
                score,
                Optional.of(new RunnerUp(moved, A, B, score, Objective.WRITES)),
                Optional.empty());
        UnmovedRegion left = new UnmovedRegion(
                new EncodedRegionName("left"), TABLE, A, LoadDimension.READS, 1.5, UnmovedReason.ABOVE_FAIR_SHARE);
        Plan plan = new Plan(
                List.of(move),
                Map.of(),
                new RegionCountOutcome(1, 1, 1, 1, 0, 0),
                new LocalityOutcome(0, 0, 0),
                List.of(left),
                Map.of());
        return new Decision(5, "t", "a:16020", plan, Optional.empty(), false);
    }
}
