package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.LocalBytes;
import io.hearth.balancer.snapshot.Pin;
import io.hearth.balancer.snapshot.RegionState;
import io.hearth.yardstick.PlanMeasure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.junit.jupiter.api.Test;

class StockSearchTest {

    private static final int SERVERS = 8;
    private static final int REGIONS = 20;
    private static final long SEARCH_MS = 800;

    /** All reads and writes are on the first server; nobody's host can be looked up. */
    private static ClusterSnapshot hotServer() {
        Map<ServerId, List<RegionState>> regions = new HashMap<>();
        for (int server = 0; server < SERVERS; server++) {
            List<RegionState> ofServer = new ArrayList<>();
            for (int region = 0; region < REGIONS; region++) {
                RegionId id = new RegionId("r" + server + "-" + region);
                LoadVector load = LoadVector.of(server == 0 ? 100 : 0, server == 0 ? 50 : 0, 1 << 30);
                ofServer.add(new RegionState(id, new TableId("t"), load, Pin.FREE));
            }
            regions.put(new ServerId("no-such-host-" + server + ".invalid", 16020, 1), ofServer);
        }
        return ClusterSnapshot.of(regions);
    }

    @Test
    void atItsDefaultWeightsHeatMovesNothing() {
        assertThat(StockSearch.run(hotServer(), StockTuning.DEFAULT, 0.2, SEARCH_MS)
                        .serverByRegion())
                .isEmpty();
    }

    @Test
    void tunedItSeesTheLoadsAndEvensThem() {
        ClusterSnapshot snapshot = hotServer();

        StockPlan plan = StockSearch.run(snapshot, StockTuning.TUNED, 0.2, SEARCH_MS);

        PlanMeasure after = PlanMeasure.of(snapshot, plan.serverByRegion());
        assertThat(PlanMeasure.ofNoPlan(snapshot).maxOverMean(LoadDimension.READS))
                .isEqualTo(SERVERS);
        assertThat(after.maxOverMean(LoadDimension.READS)).isLessThan(2.5);
        assertThat(after.moves()).isPositive();
    }

    @Test
    void blocksAreLaidSoThatEveryHostHasItsBytes() {
        RegionId id = new RegionId("r");
        LocalBytes local = LocalBytes.of(100, Map.of("a", 80L, "b", 50L, "c", 50L));
        RegionState region = new RegionState(id, id, new TableId("t"), LoadVector.ZERO, Pin.FREE, local);
        StockCluster cluster =
                new StockCluster(ClusterSnapshot.of(Map.of(new ServerId("a", 16020, 1), List.of(region))));

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
