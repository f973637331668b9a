// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.mockito.Answers.RETURNS_DEFAULTS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.balancer.HearthLoadBalancer;
import io.hearth.balancer.engine.Advice;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.locality.SuspectDataNodes;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.ManualEnvironmentEdge;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What {@code hearth.balancer.mode} means for the stock balancer: four servers with 14, 6, 10 and 10 regions, which stock evens by number, and
 * of which one has all the reads, which stock does not look at.
 */
class BalancerModesTest {

    private static final TableName TABLE = TableName.valueOf("t");
    private static final int[] COUNTS = {14, 6, 10, 10};
    private static final int HOT = 2;

    private final Configuration site = HBaseConfiguration.create();
    private final ManualEnvironmentEdge clock = new ManualEnvironmentEdge();
    private final Map<ServerName, List<RegionInfo>> regionsByServer = new TreeMap<>();
    private final Map<RegionInfo, Long> readsByRegion = new HashMap<>();
    private List<RegionInfo> hot = List.of();
    private final HearthStochasticBalancer balancer = new HearthLoadBalancer() {
        @Override
        protected long nanoTime() {
            return TimeUnit.MILLISECONDS.toNanos(clock.currentTime());
        }
    };

    @BeforeEach
    void makeACluster() throws IOException {
        // Nothing is kept for the next master.
        site.unset(HConstants.HBASE_DIR);
        site.setInt("hbase.master.balancer.stochastic.maxSteps", 20_000);
        clock.setValue(1_700_000_000_000L);
        EnvironmentEdgeManager.injectEdge(clock);
        attach(balancer);
        int number = 0;
        for (int server = 0; server < COUNTS.length; server++) {
            List<RegionInfo> regions = new ArrayList<>();
            for (int i = 0; i < COUNTS[server]; i++) {
                RegionInfo region = RegionInfoBuilder.newBuilder(TABLE)
                        .setStartKey(Bytes.toBytes(number++))
                        .setRegionId(1)
                        .build();
                regions.add(region);
                readsByRegion.put(region, 0L);
            }
            regionsByServer.put(ServerName.valueOf("host" + server, 16020, 1), regions);
            hot = server == HOT ? List.copyOf(regions) : hot;
        }
    }

    private void attach(StochasticLoadBalancer any) throws IOException {
        MasterServices master = mock(MasterServices.class);
        TableDescriptors none = mock(TableDescriptors.class);
        when(master.getConfiguration()).thenReturn(site);
        when(master.getServerName()).thenReturn(ServerName.valueOf("master", 16000, 1));
        when(master.getTableDescriptors()).thenReturn(none);
        HBaseVersionSupport.attach(any, master);
    }

    @AfterEach
    void giveTheClockBack() {
        EnvironmentEdgeManager.reset();
        balancer.stop("the test is over");
    }

    private void read(int rounds) {
        for (int batch = 0; batch < rounds; batch++) {
            clock.setValue(clock.currentTime() + 10_000);
            hot().forEach(region -> readsByRegion.merge(region, 10_000L, Long::sum));
            report();
        }
    }

    /** The regions of the hot server, wherever they are now. */
    private List<RegionInfo> hot() {
        return hot;
    }

    private void report() {
        Map<ServerName, ServerMetrics> live = new HashMap<>();
        regionsByServer.forEach((server, regions) -> {
            ServerMetrics ofServer = mock(ServerMetrics.class);
            Map<byte[], RegionMetrics> ofRegions = new TreeMap<>(Bytes.BYTES_COMPARATOR);
            regions.forEach(region -> ofRegions.put(region.getRegionName(), metrics(region)));
            when(ofServer.getReportTimestamp()).thenReturn(clock.currentTime());
            when(ofServer.getRegionMetrics()).thenReturn(ofRegions);
            live.put(server, ofServer);
        });
        ClusterMetrics cluster = mock(ClusterMetrics.class);
        when(cluster.getLiveServerMetrics()).thenReturn(live);
        balancer.updateClusterMetrics(cluster);
    }

