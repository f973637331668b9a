// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.engine.BalanceEngine.PlanInput;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.heat.RegionHeat.Reason;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CompactPlanInputTest {

    private static final PlanGoals GOALS = PlanGoals.of(Map.of());

    private static LoadVector load(Random random) {
        return LoadVector.of(dimension -> random.nextInt(4) == 0 ? 0 : random.nextDouble() * 1e6);
    }

    private static RegionHeat heat(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> new RegionHeat.Unknown(Reason.OBSERVED_TOO_BRIEFLY, load(random));
            case 1 -> new RegionHeat.Unknown(Reason.NEVER_REPORTED);
            default ->
                new RegionHeat.Known(load(random), load(random), load(random), 1 + random.nextDouble(), load(random));
        };
    }

    private static RegionState region(Random random, int number, boolean hasReplicas) {
        EncodedRegionName name = new EncodedRegionName("r" + number);
        return new RegionState(
                name,
                hasReplicas && random.nextBoolean() ? new EncodedRegionName("r" + number / 2) : name,
                new TableId("t" + random.nextInt(3)),
                heat(random),
                Pin.values()[random.nextInt(Pin.values().length)],
                random.nextBoolean() ? LocalBytes.UNKNOWN : LocalBytes.of(100, Map.of("a", 40L, "b", 100L)),
                Optional.empty());
    }

    private static PlanInput input(Random random, int servers, boolean hasReplicas) {
        List<ServerState> states = new ArrayList<>();
        int number = 0;
        for (int server = 0; server < servers; server++) {
            List<RegionState> regions = new ArrayList<>();
            for (int count = random.nextInt(6); count > 0; count--) {
                regions.add(region(random, number++, hasReplicas));
            }
            ServerState state = new ServerState(
                    new ServerId("host-" + server, 16020, 1),
                    "r" + server % 2,
                    1 + random.nextInt(3),
                    random.nextBoolean());
            states.add((random.nextInt(3) == 0 ? state.beingDrained() : state).withRegions(regions));
        }
        return new PlanInput(new ClusterState(5, "the master", "2.6.4", states), GOALS, random.nextInt(1_000));
    }

    @Test
    void whatIsKeptIsWhatWasPlannedFrom() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            PlanInput input = input(random, random.nextInt(8), seed % 2 == 0);

            assertThat(new CompactPlanInput(input).planInput())
                    .as("seed %d", seed)
                    .isEqualTo(input);
        }
    }
}
