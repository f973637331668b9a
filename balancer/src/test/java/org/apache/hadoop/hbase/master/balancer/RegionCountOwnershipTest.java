// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.Plan.LocalityOutcome;
import io.hearth.balancer.plan.Plan.RegionCountOutcome;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * When the stock search begins for region counts alone: fifty regions on five servers of which one has eleven and one nine, 0.0316 of stock's
 * measure and so above its threshold.
 */
class RegionCountOwnershipTest {

    private static final TableName TABLE = TableName.valueOf("t");

    private final Configuration site = HBaseConfiguration.create();
    private final Mute balancer = new Mute();
    private Map<Pin, Integer> pinned = Map.of();
    private boolean fewForHeat;
    private long nowNanos;
    private long nanosOfAPlan;

    /** A balancer whose planner has nothing to move. */
    private final class Mute extends HearthStochasticBalancer {
        @Override
        protected long nanoTime() {
            return nowNanos;
        }

        @Override
        protected Plan plan(ClusterState snapshot, PlanGoals goals) {
            nowNanos += nanosOfAPlan;
            return new Plan(
                    List.of(),
                    Map.of(),
                    new RegionCountOutcome(0, 0, 0, 0, 0, 0, Map.of(), fewForHeat),
                    new LocalityOutcome(0, 0, 0),
                    List.of(),
                    pinned);
        }
    }

    @BeforeEach
    void giveItAMaster() throws IOException {
        site.unset(HConstants.HBASE_DIR);
        site.setInt("hbase.master.balancer.stochastic.maxSteps", 20_000);
        // The lines of HBase differ in its default, and in what they weigh.
        site.setFloat("hbase.master.balancer.stochastic.minCostNeedBalance", 0.01f);
        MasterServices master = mock(MasterServices.class);
        when(master.getConfiguration()).thenReturn(site);
        when(master.getServerName()).thenReturn(ServerName.valueOf("master", 16000, 1));
        when(master.getTableDescriptors()).thenReturn(mock(TableDescriptors.class));
        HBaseVersionSupport.attach(balancer, master);
    }

    @AfterEach
    void stop() {
        balancer.stop("the test is over");
    }

    private List<RegionPlan> stockPlan(int... counts) {
        return stockPlan(List.of(TABLE), counts);
    }

    private List<RegionPlan> stockPlan(List<TableName> tables, int... counts) {
        balancer.initialize();
        Map<TableName, Map<ServerName, List<RegionInfo>>> load = new HashMap<>();
        tables.forEach(table -> load.put(table, regions(table, counts)));
        List<RegionPlan> plan = balancer.balanceCluster(load);
        return plan == null ? List.of() : plan;
    }

    private static Map<ServerName, List<RegionInfo>> regions(TableName table, int... counts) {
        Map<ServerName, List<RegionInfo>> load = new HashMap<>();
        int number = 0;
        for (int server = 0; server < counts.length; server++) {
            List<RegionInfo> regions = new ArrayList<>();
            for (int i = 0; i < counts[server]; i++) {
                regions.add(RegionInfoBuilder.newBuilder(table)
                        .setStartKey(Bytes.toBytes(number++))
                        .setRegionId(1)
                        .build());
            }
            load.put(ServerName.valueOf("host" + server, 16020, 1), regions);
        }
        return load;
    }

    @Test
    void whatHearthLeavesOfThemIsNoReasonToSearch() {
        assertThat(stockPlan(11, 10, 10, 10, 9)).isEmpty();
    }

    @Test
    void withoutHearthsTriggerItIs() {
        site.set("hearth.balancer.count.trigger", "1");

        assertThat(stockPlan(11, 10, 10, 10, 9)).isNotEmpty();
    }

    @Test
    void soItIsWhereHearthMayNotMoveMostRegions() {
        pinned = Map.of(Pin.HEAT_UNKNOWN, 13);
        assertThat(stockPlan(11, 10, 10, 10, 9)).isNotEmpty();

        pinned = Map.of(Pin.HEAT_UNKNOWN, 12);
        assertThat(stockPlan(11, 10, 10, 10, 9)).isEmpty();
    }

    @Test
    void aServerOutsideTheSlopIsOneStillAndSoIsAnEmptyOne() {
        assertThat(stockPlan(14, 9, 9, 9, 9)).isNotEmpty();
        assertThat(stockPlan(10, 10, 10, 10, 10, 0)).isNotEmpty();
    }

    /** Broken (stock's slop holds as it is): it fills the server, and heat takes the regions away again. */
    @Test
    void aServerWithFewRegionsIsNoneIfHeatWantsItSoAndNumbersAreHearths() {
        assertThat(stockPlan(12, 12, 12, 12, 2))
                .as("that Hearth could not fill")
                .isNotEmpty();

        fewForHeat = true;
        assertThat(stockPlan(12, 12, 12, 12, 2)).isEmpty();

        site.set("hearth.balancer.count.trigger", "1");
        assertThat(stockPlan(12, 12, 12, 12, 2)).isNotEmpty();
    }

    /** Broken (stock's slop and its cost know no capacity): it takes from the server that has its fair 15 of 20. */
    @Test
    void whatIsFairByCapacityIsNoReasonToSearchAndIsNotUndone() {
        site.set("hearth.server.host1.capacity", "3");

        assertThat(stockPlan(5, 15)).isEmpty();
    }

    /** Broken (stock's rules hold for a table without a plan of ours): what one run gives by capacity the next takes back. */
    @Test
    void soItIsOfATableForWhichARunHasNoTimeLeft() {
        site.set("hearth.server.host1.capacity", "3");
        site.setBoolean("hbase.master.loadbalance.bytable", true);
        nanosOfAPlan = TimeUnit.SECONDS.toNanos(20);

        assertThat(stockPlan(List.of(TABLE, TableName.valueOf("u")), 5, 15)).isEmpty();
    }

    @Test
    void whereStockActsAloneItsOwnRulesHold() {
        site.set("hearth.server.host1.capacity", "3");
        site.set("hearth.balancer.mode", "advise");

        assertThat(stockPlan(5, 15)).isNotEmpty();
    }
}