    private RegionMetrics metrics(RegionInfo region) {
        RegionMetrics metrics = mock(
                RegionMetrics.class,
                call -> call.getMethod().getReturnType().equals(Size.class)
                        ? Size.ZERO
                        : RETURNS_DEFAULTS.answer(call));
        when(metrics.getRegionName()).thenReturn(region.getRegionName());
        when(metrics.getReadRequestCount()).thenReturn(readsByRegion.get(region));
        return metrics;
    }

    private List<RegionPlan> balance(StochasticLoadBalancer any) throws IOException {
        Map<ServerName, List<RegionInfo>> load = new TreeMap<>();
        regionsByServer.forEach((server, regions) -> load.put(server, new ArrayList<>(regions)));
        List<RegionPlan> plans = any.balanceCluster(new HashMap<>(Map.of(TABLE, load)));
        return plans == null ? List.of() : plans;
    }

    private BalanceEngine engine() {
        return MasterComponentRegistry.engine(site).orElseThrow();
    }

    private List<String> costsOfTheStockBalancer() throws IOException {
        StochasticLoadBalancer stock = new StochasticLoadBalancer();
        attach(stock);
        stock.initialize();
        return Arrays.asList(stock.getCostFunctionNames());
    }

    /** How many regions each server has when these moves are made, in the order of the servers. */
    private List<Integer> countsAfter(List<RegionPlan> plans) {
        Map<ServerName, Integer> counts = new TreeMap<>();
        regionsByServer.forEach((server, regions) -> counts.put(server, regions.size()));
        plans.forEach(plan -> {
            counts.merge(plan.getSource(), -1, Integer::sum);
            counts.merge(plan.getDestination(), 1, Integer::sum);
        });
        return List.copyOf(counts.values());
    }

    @Test
    void inAdviseTheStockBalancerGoesOnByItsOwnCosts() throws IOException {
        site.set("hearth.balancer.mode", "advise");
        balancer.initialize();
        read(12);

        List<RegionPlan> plans = balance(balancer);

        assertThat(balancer.getCostFunctionNames()).containsExactlyElementsOf(costsOfTheStockBalancer());
        assertThat(countsAfter(plans)).as("stock evens numbers").allMatch(count -> count >= 9 && count <= 11);
        Decision advice = engine().decisions().get(0);
        assertThat(advice.whyNotCarriedOut()).contains("hearth.balancer.mode is advise");
        assertThat(advice.plan().outcome(LoadDimension.READS).maxOverMeanBefore())
                .isEqualTo(4.0);
        assertThat(advice.plan().moves()).isNotEmpty();
        assertThat(engine().tracker().pinned(clock.currentTime()))
                .as("the stock balancer's moves are not Hearth's")
                .isEmpty();
    }

    @Test
    void adviceStandsBesideWhatTheStockBalancerDoesAndWhatCameOfIt() throws IOException {
        site.set("hearth.balancer.mode", "advise");
        balancer.initialize();
        read(12);
        List<RegionPlan> plans = balance(balancer);

        Advice advice = engine().advice().newestFirst().get(0);
        assertThat(advice.why()).isEqualTo("hearth.balancer.mode is advise");
        assertThat(advice.hearthMoves()).isPositive();
        assertThat(advice.before()).isEqualTo(Map.of(LoadDimension.READS, 4.0));
        assertThat(advice.hearthAfter().get(LoadDimension.READS)).isLessThan(1.3);
        assertThat(advice.stock().moves()).isEqualTo(plans.size());
        assertThat(advice.stock().firstMoves()).hasSize(plans.size());
        assertThat(advice.stock().costs())
                .matches("its cost 0\\.\\d{4} -> 0\\.\\d{4} \\(.*RegionCountSkew 0\\.\\d{4} -> 0\\.0000.*\\)");
        assertThat(advice.observed()).isEmpty();

        plans.forEach(this::make);
        read(66);
        balance(balancer);

        Advice later = engine().advice().newestFirst().stream()
                .filter(run -> run.atMs() == advice.atMs())
                .findFirst()
                .orElseThrow();
        assertThat(later.observed().get(LoadDimension.READS))
                .isCloseTo(advice.stock().maxOverMeanAfter().get(LoadDimension.READS), within(0.1));
        assertThat(engine().advice().days()).hasSize(1).allSatisfy(day -> {
            assertThat(day.plans()).isEqualTo(2);
            assertThat(day.stockMoves()).isEqualTo(plans.size());
        });
    }

