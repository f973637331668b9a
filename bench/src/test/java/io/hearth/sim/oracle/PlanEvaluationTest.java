// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlanEvaluationTest {

    private static final ServerId A = new ServerId("a", 1, 1);
    private static final ServerId B = new ServerId("b", 1, 1);

    private static RegionState region(String name, double reads) {
        EncodedRegionName region = new EncodedRegionName(name);
        LocalBytes local = LocalBytes.of(100, Map.of("a", 100L, "b", 30L));
        return new RegionState(
                region, region, new TableId("t"), LoadVector.ofReads(reads).withStoreBytes(100), Pin.FREE, local);
    }

    private static final ClusterState SNAPSHOT = ClusterState.of(Map.of(
            A, List.of(region("r4", 4), region("r3", 3), region("r2", 2), region("r1", 1)),
            B, List.of(region("q1", 1), region("q2", 1))));

    @Test
    void measuresTheClusterAsItIs() {
        PlanEvaluation now = PlanEvaluation.ofNoPlan(SNAPSHOT);

        assertThat(now.maxOverMean(LoadDimension.READS)).isEqualTo(10 / 6.0);
        assertThat(now.maxOverMean(LoadDimension.WRITES)).isEqualTo(1);
        assertThat(now.moves()).isZero();
        assertThat(now.fewestRegions()).isEqualTo(2);
        assertThat(now.mostRegions()).isEqualTo(4);
    }

    @Test
    void measuresTheClusterAfterAPlan() {
        PlanEvaluation after =
                PlanEvaluation.of(SNAPSHOT, Map.of(new EncodedRegionName("r4"), B, new EncodedRegionName("q1"), B));

        assertThat(after.maxOverMean(LoadDimension.READS)).isEqualTo(1);
        assertThat(after.moves()).as("q1 is there already").isEqualTo(1);
        assertThat(after.bytesToHeal()).isEqualTo(70);
    }

    @Test
    void aServerThatIsNotThereIsRefused() {
        assertThatThrownBy(
                        () -> PlanEvaluation.of(SNAPSHOT, Map.of(new EncodedRegionName("r4"), new ServerId("c", 1, 1))))
                .hasMessage("Region r4 is moved to c,1,1, which is no server of the snapshot.");
    }

    @Test
    void aFairShareGoesByCapacity() {
        ClusterState unequal = ClusterState.of(
                Map.of(A, List.of(region("r2", 2), region("r1", 1)), B, List.of(region("q1", 1))),
                Map.of(A, new ServerState(A, "", 3)));

        assertThat(PlanEvaluation.ofNoPlan(unequal).maxOverMean(LoadDimension.READS))
                .isEqualTo(1);
        assertThat(LowerBounds.evenness(unequal, LoadDimension.READS)).isEqualTo(1);
    }

    @Test
    void theHottestRegionIsALowerBound() {
        ClusterState oneHot = ClusterState.of(Map.of(A, List.of(region("r9", 9)), B, List.of(region("q1", 1))));

        assertThat(LowerBounds.evenness(oneHot, LoadDimension.READS)).isEqualTo(9 / 5.0);
        assertThat(LowerBounds.evenness(SNAPSHOT, LoadDimension.READS)).isEqualTo(1);
        assertThat(LowerBounds.evenness(SNAPSHOT, LoadDimension.MEMSTORE)).isEqualTo(1);
    }

    private static PlanEvaluation asEvenAs(double reads, double readsOfOthers, double bytes) {
        return new PlanEvaluation(
                0,
                Map.of(LoadDimension.READS, reads, LoadDimension.STORE_SIZE, bytes),
                Map.of(LoadDimension.READS, readsOfOthers, LoadDimension.STORE_SIZE, bytes),
                0,
                0,
                0);
    }

    @Test
    void theLeastMovesAreThoseOfTheHottestRegions() {
        Set<LoadDimension> reads = Set.of(LoadDimension.READS);
        assertThat(LowerBounds.moves(SNAPSHOT, asEvenAs(1, 1, 1), reads)).isEqualTo(1);
        assertThat(LowerBounds.moves(SNAPSHOT, asEvenAs(0.4, 0.4, 1), reads)).isEqualTo(3);
        assertThat(LowerBounds.moves(SNAPSHOT, asEvenAs(10 / 6.0, 10 / 6.0, 1), reads))
                .isZero();
        assertThat(LowerBounds.moves(
                        SNAPSHOT, asEvenAs(1, 1, 0.4), Set.of(LoadDimension.READS, LoadDimension.STORE_SIZE)))
                .as("a has four of six, and must give three to have 0.4 of three; b gives one of two")
                .isEqualTo(4);
    }

    @Test
    void aServerWithARegionAboveAFairShareDoesNotExcuseTheOthers() {
        ServerId c = new ServerId("c", 1, 1);
        ClusterState oneHot = ClusterState.of(Map.of(
                A, List.of(region("r9", 9)),
                B, List.of(region("q3", 3), region("q2", 2), region("q1", 1)),
                c, List.of()));

        assertThat(PlanEvaluation.ofNoPlan(oneHot).maxOverMean(LoadDimension.READS))
                .isEqualTo(9 / 5.0);
        assertThat(PlanEvaluation.ofNoPlan(oneHot).maxOverMeanOfOthers(LoadDimension.READS))
                .isEqualTo(6 / 5.0);
        assertThat(LowerBounds.moves(oneHot, asEvenAs(9 / 5.0, 1, 1), Set.of(LoadDimension.READS)))
                .isEqualTo(1);
    }
}
