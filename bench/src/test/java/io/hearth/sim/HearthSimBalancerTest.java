// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The simulator's balancer plans by the rules that the master's has. */
class HearthSimBalancerTest {

    private static final long T0 = 1_700_000_000_000L;
    private static final TableId TABLE = new TableId("t");
    private static final ServerId HOT = new ServerId("hot", 16020, 1);
    private static final ServerId COLD = new ServerId("cold", 16020, 1);
    private static final ServerId DOUBTFUL = new ServerId("doubtful", 16020, 1);

    private static EncodedRegionName region(int number) {
        return new EncodedRegionName(String.format("%032x", number));
    }

    private static ServerReport report(ServerId server, int first, long readsOfEach, long atMs) {
        List<RegionReport> regions = new ArrayList<>();
        for (int number = first; number < first + 4; number++) {
            regions.add(new RegionReport(region(number), TABLE, readsOfEach, 0, 0));
        }
        return new ServerReport(server, atMs, regions);
    }

    private static List<RegionState> assigned(int first) {
        List<RegionState> regions = new ArrayList<>();
        for (int number = first; number < first + 4; number++) {
            regions.add(new RegionState(region(number), TABLE, LoadVector.ZERO, Pin.HEAT_UNKNOWN));
        }
        return regions;
    }

    @Test
    void aServerWhoseHeatIsNotKnownIsGivenNothing() {
        HearthSimBalancer balancer = new HearthSimBalancer(Map.of(), Set.of(TABLE));
        for (long ms = 0; ms <= 180_000; ms += 10_000) {
            balancer.reported(List.of(report(HOT, 0, ms, T0 + ms), report(COLD, 4, ms / 10, T0 + ms)), T0 + ms, ms);
        }
        ClusterState assignments = ClusterState.of(Map.of(HOT, assigned(0), COLD, assigned(4), DOUBTFUL, assigned(8)));

        assertThat(balancer.balance(assignments, T0 + 180_000)).isNotEmpty().noneMatch(move -> move.to()
                .equals(DOUBTFUL));
    }
}