    private void make(RegionPlan plan) {
        regionsByServer.get(plan.getSource()).remove(plan.getRegionInfo());
        regionsByServer.get(plan.getDestination()).add(plan.getRegionInfo());
        readsByRegion.put(plan.getRegionInfo(), 0L);
    }

    @Test
    void whenAPersonAsksForAdviceTheStockBalancersOwnCostsComeBackWithTheNextRun() throws IOException {
        balancer.initialize();
        read(12);
        assertThat(balancer.getCostFunctionNames()).contains("ReadHeatCostFunction");

        engine().tracker().adviseOnly("ops", clock.currentTime());
        List<RegionPlan> plans = balance(balancer);

        assertThat(balancer.getCostFunctionNames()).containsExactlyElementsOf(costsOfTheStockBalancer());
        assertThat(countsAfter(plans)).allMatch(count -> count >= 9 && count <= 11);

        engine().tracker().resumeActing("ops", clock.currentTime());
        balance(balancer);
        assertThat(balancer.getCostFunctionNames()).contains("ReadHeatCostFunction");
    }

    @Test
    void offIsTheStockBalancerAloneAndNothingIsRecorded() throws IOException {
        site.set("hearth.balancer.mode", "off");
        balancer.initialize();
        read(12);

        List<RegionPlan> plans = balance(balancer);

        assertThat(balancer.getCostFunctionNames()).containsExactlyElementsOf(costsOfTheStockBalancer());
        assertThat(balancer.regionFinder).isNotInstanceOf(HearthRegionLocationFinder.class);
        assertThat(countsAfter(plans)).allMatch(count -> count >= 9 && count <= 11);
        assertThat(engine().decisions()).isEmpty();
        assertThat(engine().heat().heat(new EncodedRegionName(hot().get(0).getEncodedName())))
                .isEqualTo(new RegionHeat.Unknown(RegionHeat.Reason.NEVER_REPORTED));
    }

    @Test
    void switchedOffIsTheSameAsOff() throws IOException {
        site.set("hearth.balancer.enabled", "false");
        balancer.initialize();
        read(12);
        balance(balancer);

        assertThat(engine().decisions()).isEmpty();
        assertThat(engine().heat().heat(new EncodedRegionName(hot().get(0).getEncodedName())))
                .isEqualTo(new RegionHeat.Unknown(RegionHeat.Reason.NEVER_REPORTED));
    }

    @Test
    void fromOffToActByAReload() throws IOException {
        site.set("hearth.balancer.mode", "off");
        balancer.initialize();
        site.set("hearth.balancer.mode", "act");
        balancer.onConfigurationChange(site);
        read(12);

        assertThat(balancer.regionFinder).isInstanceOf(HearthRegionLocationFinder.class);
        assertThat(balance(balancer)).as("moves for the sake of heat").anyMatch(plan -> plan.getSource()
                .equals(ServerName.valueOf("host" + HOT, 16020, 1)));
    }

    /** Broken (nobody asks which DataNodes are sick): host1, which has the fewest regions, receives most. */
    @Test
    void noRegionIsMovedBesideASickDataNode() throws IOException {
        SuspectDataNodes sick = () -> Map.of("host1", "its DataNode answers late");
        site.set("hearth.balancer.mode", "act");
        balancer.initialize();
        MasterComponentRegistry.registerSuspectDataNodes(site, sick);
        read(12);

        assertThat(balance(balancer))
                .isNotEmpty()
                .noneMatch(plan -> plan.getDestination().getHostname().equals("host1"));
        assertThat(engine().excludedNow())
                .extracting(server -> server.server().host() + " " + server.why())
                .containsExactly("host1 its DataNode answers late");
        assertThat(sick.reasonByHost()).as("held until here").isNotEmpty();
    }
}
