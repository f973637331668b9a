// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.LoadVector;
import org.junit.jupiter.api.Test;

class RuleCheckTest {

    private static final LoadVector LOAD = LoadVector.ofReads(1);

    private static ClusterState replicas(String rackOfB, String rackOfC) {
        return new HandMadeCluster()
                .server("a", "/1", 1)
                .region("p", "p", LOAD)
                .server("b", rackOfB, 1)
                .region("p1", "p", LOAD)
                .server("c", rackOfC, 1)
                .region("x", "x", LOAD)
                .state();
    }

    @Test
    void replicasApartAreNoProblem() {
        ClusterState apart = replicas("/2", "/1");
        assertThat(RuleCheck.problems(apart, apart, HandMadeCluster.READS)).isEmpty();
    }

    @Test
    void replicasOnOneRackAreAProblemWhereThereAreRacksEnough() {
        ClusterState together = replicas("/1", "/2");
        assertThat(RuleCheck.problems(together, together, HandMadeCluster.READS))
                .containsExactly("1 regions have replicas on one rack");

        ClusterState oneRack = replicas("/1", "/1");
        assertThat(RuleCheck.problems(oneRack, oneRack, HandMadeCluster.READS)).isEmpty();
    }

    @Test
    void replicasOnOneHostAreAProblem() {
        ClusterState together = new HandMadeCluster()
                .server("a")
                .region("p", "p", LOAD)
                .region("p1", "p", LOAD)
                .server("b", 1, 1)
                .state();
        assertThat(RuleCheck.problems(together, together, HandMadeCluster.READS))
                .containsExactly("1 regions have replicas on one host");
    }

    @Test
    void numbersOutsideSlopAreAProblem() {
        ClusterState uneven = new HandMadeCluster()
                .server("a", 1, 1, 1, 1, 1, 1, 1)
                .server("b", 1, 1, 1)
                .state();
        assertThat(RuleCheck.problems(uneven, uneven, HandMadeCluster.READS))
                .containsExactly("a has 7 regions, outside 4 to 6", "b has 3 regions, outside 4 to 6");
    }

    @Test
    void aRegionThatIsLostIsAProblem() {
        ClusterState before =
                new HandMadeCluster().server("a", 1, 1).server("b", 1).state();
        ClusterState after = new HandMadeCluster().server("a", 1).server("b", 1).state();
        assertThat(RuleCheck.problems(before, after, HandMadeCluster.READS))
                .containsExactly("the regions are not the same before and after");
    }
}
