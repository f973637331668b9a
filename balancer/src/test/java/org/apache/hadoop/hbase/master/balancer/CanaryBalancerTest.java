// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.BalanceEngine.CanaryStatus;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.engine.RegionExplainer;
import io.hearth.balancer.engine.RegionExplainer.AskedRegion;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.placement.CanaryPlacement;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.RegionReason;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.TableId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs of Hearth's balancer over a cluster with a canary table, and under a brake. */
class CanaryBalancerTest {

    private static final String MAX_STEPS = "hbase.master.balancer.stochastic.maxSteps";
    private static final TableName CANARY = TableName.valueOf("hearth_canary");
    private static final TableName OTHER_CANARY = TableName.valueOf("ns:watch");
    private static final TableName TABLE = TableName.valueOf("t");
    private static final ServerName A = ServerName.valueOf("a", 16020, 1);
    private static final ServerName B = ServerName.valueOf("b", 16020, 1);
    private static final ServerName C = ServerName.valueOf("c", 16020, 1);

    private final Configuration site = HBaseConfiguration.create();
    private final Watched balancer = new Watched();
    private final TableDescriptors descriptors = mock(TableDescriptors.class);
    private final Map<String, TableDescriptor> tables = new HashMap<>();

    /** A balancer that notes what either plan is made on, with a clock that stands still. */
    private static final class Watched extends HearthStochasticBalancer {

        private final List<String> planned = new ArrayList<>();
        private final List<String> ofStock = new ArrayList<>();
        private long nanos;
        private boolean fails;

        @Override
        protected long nanoTime() {
            return nanos;
        }

        @Override
        protected Plan plan(ClusterState snapshot, PlanGoals goals) {
            if (fails) {
                throw new IllegalStateException("planted");
            }
            snapshot.servers().stream()
                    .flatMap(server -> server.regions().stream())
                    .map(RegionState::table)
                    .map(TableId::name)
                    .distinct()
                    .forEach(planned::add);
            return super.plan(snapshot, goals);
        }

        @Override
        boolean needsBalance(TableName table, BalancerClusterState cluster) {
            Arrays.stream(cluster.regions)
                    .map(region -> region.getTable().getNameAsString())
                    .distinct()
                    .forEach(ofStock::add);
            return super.needsBalance(table, cluster);
        }
    }

    @BeforeEach
    void giveItAMaster() throws IOException {
        // Nothing is kept for the next master.
        site.unset(HConstants.HBASE_DIR);
        site.setBoolean("hbase.master.balancer.uselocality", false);
        // HBase's own search is short.
        site.setInt(MAX_STEPS, 1);
        MasterServices master = mock(MasterServices.class);
        when(master.getConfiguration()).thenReturn(site);
        when(master.getServerName()).thenReturn(ServerName.valueOf("master", 16000, 1));
        when(master.getTableDescriptors()).thenReturn(descriptors);
        AssignmentManager assignments = mock(AssignmentManager.class);
        when(master.getAssignmentManager()).thenReturn(assignments);
        // HBase 3 knows the tables of assigned regions alone.
        when(assignments.getAssignedRegions())
                .thenReturn(List.of(region(TABLE, 0), region(CANARY, 0), region(OTHER_CANARY, 0)));
        when(descriptors.getAll()).thenReturn(tables);
        when(descriptors.get(any()))
                .thenAnswer(call -> tables.get(call.<TableName>getArgument(0).getNameAsString()));
        HBaseVersionSupport.attach(balancer, master);
        describe(CANARY, "true");
        tables.put("t", TableDescriptorBuilder.newBuilder(TABLE).build());
    }

    private void describe(TableName table, String mark) {
        tables.put(
                table.getNameAsString(),
                TableDescriptorBuilder.newBuilder(table)
                        .setValue("HEARTH_CANARY", mark)
                        .build());
    }

    @AfterEach
    void stop() {
        balancer.stop("the test is over");
    }

    private BalanceEngine engine() {
        return MasterComponentRegistry.engine(site).orElseThrow();
    }

    private static RegionInfo region(TableName table, int number) {
        return RegionInfoBuilder.newBuilder(table)
                .setStartKey(Bytes.toBytes(number))
                .setRegionId(1)
                .build();
    }

    private static List<RegionInfo> regions(TableName table, int first, int count) {
        List<RegionInfo> regions = new ArrayList<>();
        for (int number = first; number < first + count; number++) {
            regions.add(region(table, number));
        }
        return regions;
    }

