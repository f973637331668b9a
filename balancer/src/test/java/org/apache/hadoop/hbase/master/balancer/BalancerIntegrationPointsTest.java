// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.assignment.RegionStates;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What Hearth's balancer takes for granted about the stock balancer and the compiler can't hold: who calls what, when, with
 * what. docs/internals.md names the test for each seam; this one runs on every line of HBase.
 */
class BalancerIntegrationPointsTest {

    private static final TableName FIRST = TableName.valueOf("first");
    private static final TableName SECOND = TableName.valueOf("second");
    private static final RegionInfo REGION = RegionInfoBuilder.newBuilder(FIRST).build();
    private static final ServerName SERVER = ServerName.valueOf("host", 16020, 1);

    private final Configuration site = HBaseConfiguration.create();
    private final MasterServices master = mock(MasterServices.class);
    private final Recorded balancer = new Recorded();

    @BeforeEach
    void giveItAMaster() {
        when(master.getConfiguration()).thenReturn(site);
        when(master.getServerName()).thenReturn(ServerName.valueOf("master", 16000, 1));
        HBaseVersionSupport.attach(balancer, master);
    }

    /** A balancer that notes which of its members the stock classes call. */
    private static final class Recorded extends HBaseBalancerCompat {

        private final List<String> calls = new ArrayList<>();
        private Configuration loaded;

        @Override
        protected void loadConf(Configuration conf) {
            calls.add("loadConf");
            loaded = conf;
            super.loadConf(conf);
        }

        @Override
        protected void preBalanceCluster(Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables) {
            calls.add("preBalanceCluster of " + loadOfAllTables.size());
        }

        @Override
        protected List<RegionPlan> balanceTable(TableName table, Map<ServerName, List<RegionInfo>> load) {
            calls.add("balanceTable " + table + " of " + load.size());
            return List.of(new RegionPlan(REGION, SERVER, SERVER));
        }
    }

    /** A finder that notes what the stock classes ask it. */
    private static final class RecordedFinder extends HBaseLocationFinderCompat {

        private final List<String> calls = new ArrayList<>();

        @Override
        public void setClusterMetrics(ClusterMetrics metrics) {
            calls.add("setClusterMetrics");
        }

        @Override
        public HDFSBlocksDistribution getBlockDistribution(RegionInfo region) {
            calls.add("getBlockDistribution");
            HDFSBlocksDistribution distribution = new HDFSBlocksDistribution();
            distribution.addHostsAndBlockWeight(new String[] {"host"}, 1);
            return distribution;
        }

        @Override
        public void refreshAndWait(Collection<RegionInfo> regions) {
            calls.add("refreshAndWait of " + regions.size());
        }

        @Override
        List<ServerName> mapHostNameToServerName(List<String> hosts) {
            calls.add("mapHostNameToServerName " + hosts);
            return List.of();
        }
    }

    @Test
    void theConfigurationIsLoadedAtTheStartAndAtEachChange() {
        balancer.initialize();
        assertThat(balancer.calls).containsExactly("loadConf");
        assertThat(balancer.loaded).isSameAs(site);

        Configuration changed = new Configuration(site);
        balancer.onConfigurationChange(changed);
        assertThat(balancer.calls).containsExactly("loadConf", "loadConf");
        assertThat(balancer.loaded).isSameAs(changed);
    }

    @Test
    void theStockCostsOfASearchAreAListInWhichAnyCanBeSetAside() {
        balancer.initialize();
        List<CostFunction> before = List.copyOf(StockCosts.functions(balancer));

        SuspendedCountCost aside = SuspendedCountCost.ofCounts(StockCosts.functions(balancer));

        assertThat(StockCosts.functions(balancer))
                .hasSameSizeAs(before)
                .noneMatch(RegionCountSkewCostFunction.class::isInstance)
                .anyMatch(TableSkewCostFunction.class::isInstance);
        assertThat(StockCosts.functions(balancer).stream().map(CostFunction::getMultiplier))
                .containsExactlyElementsOf(
                        before.stream().map(CostFunction::getMultiplier).toList());

        aside.putBack();

        assertThat(StockCosts.functions(balancer))
                .containsExactlyElementsOf(before)
                .anyMatch(RegionCountSkewCostFunction.class::isInstance);
        aside = SuspendedCountCost.ofAllCounts(StockCosts.functions(balancer));
        assertThat(StockCosts.functions(balancer))
                .noneMatch(RegionCountSkewCostFunction.class::isInstance)
                .noneMatch(TableSkewCostFunction.class::isInstance)
                .noneMatch(PrimaryRegionCountSkewCostFunction.class::isInstance);
        aside.putBack();
        assertThat(StockCosts.functions(balancer)).containsExactlyElementsOf(before);
    }

    @Test
    void aRunIsAnnouncedOnceAndThenPlannedForTheWholeClusterAtOnce() {
        balancer.initialize();

        List<RegionPlan> plans = balancer.balanceCluster(load());

        assertThat(balancer.calls)
                .containsExactly(
                        "loadConf",
                        "preBalanceCluster of 2",
                        "balanceTable " + HConstants.ENSEMBLE_TABLE_NAME + " of 1");
        assertThat(plans).hasSize(1);
    }

