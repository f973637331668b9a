package io.hearth.balancer.search;

import static io.hearth.balancer.search.RandomClusters.region;
import static io.hearth.balancer.search.RandomClusters.server;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.plan.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.LocalBytes;
import io.hearth.balancer.snapshot.Pin;
import io.hearth.balancer.snapshot.RegionState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeatGuardTest {

    private static final PlanGoals GOALS =
            PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1)));

    private static final ClusterSnapshot EVEN = ClusterSnapshot.of(Map.of(
            server(0), List.of(region(1, 100, 0, 0), region(2, 0, 0, 0)),
            server(1), List.of(region(3, 100, 0, 0), region(4, 0, 0, 0))));

    private static Map<RegionId, ServerId> to(int server, int region) {
        return Map.of(new RegionId(String.format("r%06d", region)), server(server));
    }

    @Test
    void refusesWhatMakesEvenHeatUneven() {
        assertThat(HeatGuard.refusal(EVEN, GOALS, to(1, 1)))
                .contains("it would raise max/mean of reads from 1.00 to 2.00, above 1.10");
    }

    @Test
    void letsPassWhatHeatDoesNotMind() {
        assertThat(HeatGuard.refusal(EVEN, GOALS, to(1, 2))).isEmpty();
        assertThat(HeatGuard.refusal(EVEN, GOALS, to(9, 1)))
                .as("an unknown server")
                .isEmpty();
        assertThat(HeatGuard.refusal(EVEN, GOALS, to(0, 9)))
                .as("an unknown region")
                .isEmpty();
    }

    @Test
    void letsPassWhatBringsRegionCountsIntoSlop() {
        ClusterSnapshot uneven = ClusterSnapshot.of(Map.of(
                server(0),
                        List.of(
                                region(1, 100, 0, 0),
                                region(2, 0, 0, 0),
                                region(5, 0, 0, 0),
                                region(6, 0, 0, 0),
                                region(7, 0, 0, 0)),
                server(1), List.of(region(3, 100, 0, 0))));

        assertThat(HeatGuard.refusal(uneven, GOALS, to(1, 1))).isEmpty();
    }

    @Test
    void letsPassWhatPartsRegionReplicas() {
        RegionState primary = region(3, 100, 0, 0);
        RegionState replica = region(8, 1, 0, 0);
        ClusterSnapshot replicas = ClusterSnapshot.of(Map.of(
                server(0), List.of(region(1, 100, 0, 0), region(2, 0, 0, 0)),
                server(1),
                        List.of(
                                primary,
                                new RegionState(
                                        replica.region(),
                                        primary.region(),
                                        replica.table(),
                                        replica.load(),
                                        Pin.FREE,
                                        LocalBytes.UNKNOWN))));

        assertThat(HeatGuard.refusal(replicas, GOALS, to(1, 1))).isEmpty();
    }
}