    /** Three servers, of which C has no canary; each has as many regions of the other table as it is given. */
    private static Map<TableName, Map<ServerName, List<RegionInfo>>> load(int onA, int onB, int onC) {
        Map<TableName, Map<ServerName, List<RegionInfo>>> load = new TreeMap<>();
        load.put(
                TABLE,
                new TreeMap<>(Map.of(
                        A, regions(TABLE, 0, onA), B, regions(TABLE, onA, onB), C, regions(TABLE, onA + onB, onC))));
        load.put(
                CANARY,
                new TreeMap<>(Map.of(A, regions(CANARY, 0, 2), B, regions(CANARY, 2, 1), C, regions(CANARY, 3, 0))));
        return load;
    }

    private List<RegionPlan> run(Map<TableName, Map<ServerName, List<RegionInfo>>> load) throws IOException {
        List<RegionPlan> plans = balancer.balanceCluster(load);
        return plans == null ? List.of() : plans;
    }

    private static List<String> text(List<RegionPlan> plans) {
        return plans.stream()
                .map(plan -> plan.getRegionInfo().getTable() + " "
                        + plan.getSource().getHostname() + " "
                        + plan.getDestination().getHostname())
                .toList();
    }

    @Test
    void aServerWithoutACanaryIsGivenOneThoughNothingElseAsksForAMove() throws IOException {
        balancer.initialize();

        assertThat(text(run(load(10, 10, 10)))).containsExactly("hearth_canary a c");
        assertThat(engine().canaries().map(CanaryStatus::table)).contains(new TableId("hearth_canary"));
        assertThat(engine().canaries().orElseThrow().placement().serversWithout())
                .isZero();
    }

    @Test
    void byTableItIsInThePlanOfItsOwnTable() throws IOException {
        site.setBoolean(HConstants.HBASE_MASTER_LOADBALANCE_BYTABLE, true);
        balancer.initialize();

        assertThat(text(run(load(10, 10, 10)))).containsExactly("hearth_canary a c");
    }

    /** Broken (canary regions stay in the assignments): both plans see them, and stock evens the counts of both tables together. */
    @Test
    void neitherPlanKnowsOfCanaryRegions() throws IOException {
        balancer.initialize();

        List<String> moves = text(run(load(30, 0, 0)));

        assertThat(balancer.planned).containsOnly("t");
        assertThat(balancer.ofStock).doesNotContain("hearth_canary");
        assertThat(moves).filteredOn(move -> move.startsWith("hearth_canary")).containsExactly("hearth_canary a c");
    }

    @Test
    void aClusterWithNothingButCanariesHasThemPlaced() throws IOException {
        balancer.initialize();

        assertThat(text(run(load(0, 0, 0)))).containsExactly("hearth_canary a c");
    }

    @Test
    void moreServersThanRegionsAreToldToWhoeverAsks() throws IOException {
        balancer.initialize();
        Map<TableName, Map<ServerName, List<RegionInfo>>> load = load(10, 10, 10);
        load.get(CANARY).put(B, new ArrayList<>());
        load.get(CANARY).put(A, regions(CANARY, 0, 1));

        assertThat(run(load)).isEmpty();
        assertThat(engine().canaries().map(CanaryStatus::placement)).contains(new CanaryPlacement(List.of(), 1, 3, 2));
    }

    /** Each group has a run of its own, with its servers and its tables. */
    @Test
    void theServersOfAnotherGroupHaveNoCanary() throws IOException {
        balancer.initialize();
        run(load(10, 10, 10));
        Map<TableName, Map<ServerName, List<RegionInfo>>> other = new TreeMap<>();
        other.put(
                TableName.valueOf("t2"),
                new TreeMap<>(Map.of(ServerName.valueOf("d", 16020, 1), List.of(), C, List.of())));

        assertThat(run(other)).isEmpty();
        assertThat(engine().canaries().map(status -> status.placement().servers()))
                .as("that of the group with the table")
                .contains(3);
    }

    @Test
    void aTableOfThatNameThatDoesNotSaySoIsLikeAnyOther() throws IOException {
        for (String mark : List.of("false", "yes")) {
            describe(CANARY, mark);
            balancer.initialize();
            balancer.planned.clear();
            balancer.ofStock.clear();

            run(load(10, 10, 10));

            assertThat(balancer.planned).contains("hearth_canary", "t");
            assertThat(balancer.ofStock).contains("hearth_canary");
            assertThat(engine().canaries()).isEmpty();
        }
    }

    @Test
    void anotherNameIsLiveAndADroppedTableIsForgotten() throws IOException {
        describe(OTHER_CANARY, "true");
        balancer.initialize();
        run(load(10, 10, 10));

        site.set("hearth.slo.canary.table", "ns:watch");
        balancer.onConfigurationChange(site);

        run(load(10, 10, 10));
        assertThat(balancer.planned).contains("hearth_canary");
        site.unset("hearth.slo.canary.table");
        balancer.onConfigurationChange(site);
        run(load(10, 10, 10));
        assertThat(engine().canaries()).isPresent();
        tables.remove("hearth_canary");
        Map<TableName, Map<ServerName, List<RegionInfo>>> without = load(10, 10, 10);
        without.remove(CANARY);
        run(without);
        assertThat(engine().canaries()).isEmpty();
    }

