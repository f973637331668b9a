// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.plan.SavedPlan.SavedMove;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SavedPlanTest {

    private static final long NOW_MS = 1_700_000_000_000L;
    private static final SavedMove MOVE = new SavedMove("r1", "t", "a,1,1", "b,1,1");
    private static final Map<String, List<String>> SERVED =
            Map.of("a,1,1", List.of("r1", "r2"), "b,1,1", List.of("r3"));

    private final SavedPlan plan = SavedPlan.of("cluster", NOW_MS, SERVED, List.of(MOVE));

    @Test
    void itMayBeCarriedOutWhileItsServersServeWhatTheyDid() {
        Map<String, List<String>> now =
                Map.of("b,1,1", List.of("r3"), "a,1,1", List.of("r2", "r1"), "c,1,1", List.of("new"));

        assertThat(plan.refusal(plan.hash(), "cluster", now, NOW_MS + SavedPlan.VALID_MS - 1))
                .isEmpty();
        assertThat(SavedPlan.servers(List.of(MOVE))).containsExactly("a,1,1", "b,1,1");
    }

    @Test
    void itExpires() {
        assertThat(plan.refusal(plan.hash(), "cluster", SERVED, NOW_MS + SavedPlan.VALID_MS))
                .contains("it expired at 2023-11-14T22:28:20Z; make another one with bin/hearth balancer plan --out");
    }

    @Test
    void aServerThatServesOtherRegionsIsAnotherCluster() {
        Map<String, List<String>> moved = Map.of("a,1,1", List.of("r1"), "b,1,1", List.of("r3"));
        assertThat(plan.refusal(plan.hash(), "cluster", moved, NOW_MS))
                .contains(
                        "the cluster has moved on: a,1,1 no longer serves the regions that it served; make another one"
                                + " with bin/hearth balancer plan --out");
        assertThat(plan.refusal(plan.hash(), "cluster", Map.of("a,1,1", List.of("r1", "r2")), NOW_MS))
                .contains(
                        "the cluster has moved on: b,1,1 is gone; make another one with bin/hearth balancer plan --out");
    }

    @Test
    void whatWasChangedManuallyOrIsOfAnotherClusterIsRefused() {
        SavedPlan edited = new SavedPlan(
                "cluster",
                plan.madeAtMs(),
                plan.expiresAtMs(),
                plan.digestByServer(),
                List.of(MOVE, new SavedMove("r2", "t", "a,1,1", "b,1,1")));
        assertThat(edited.refusal(plan.hash(), "cluster", SERVED, NOW_MS))
                .contains("it was changed after it was written: its hash does not fit; make another one with bin/hearth"
                        + " balancer plan --out");
        SavedPlan prolonged =
                new SavedPlan("cluster", plan.madeAtMs(), plan.expiresAtMs() + 1, plan.digestByServer(), plan.moves());
        assertThat(prolonged.hash()).isNotEqualTo(plan.hash());
        assertThat(plan.refusal(plan.hash(), "another", SERVED, NOW_MS))
                .contains("it is of another cluster (cluster, and this one is another)");
    }
}