    @Test
    void byTableARunIsAnnouncedOnceAndThenPlannedForEachTable() {
        site.setBoolean(HConstants.HBASE_MASTER_LOADBALANCE_BYTABLE, true);
        balancer.initialize();

        List<RegionPlan> plans = balancer.balanceCluster(load());

        assertThat(balancer.calls.get(1)).isEqualTo("preBalanceCluster of 2");
        assertThat(balancer.calls.subList(2, 4))
                .containsExactlyInAnyOrder("balanceTable first of 1", "balanceTable second of 1");
        assertThat(plans).hasSize(2);
    }

    /** A balancer that says itself whether there is enough to search for. */
    private static final class Asked extends HBaseBalancerCompat {

        private final List<TableName> asked = new ArrayList<>();
        private boolean answer;

        @Override
        boolean needsBalance(TableName table, BalancerClusterState cluster) {
            asked.add(table);
            return answer && super.needsBalance(table, cluster);
        }
    }

    /** HearthStochasticBalancer tells its cost functions by this that HBase asks whether to search. */
    @Test
    void theSearchBeginsWithTheQuestionWhetherThereIsEnoughToSearchFor() {
        Asked asked = new Asked();
        site.setInt("hbase.master.balancer.stochastic.maxSteps", 1_000);
        HBaseVersionSupport.attach(asked, master);
        asked.initialize();
        Map<TableName, Map<ServerName, List<RegionInfo>>> uneven = uneven();

        assertThat(asked.balanceCluster(uneven)).as("the answer is no").isNull();
        asked.answer = true;
        assertThat(asked.balanceCluster(uneven)).as("the answer is stock's").isNotEmpty();
        assertThat(asked.asked).containsExactly(HConstants.ENSEMBLE_TABLE_NAME, HConstants.ENSEMBLE_TABLE_NAME);
    }

    private static Map<TableName, Map<ServerName, List<RegionInfo>>> uneven() {
        List<RegionInfo> regions = new ArrayList<>();
        for (int number = 0; number < 8; number++) {
            regions.add(RegionInfoBuilder.newBuilder(FIRST)
                    .setStartKey(new byte[] {(byte) number})
                    .setEndKey(new byte[] {(byte) (number + 1)})
                    .build());
        }
        ServerName empty = ServerName.valueOf("other", 16020, 1);
        return Map.of(FIRST, Map.of(SERVER, regions, empty, new ArrayList<>()));
    }

    private static Map<TableName, Map<ServerName, List<RegionInfo>>> load() {
        Map<TableName, Map<ServerName, List<RegionInfo>>> load = new HashMap<>();
        load.put(FIRST, Map.of(SERVER, List.of(REGION)));
        load.put(
                SECOND,
                Map.of(SERVER, List.of(RegionInfoBuilder.newBuilder(SECOND).build())));
        return load;
    }

    @Test
    void theFinderInTheFieldIsTheOneThatIsTold() {
        RecordedFinder finder = new RecordedFinder();
        AssignmentManager assignments = mock(AssignmentManager.class);
        RegionStates states = mock(RegionStates.class);
        when(master.getAssignmentManager()).thenReturn(assignments);
        when(assignments.getRegionStates()).thenReturn(states);
        when(assignments.getAssignedRegions()).thenReturn(List.of(REGION));
        when(states.getRegionAssignments()).thenReturn(new TreeMap<>(Map.of(REGION, SERVER)));
        ClusterMetrics metrics = mock(ClusterMetrics.class);
        balancer.initialize();
        balancer.regionFinder = finder;

        balancer.updateClusterMetrics(metrics);
        balancer.postMasterStartupInitialize();

        assertThat(finder.calls).containsExactly("setClusterMetrics", "refreshAndWait of 1");
    }

    @Test
    void theStockSearchAsksTheFinderByItsTwoOverriddenMembersOnly() {
        RecordedFinder finder = new RecordedFinder();

        new BalancerClusterState(Map.of(SERVER, List.of(REGION)), new HashMap<>(), finder, null)
                .getOrComputeLocality(0, 0, BalancerClusterState.LocalityType.SERVER);

        assertThat(finder.calls)
                .contains("getBlockDistribution")
                .allMatch(call -> call.equals("getBlockDistribution") || call.equals("mapHostNameToServerName [host]"));
    }

    /** HearthStochasticBalancer reads the stock limit of moves by the same key, and with the same defaults. */
    @Test
    void theLimitOfMovesIsTheStockOne() throws ReflectiveOperationException {
        assertThat(constant("MAX_MOVES_PERCENT_KEY")).isEqualTo("hbase.master.balancer.stochastic.maxMovePercent");
        assertThat(constant("DEFAULT_MAX_MOVE_PERCENT")).isEqualTo(1f);
        assertThat(constant("DEFAULT_MAX_MOVES")).isEqualTo(600);
    }

    private static Object constant(String name) throws ReflectiveOperationException {
        Field field = MoveCostFunction.class.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(null);
    }

    @Test
    void aBalanceTakesTwoServers() {
        assertThat(BaseLoadBalancer.MIN_SERVER_BALANCE).isEqualTo(2);
    }
}