    @Test
    void whereHearthOnlyAdvisesOrIsOffStockDoesWhatItDoes() throws IOException {
        for (String mode : List.of("advise", "off")) {
            site.set("hearth.balancer.mode", mode);
            balancer.initialize();
            balancer.planned.clear();
            balancer.ofStock.clear();

            run(load(10, 10, 10));

            assertThat(balancer.ofStock).as(mode).contains("hearth_canary");
            assertThat(balancer.planned).as("advice is about the others").doesNotContain("hearth_canary");
        }
    }

    @Test
    void requestsToCanaryRegionsAreNoLoad() throws IOException {
        balancer.initialize();
        for (int minute = 1; minute <= 20; minute++) {
            balancer.nanos += TimeUnit.MINUTES.toNanos(1);
            ClusterMetrics reports = mock(ClusterMetrics.class);
            when(reports.getLiveServerMetrics()).thenReturn(Map.of(A, report(60_000L * minute)));
            balancer.updateClusterMetrics(reports);
        }

        assertThat(engine().heat().isServed(HBaseNames.region(region(TABLE, 0))))
                .isTrue();
        assertThat(engine().heat().isServed(HBaseNames.region(region(CANARY, 0))))
                .isFalse();
    }

    private static ServerMetrics report(long requests) {
        List<RegionMetrics> regions = new ArrayList<>();
        for (TableName table : List.of(TABLE, CANARY)) {
            regions.add(RegionMetricsBuilder.newBuilder(region(table, 0).getRegionName())
                    .setReadRequestCount(requests)
                    .build());
        }
        return ServerMetricsBuilder.newBuilder(A)
                .setReportTimestamp(requests)
                .setRegionMetrics(regions)
                .build();
    }

    @Test
    void whyACanaryRegionIsInNoPlan() throws IOException {
        balancer.initialize();
        RegionExplainer explainer = new RegionExplainer(
                engine(),
                () -> {
                    run(load(10, 10, 10));
                    return true;
                },
                new DirectedPlanner());

        assertThat(explainer.explain(List.of(new AskedRegion(
                        HBaseNames.region(region(CANARY, 0)),
                        new TableId("hearth_canary"),
                        Optional.of(HBaseNames.server(A)),
                        false))))
                .singleElement()
                .extracting(RegionReason::text)
                .asString()
                .contains("it is a canary region, and one of these is kept on each server");
    }

    private void brake(int seconds) throws Exception {
        MasterComponentRegistry.brakeLeases(site)
                .renew("ops1", "gets", seconds, TimeUnit.NANOSECONDS.toMillis(balancer.nanos));
    }

    /** 60 regions on A and none elsewhere: without a brake they are spread, be it by Hearth's plan or by stock's. */
    @Test
    void whileBrakedNothingMovesButCanaries() throws Exception {
        site.setBoolean("hearth.slo.brake", true);
        site.setInt(MAX_STEPS, 20_000);
        balancer.initialize();
        brake(60);

        assertThat(text(run(load(60, 0, 0)))).containsExactly("hearth_canary a c");
        assertThat(balancer.ofStock).as("there is no search").isEmpty();
        assertThat(engine().decisions())
                .extracting(Decision::whyNotCarriedOut)
                .allMatch(why -> why.equals(Optional.of("the SLO watch brakes: ops1 (gets)")));

        balancer.nanos += TimeUnit.SECONDS.toNanos(60);
        assertThat(text(run(load(60, 0, 0)))).as("the lease is over").contains("t a b", "t a c");
    }

    @Test
    void aPlanThatFailsUnderABrakeIsNotStocksToMake() throws Exception {
        site.setBoolean("hearth.slo.brake", true);
        site.setInt(MAX_STEPS, 20_000);
        balancer.initialize();
        balancer.fails = true;
        brake(60);

        assertThat(text(run(load(60, 0, 0)))).containsExactly("hearth_canary a c");
    }

    @Test
    void nobodyBrakesWithoutTheKeyOrWhereStockActsAlone() throws Exception {
        site.setInt(MAX_STEPS, 20_000);
        balancer.initialize();
        brake(60);
        assertThat(text(run(load(60, 0, 0)))).as("the key is off").contains("t a b");

        site.setBoolean("hearth.slo.brake", true);
        balancer.onConfigurationChange(site);
        assertThat(text(run(load(60, 0, 0)))).as("it is live").doesNotContain("t a b");

        site.set("hearth.balancer.mode", "advise");
        balancer.onConfigurationChange(site);
        assertThat(text(run(load(60, 0, 0)))).as("as without Hearth").contains("t a b");
    }
}
