// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.plan.family.EvennessCertificate.ServerAbove;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EvennessCertificateTest {

    private static List<ServerAbove> above(HandMadeCluster cluster, double asked) {
        return new EvennessCertificate(cluster.state(), HandMadeCluster.READS, Map.of(LoadDimension.READS, asked))
                .all(9);
    }

    @Test
    void aServerThatAMoveCoolsIsNotExcused() {
        List<ServerAbove> above =
                above(new HandMadeCluster().server("a", 3, 2, 1).server("b", 1, 1, 1), 1.05);

        assertThat(above).hasSize(1);
        assertThat(above.get(0).isExcused()).isFalse();
        assertThat(above.get(0).text())
                .isEqualTo(
                        "a has 1.333 of its share of reads, asked is 1.050: a move or an exchange would bring it to 1.111");
    }

    @Test
    void aRegionThatIsTooMuchAloneIsACertificate() {
        List<ServerAbove> above = above(new HandMadeCluster().server("a", 9).server("b", 1, 1, 1), 1.05);

        assertThat(above.get(0).isExcused()).isTrue();
        assertThat(above.get(0).why()).isEqualTo("its region a-0 alone is 1.500");
    }

    @Test
    void theNumberOfRegionsIsACertificateWhereWithoutThatRuleAMoveWouldCool() {
        // Five on average, four at least; nothing comes in exchange, and of a's regions only the smallest has room at
        // b.
        HandMadeCluster cluster =
                new HandMadeCluster().server("a", 3, 2.5, 2, 0.5).pinnedServer("b", 1, 1, 1, 1, 1, 1);
        List<ServerAbove> above = above(cluster, 1.05);

        assertThat(above).hasSize(1);
        assertThat(above.get(0).why())
                .isEqualTo("the number of regions that a server may have forbids what would bring it to 1.071");
        assertThat(above.get(0).isExcused()).isTrue();
    }

    @Test
    void replicasOnOneRackAreACertificate() {
        HandMadeCluster cluster = new HandMadeCluster()
                .server("a", "/1", 1)
                .region("p", "p", LoadVector.ofReads(3))
                .region("q", "q", LoadVector.ofReads(3))
                .server("b", "/2", 1)
                .region("p1", "p", LoadVector.ofReads(1))
                .region("q1", "q", LoadVector.ofReads(1))
                .server("c", "/2", 1, 1, 1);
        List<ServerAbove> above = above(cluster, 1.2);

        assertThat(above).hasSize(1);
        assertThat(above.get(0).why()).startsWith("replicas on one rack forbids");
    }

    @Test
    void beyondTheMostNothingIsFoundOut() {
        HandMadeCluster cluster = new HandMadeCluster().server("a", 9).server("b", 1, 1, 1);
        ServerAbove above = new EvennessCertificate(
                        cluster.state(), HandMadeCluster.READS, Map.of(LoadDimension.READS, 1.05))
                .all(0)
                .get(0);

        assertThat(above.isExcused()).isFalse();
    }
}
