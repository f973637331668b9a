// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.sim.oracle.PlanEvaluation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.master.balancer.StockSearch.StockTuning;
import org.junit.jupiter.api.Test;

class StockSearchTest {

    private static final int SERVERS = 8;
    private static final int REGIONS = 20;
    private static final long SEARCH_MS = 800;

    /** All reads and writes are on the first server; nobody's host can be looked up. */
    private static ClusterState hotServer() {
        Map<ServerId, List<RegionState>> regions = new HashMap<>();
        for (int server = 0; server < SERVERS; server++) {
            List<RegionState> ofServer = new ArrayList<>();
            for (int region = 0; region < REGIONS; region++) {
                EncodedRegionName id = new EncodedRegionName("r" + server + "-" + region);
                LoadVector load = LoadVector.ofReads(server == 0 ? 100 : 0)
                        .withWrites(server == 0 ? 50 : 0)
                        .withStoreBytes(1 << 30);
                ofServer.add(new RegionState(id, new TableId("t"), load, Pin.FREE));
            }
            regions.put(new ServerId("no-such-host-" + server + ".invalid", 16020, 1), ofServer);
        }
        return ClusterState.of(regions);
    }

    @Test
    void atItsDefaultWeightsHeatMovesNothing() {
        assertThat(StockSearch.run(hotServer(), StockTuning.DEFAULT, 0.2, SEARCH_MS)
                        .serverByRegion())
                .isEmpty();
    }

    @Test
    void tunedItSeesTheLoadsAndEvensThem() {
        ClusterState snapshot = hotServer();

        // How far it comes in a given time is the machine's affair; that it comes there is the search's.
        long searchMs = SEARCH_MS;
        PlanEvaluation after = tuned(snapshot, searchMs);
        while (after.maxOverMean(LoadDimension.READS) >= 2.5 && searchMs < 60_000) {
            searchMs *= 2;
            after = tuned(snapshot, searchMs);
        }

        assertThat(PlanEvaluation.ofNoPlan(snapshot).maxOverMean(LoadDimension.READS))
                .isEqualTo(SERVERS);
        assertThat(after.maxOverMean(LoadDimension.READS)).isLessThan(2.5);
        assertThat(after.moves()).isPositive();
    }

    private static PlanEvaluation tuned(ClusterState snapshot, long searchMs) {
        return PlanEvaluation.of(
                snapshot,
                StockSearch.run(snapshot, StockTuning.TUNED, 0.2, searchMs).serverByRegion());
    }

    @Test
    void blocksAreLaidSoThatEveryHostHasItsBytes() {
        EncodedRegionName id = new EncodedRegionName("r");
        LocalBytes local = LocalBytes.of(100, Map.of("a", 80L, "b", 50L, "c", 50L));
        RegionState region = new RegionState(id, id, new TableId("t"), LoadVector.ZERO, Pin.FREE, local);
        StockCluster cluster = new StockCluster(ClusterState.of(Map.of(new ServerId("a", 16020, 1), List.of(region))));

        HDFSBlocksDistribution blocks = cluster.finder()
                .getBlockDistribution(cluster.regionsByServerByTable()
                        .values()
                        .iterator()
                        .next()
                        .values()
                        .iterator()
                        .next()
                        .get(0));

        assertThat(OptionalLong.of(blocks.getUniqueBlocksTotalWeight())).isEqualTo(local.totalBytes());
        assertThat(List.of(blocks.getWeight("a"), blocks.getWeight("b"), blocks.getWeight("c")))
                .containsExactly(80L, 50L, 50L);
    }
}
