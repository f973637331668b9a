// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.mockito.Mockito.atLeast;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.sun.net.httpserver.HttpServer;
import io.hearth.balancer.engine.DryRunPlans;
import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.hbase.ObjectStoreRoot;
import io.hearth.balancer.heat.ServerRpcStats;
import io.hearth.balancer.heat.SuspectServer;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.RejectedStockMove;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.tracking.MoveTracker;
import io.hearth.common.model.LoadDimension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.ManualEnvironmentEdge;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a reload of the configuration and the mode by table do to Hearth's balancer. */
class HearthStochasticBalancerTest {

    private static final String MAX_STEPS = "hbase.master.balancer.stochastic.maxSteps";
    private static final ServerName A = ServerName.valueOf("a", 16020, 1);
    private static final ServerName B = ServerName.valueOf("b", 16020, 1);
    private static final ServerName LOCAL_SICK = ServerName.valueOf("127.0.0.1", 16020, 1);
    private static final ServerName LOCAL_WELL = ServerName.valueOf("127.0.0.1", 16021, 1);

    private final Configuration site = HBaseConfiguration.create();
    private final Noting balancer = new Noting();
    private final TableDescriptors descriptors = mock(TableDescriptors.class);
    private final AssignmentManager assignments = mock(AssignmentManager.class);

    /** A balancer that notes how many moves each of its plans may have and what they count, and whose plans take so much time. */
    private static final class Noting extends HearthStochasticBalancer {

        private final List<Integer> maxMoves = new ArrayList<>();
        private double plannedReads;
        private long nanos;
        private long planMillis;
        private boolean fails;
        private Optional<LinkageError> lacks = Optional.empty();

        @Override
        protected long nanoTime() {
            return nanos;
        }

        @Override
        protected Plan plan(ClusterState snapshot, PlanGoals goals) {
            if (fails) {
                throw new IllegalStateException("planted");
            }
            if (lacks.isPresent()) {
                throw lacks.get();
            }
            maxMoves.add(goals.limits().maxMoves());
            plannedReads = snapshot.servers().stream()
                    .flatMap(server -> server.regions().stream())
                    .mapToDouble(region -> region.plannedLoad().get(LoadDimension.READS))
                    .sum();
            nanos += TimeUnit.MILLISECONDS.toNanos(planMillis);
            return super.plan(snapshot, goals);
        }
    }

    @BeforeEach
    void giveItAMaster() throws IOException {
        // Nothing is kept for the next master.
        site.unset(HConstants.HBASE_DIR);
        MasterServices master = mock(MasterServices.class);
        when(master.getConfiguration()).thenReturn(site);
        when(master.getServerName()).thenReturn(ServerName.valueOf("master", 16000, 1));
        when(master.getTableDescriptors()).thenReturn(descriptors);
        when(master.getAssignmentManager()).thenReturn(assignments);
        HBaseVersionSupport.attach(balancer, master);
    }

    @AfterEach
    void stop() {
        balancer.stop("the test is over");
    }

    private HearthRegionLocationFinder finder() {
        return (HearthRegionLocationFinder)
                MasterComponentRegistry.blocksMovedListener(site).orElseThrow();
    }

    @Test
    void aStockValueThatCannotBeReadDoesNotTakeHearthsFinderAway() {
        balancer.initialize();
        site.set(MAX_STEPS, "many");
        assertThatThrownBy(() -> balancer.onConfigurationChange(site)).isInstanceOf(NumberFormatException.class);

        assertThat(balancer.regionFinder).isSameAs(finder());
    }

    @Test
    void whatWasKnownOfBlocksIsUnknownWhileLocalityIsOff() {
        RegionInfo region = regions(TableName.valueOf("t"), 1).get(0);
        balancer.initialize();
        finder().getBlockDistribution(region);
        assertThat(finder().localBytes(region).isKnown()).isTrue();

        site.setBoolean("hbase.master.balancer.uselocality", false);
        balancer.onConfigurationChange(site);
        assertThat(finder().localBytes(region).isKnown()).isFalse();

        site.setBoolean("hbase.master.balancer.uselocality", true);
        balancer.onConfigurationChange(site);
        assertThat(finder().localBytes(region).isKnown()).isTrue();
    }

    @Test
    void onAnObjectStoreNobodyIsAskedWhereBlocksAre() throws IOException {
        site.set(HConstants.HBASE_DIR, "s3a://bucket/hbase");
        balancer.loadConf(site);

        assertThat(balancer.regionFinder).isNull();
        assertThat(finder().localBytes(regions(TableName.valueOf("t"), 1).get(0))
                        .isKnown())
                .isFalse();
        assertThat(ObjectStoreRoot.startupLogMessage(site))
                .contains(
                        "hbase.rootdir is s3a://bucket/hbase, in an object store: no block is local to any server, so locality"
                                + " is no part of plans and nobody is asked where blocks are. Load is balanced as anywhere.");
        assertThat(site.get("hbase.master.balancer.uselocality"))
                .as("the site's own configuration is left as it is")
                .isNull();

        site.set(HConstants.HBASE_DIR, "hdfs://nn:8020/hbase");
        balancer.loadConf(site);
        assertThat(balancer.regionFinder).isSameAs(finder());
        assertThat(ObjectStoreRoot.startupLogMessage(site)).isEmpty();
    }

    /** Broken (Hearth's finder is put in its place): the stock balancer plans otherwise than without Hearth, which only advises. */
    @Test
    void onAnObjectStoreTheStockBalancerThatActsAloneKeepsItsOwnFinder() throws IOException {
        site.set(HConstants.HBASE_DIR, "s3a://bucket/hbase");
        site.set("hearth.balancer.mode", "advise");
        balancer.loadConf(site);

        assertThat(balancer.regionFinder).isNotNull().isNotSameAs(finder());
        assertThat(finder().localBytes(regions(TableName.valueOf("t"), 1).get(0))
                        .isKnown())
                .isFalse();
    }

    @Test
    void byTableTheLimitOfMovesIsOfTheTablesOwnRegions() throws IOException {
        site.setBoolean(HConstants.HBASE_MASTER_LOADBALANCE_BYTABLE, true);
        site.setFloat("hbase.master.balancer.stochastic.maxMovePercent", 0.5f);
        // HBase's own search would look at 2,000 regions for a quarter of a minute.
        site.setInt(MAX_STEPS, 1);
        balancer.initialize();
        TableName large = TableName.valueOf("large");
        TableName small = TableName.valueOf("small");
        Map<TableName, Map<ServerName, List<RegionInfo>>> load = new HashMap<>();
        load.put(large, new HashMap<>(Map.of(A, regions(large, 2_000), B, List.of())));
        load.put(small, new HashMap<>(Map.of(A, regions(small, 10), B, List.of())));

        balancer.balanceCluster(load);

        assertThat(balancer.maxMoves).as("half of 2,000; never below 600").containsExactlyInAnyOrder(1_000, 600);
    }

    /** As after update_all_config: no table is altered, so that no region is opened again, and no master restarted. */
    @Test
    void theWeightOfATableInTheSiteFileIsLive() throws IOException {
        ManualEnvironmentEdge clock = new ManualEnvironmentEdge();
        clock.setValue(1_000_000_000_000L);
        EnvironmentEdgeManager.injectEdge(clock);
        try {
            site.setInt(MAX_STEPS, 1);
            TableName table = TableName.valueOf("t");
            TableDescriptor descriptor =
                    TableDescriptorBuilder.newBuilder(table).build();
            when(descriptors.getAll()).thenReturn(Map.of("t", descriptor));
            // HBase 3 knows the tables of assigned regions alone.
            when(descriptors.get(table)).thenReturn(descriptor);
            when(assignments.getAssignedRegions()).thenReturn(regions(table, 20));
            balancer.initialize();
            for (int minute = 1; minute <= 20; minute++) {
                clock.incValue(60_000);
                balancer.nanos += TimeUnit.MINUTES.toNanos(1);
                ClusterMetrics reports = mock(ClusterMetrics.class);
                when(reports.getLiveServerMetrics())
                        .thenReturn(Map.of(
                                A, report(A, 0, 60_000L * minute, 0),
                                B, report(B, 10, 60_000L * minute, 0)));
                balancer.updateClusterMetrics(reports);
            }
            assertThat(plannedReads()).as("of 20 regions with 1,000 a second").isBetween(19_000.0, 21_000.0);

            site.set("hearth.table.t.read.weight", "0");
            balancer.onConfigurationChange(site);
            assertThat(plannedReads()).isZero();

            site.unset("hearth.table.t.read.weight");
            balancer.onConfigurationChange(site);
            assertThat(plannedReads()).isBetween(19_000.0, 21_000.0);
        } finally {
            EnvironmentEdgeManager.reset();
        }
    }

    @Test
    void aCapacityOfAHostWithoutAServerIsToldOnceAndOfOneThatIsRestartedNotAtAll() throws IOException {
        site.setInt(MAX_STEPS, 1);
        site.set("hearth.server.B.capacity", "2");
        site.set("hearth.server.nowhere.capacity", "2");
        balancer.initialize();
        List<String> unknown = new ArrayList<>();
        AppenderSkeleton log = new AppenderSkeleton() {
            @Override
            protected void append(LoggingEvent event) {
                String line = event.getRenderedMessage();
                if (line.contains(".capacity")) {
                    unknown.add(line.substring(0, line.indexOf(" in ")));
                }
            }

            @Override
            public void close() {}

            @Override
            public boolean requiresLayout() {
                return false;
            }
        };
        Logger balancerLog = Logger.getLogger("io.hearth.balancer.HearthLoadBalancer");
        balancerLog.addAppender(log);
        try {
            long before = configProblems();
            runWith(List.of(A, B), List.of());
            assertThat(unknown).containsExactly("hearth.server.nowhere.capacity");
            runWith(List.of(A), List.of(B));
            assertThat(unknown).hasSize(1);
            runWith(List.of(A), List.of());
            assertThat(unknown).containsExactly("hearth.server.nowhere.capacity", "hearth.server.B.capacity");
            assertThat(configProblems()).as("what an alert asks for").isEqualTo(before);
        } finally {
            balancerLog.removeAppender(log);
        }
    }

    private void runWith(List<ServerName> live, List<ServerName> dead) throws IOException {
        ClusterMetrics reports = mock(ClusterMetrics.class);
        Map<ServerName, ServerMetrics> reportByServer = new HashMap<>();
        live.forEach(server -> reportByServer.put(server, mock(ServerMetrics.class)));
        when(reports.getLiveServerMetrics()).thenReturn(reportByServer);
        when(reports.getDeadServerNames()).thenReturn(dead);
        balancer.updateClusterMetrics(reports);
        plannedReads();
    }

    private static long configProblems() {
        return counter("configProblems");
    }

    private static long counter(String name) {
        return MetricRegistries.global()
                .create(BalancerMetrics.INFO)
                .counter(name)
                .getCount();
    }

    private double plannedReads() throws IOException {
        balancer.balanceCluster(new HashMap<>(Map.of(TableName.valueOf("t"), onBoth())));
        return balancer.plannedReads;
    }

    /** A run holds the state of every region, which the next one makes anew. */
    @Test
    void theNextReportsEndARun() throws IOException {
        site.setInt(MAX_STEPS, 1);
        balancer.initialize();
        plannedReads();
        balancer.balanceTable(HConstants.ENSEMBLE_TABLE_NAME, onBoth());
        assertThat(balancer.maxMoves).as("plans of one run").hasSize(2);

        ClusterMetrics reports = mock(ClusterMetrics.class);
        when(reports.getLiveServerMetrics()).thenReturn(Map.of());
        balancer.updateClusterMetrics(reports);
        balancer.balanceTable(HConstants.ENSEMBLE_TABLE_NAME, onBoth());
        assertThat(balancer.maxMoves).as("there is no run to plan in").hasSize(2);
    }

    private static Map<ServerName, List<RegionInfo>> onBoth() {
        List<RegionInfo> all = regions(TableName.valueOf("t"), 20);
        return new HashMap<>(Map.of(A, new ArrayList<>(all.subList(0, 10)), B, new ArrayList<>(all.subList(10, 20))));
    }

    @Test
    void whyThereIsNoPlanIsTold() throws IOException {
        site.setInt(MAX_STEPS, 1);
        balancer.initialize();
        TableName table = TableName.valueOf("t");
        Map<ServerName, List<RegionInfo>> one = Map.of(A, regions(table, 2));
        Map<ServerName, List<RegionInfo>> two = Map.of(A, regions(table, 2), B, List.of());

        assertThat(dryRun(table, one))
                .isEqualTo(
                        new DryRunPlans(
                                List.of(),
                                false,
                                Optional.of(
                                        "No plan is made for hbase:ensemble: a plan needs two servers, and there is only a,16020,1")));
        assertThat(dryRun(table, two).isAnyMade()).isTrue();
        assertThat(dryRun(table, two).notPlanned()).isEmpty();
        balancer.fails = true;
        assertThat(dryRun(table, two))
                .isEqualTo(new DryRunPlans(
                        List.of(),
                        false,
                        Optional.of("No plan is made for hbase:ensemble: planning failed, as the master's log says")));
    }

    /** Broken (a failure of planning is one like any other): Hearth plans again in the next run, and the line comes again each minute. */
    @Test
    void whereHBaseLacksWhatAPlanNeedsTheStockBalancerPlansAlone() throws IOException {
        site.setInt(MAX_STEPS, 20_000);
        balancer.initialize();
        HearthRegionLocationFinder finder = finder();
        assertThat(StockCosts.functions(balancer)).hasAtLeastOneElementOfType(HeatCostFunction.class);
        assertThat(gauge(BalancerMetrics.RESTING)).isEqualTo(0);
        balancer.lacks = Optional.of(new NoSuchMethodError("'void org.apache.hadoop.hbase.ServerName.gone()'"));
        List<String> lines = new ArrayList<>();
        AppenderSkeleton log = new AppenderSkeleton() {
            @Override
            protected void append(LoggingEvent event) {
                lines.add(event.getLevel() + " " + event.getRenderedMessage());
                assertThat(event.getThrowableInformation()).isNull();
            }

            @Override
            public void close() {}

            @Override
            public boolean requiresLayout() {
                return false;
            }
        };
        Logger balancerLog = Logger.getLogger("io.hearth.balancer.HearthLoadBalancer");
        balancerLog.addAppender(log);
        try {
            for (int run = 0; run < 3; run++) {
                TableName table = TableName.valueOf("t");
                assertThat(balancer.balanceCluster(new HashMap<>(
                                Map.of(table, new HashMap<>(Map.of(A, regions(table, 10), B, List.of()))))))
                        .as("the stock balancer evens numbers of regions")
                        .isNotEmpty();
                balancer.lacks = Optional.empty();
            }
        } finally {
            balancerLog.removeAppender(log);
        }

        assertThat(lines.stream().filter(line -> line.startsWith("ERROR")).toList())
                .singleElement(as(STRING))
                .startsWith(
                        "ERROR Hearth's balancer rests until the HMaster is started again, and the stock balancer plans alone:"
                                + " NoSuchMethodError: 'void org.apache.hadoop.hbase.ServerName.gone()'. Hearth was built for HBase ")
                .endsWith(". bin/hearth install --check names all that is missing.");
        assertThat(balancer.maxMoves).as("plans of Hearth's").isEmpty();
        assertThat(StockCosts.functions(balancer)).doesNotHaveAnyElementsOfTypes(HeatCostFunction.class);
        assertThat(balancer.regionFinder).isNotSameAs(finder);
        assertThat(gauge(BalancerMetrics.RESTING)).isEqualTo(1);
    }

    /** Broken (they stay, and grow old): the page, the admin endpoint and the healer show and use heat of the day of the upgrade. */
    @Test
    void whatABalancerThatRestsKnewIsOfferedToNobody() throws IOException {
        balancer.initialize();
        assertThat(MasterComponentRegistry.engine(site)).isPresent();
        assertThat(MasterComponentRegistry.whyBalancerRests(site)).isEmpty();

        rest();
        balancer.onConfigurationChange(site);

        assertThat(MasterComponentRegistry.engine(site)).isEmpty();
        assertThat(MasterComponentRegistry.regionHeats(site)).isEmpty();
        assertThat(MasterComponentRegistry.blocksMovedListener(site)).isEmpty();
        assertThat(MasterComponentRegistry.manualMoveListener(site)).isEmpty();
        assertThat(MasterComponentRegistry.whyBalancerRests(site).orElseThrow())
                .startsWith(
                        "it rests until the HMaster is started again: NoSuchMethodError: gone. Hearth was built for HBase ")
                .endsWith(". bin/hearth install --check names all that is missing");
    }

    /**
     * No report has come since it rests. Broken (it saves on): each file says that the heat is of now, and a week later the mended version
     * takes it for fresh.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBalancerThatRestsSavesNothing(boolean rests, @TempDir Path root) throws IOException {
        site.set(HConstants.HBASE_DIR, root.toUri().toString());
        balancer.initialize();
        if (rests) {
            rest();
        }

        balancer.stop("the master stops");

        try (Stream<Path> files = Files.walk(root)) {
            assertThat(files.anyMatch(Files::isRegularFile)).isEqualTo(!rests);
        }
    }

    private void rest() throws IOException {
        site.setInt(MAX_STEPS, 1);
        balancer.lacks = Optional.of(new NoSuchMethodError("gone"));
        TableName table = TableName.valueOf("t");
        balancer.balanceCluster(
                new HashMap<>(Map.of(table, new HashMap<>(Map.of(A, regions(table, 10), B, List.of())))));
    }

    private static Object gauge(String name) {
        return ((Gauge<?>) MetricRegistries.global()
                        .get(BalancerMetrics.INFO)
                        .orElseThrow()
                        .get(name)
                        .orElseThrow())
                .getValue();
    }

    private DryRunPlans dryRun(TableName table, Map<ServerName, List<RegionInfo>> load) throws IOException {
        return DryRunPlans.of(MasterComponentRegistry.engine(site).orElseThrow(), () -> {
            balancer.balanceCluster(new HashMap<>(Map.of(table, new HashMap<>(load))));
            return true;
        });
    }

    /** 50 a second, for as long as the master carries a run's moves out: by the balancer's period where nothing else is said. */
    @Test
    void aPlanHasAsManyMovesAsTheMasterCanMakeInTime() throws IOException {
        site.setInt(HConstants.HBASE_BALANCER_PERIOD, 60_000);
        planFourThousand();
        assertThat(balancer.maxMoves).containsExactly(3_000);

        site.setInt(HConstants.HBASE_BALANCER_MAX_BALANCING, 20_000);
        balancer.onConfigurationChange(site);
        planFourThousand();
        assertThat(balancer.maxMoves)
                .as("the HMaster reads it when it starts, and never again")
                .containsExactly(3_000, 3_000);
    }

    @Test
    void aPlanHasAsManyMovesAsFitIntoMaxBalancing() throws IOException {
        site.setInt(HConstants.HBASE_BALANCER_PERIOD, 60_000);
        site.setInt(HConstants.HBASE_BALANCER_MAX_BALANCING, 20_000);
        planFourThousand();

        assertThat(balancer.maxMoves).containsExactly(1_000);
    }

    /** HBase's chore is off at a period of 0, and whoever runs the balancer by a script has the HMaster make all moves of a plan. */
    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void aPlanHasNoFewerMovesWhereTheMasterMakesThemAll(int periodMs) throws IOException {
        site.setInt(HConstants.HBASE_BALANCER_PERIOD, periodMs);
        planFourThousand();

        assertThat(balancer.maxMoves).containsExactly(4_000);
    }

    /** Broken (no limit): the HMaster, which then waits for nothing between two moves, has a hundred thousand regions in transition at once. */
    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void aPlanHasNoMoreMovesThanByDefaultWhereTheMasterBeginsThemAllAtOnce(int periodMs) throws IOException {
        site.setInt(HConstants.HBASE_BALANCER_PERIOD, periodMs);
        site.setInt("hearth.balancer.max.moves.per.second", 10);
        planFourThousand();

        assertThat(balancer.maxMoves).containsExactly(3_000);
    }

    private void planFourThousand() throws IOException {
        TableName table = TableName.valueOf("t");
        site.setFloat("hbase.master.balancer.stochastic.maxMovePercent", 1f);
        // Of the stock balancer's own search, which is not what is looked at.
        site.setInt(MAX_STEPS, 1);
        if (balancer.maxMoves.isEmpty()) {
            balancer.initialize();
        }
        balancer.balanceCluster(
                new HashMap<>(Map.of(table, new HashMap<>(Map.of(A, regions(table, 4_000), B, List.of())))));
    }

    /** The master updates after each move of a run: what servers report of their regions is read once in a period of their reports. */
    @Test
    void anUpdateWithinThePeriodOfReportsReadsNoRegionOnceMore() {
        ManualEnvironmentEdge clock = new ManualEnvironmentEdge();
        clock.setValue(1_000_000_000_000L);
        EnvironmentEdgeManager.injectEdge(clock);
        try {
            balancer.initialize();
            updated(clock, 60_000);
            ServerMetrics soon = updated(clock, 1_000);
            ServerMetrics later = updated(clock, 60_000);

            verify(soon, times(1).description("the stock balancer's own, of which it makes its region loads"))
                    .getRegionMetrics();
            verify(later, atLeast(2)).getRegionMetrics();
        } finally {
            EnvironmentEdgeManager.reset();
        }
    }

    /** So much later there is a new report of A. */
    private ServerMetrics updated(ManualEnvironmentEdge clock, long laterMs) {
        clock.incValue(laterMs);
        ServerMetrics report = mock(ServerMetrics.class);
        when(report.getReportTimestamp()).thenReturn(clock.currentTime());
        ClusterMetrics reports = mock(ClusterMetrics.class);
        when(reports.getLiveServerMetrics()).thenReturn(Map.of(A, report));
        balancer.updateClusterMetrics(reports);
        return report;
    }

    /** The regions that a first run takes to B, which has none. */
    private List<RegionInfo> movedToB() throws IOException {
        balancer.initialize();
        ClusterMetrics reports = mock(ClusterMetrics.class);
        when(reports.getLiveServerMetrics())
                .thenReturn(Map.of(A, mock(ServerMetrics.class), B, mock(ServerMetrics.class)));
        balancer.updateClusterMetrics(reports);
        TableName table = TableName.valueOf("t");
        return balancer
                .balanceCluster(
                        new HashMap<>(Map.of(table, new HashMap<>(Map.of(A, regions(table, 20), B, List.of())))))
                .stream()
                .filter(plan -> plan.getDestination().equals(B))
                .map(RegionPlan::getRegionInfo)
                .toList();
    }

    /** Broken (6 minutes always): the moves of the last 9 minutes count as dropped, and are made nevertheless. */
    @Test
    void aMoveIsInFlightForAsLongAsTheMasterCarriesOutARun() throws IOException {
        site.setInt(HConstants.HBASE_BALANCER_PERIOD, 900_000);
        List<RegionInfo> moved = movedToB();

        MoveTracker tracker =
                (MoveTracker) MasterComponentRegistry.manualMoveListener(site).orElseThrow();
        assertThat(tracker.pinned(EnvironmentEdgeManager.currentTime()))
                .hasSameSizeAs(moved)
                .allSatisfy(pinned -> assertThat(pinned.untilMs() - pinned.sinceMs())
                        .as("twice the master's time and a minute, until it counts as lost")
                        .isEqualTo(2 * 16 * 60_000));
    }

    /** Else the next assignment tries the server again on which they did not open, for every region that fails there. */
    @Test
    void regionsOfAPlanThatDidNotOpenCloseTheirServer() throws IOException {
        List<RegionInfo> moved = movedToB();

        assertThat(moved).hasSizeGreaterThan(5);
        // As the master does with a move of a plan when its region is closed.
        Map<RegionInfo, ServerName> targets = new HashMap<>();
        moved.forEach(region -> targets.put(region, B));
        assertThat(balancer.retainAssignment(targets, List.of(A, B))).containsKey(B);
        assertThat(balancer.roundRobinAssignment(moved, List.of(A, B))).containsOnlyKeys(A);
    }

    /** Two servers with ten regions each; one comes to serve a tenth. Both have web UIs, which count who asks. */
    @Test
    void aSuspectIsAskedForItsCallsAndNobodyElseIs() throws Exception {
        try (CountingUi sick = new CountingUi("");
                CountingUi well = new CountingUi("")) {
            oneComesToServeATenth(sick, well);

            for (int question = 1; question <= 2; question++) {
                assertThat(sick.nextAsked())
                        .as(
                                "question %d; one thread puts the second when all of the first round are answered",
                                question)
                        .isEqualTo("/jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=IPC");
            }
            assertThat(well.asked).isEmpty();
        }
    }

    /** Broken (nobody takes its answers): a server at ease stays suspect for hours, and a slow decline is never confirmed. */
    @Test
    void whatASuspectAnswersIsKnownOfIt() throws Exception {
        try (CountingUi sick =
                        new CountingUi("{\"beans\":[{\"numCallsInGeneralQueue\":312,\"TotalCallTime_mean\":480.5}]}");
                CountingUi well = new CountingUi("")) {
            oneComesToServeATenth(sick, well);
            for (int question = 1; question <= 3; question++) {
                assertThat(sick.nextAsked())
                        .as("question %d; the second's answer was taken before the third is put", question)
                        .isNotNull();
            }

            assertThat(MasterComponentRegistry.engine(site).orElseThrow().heat().suspects())
                    .singleElement()
                    .returns(HBaseNames.server(LOCAL_SICK), SuspectServer::server)
                    .returns(Optional.of(new ServerRpcStats(312, 480.5)), SuspectServer::rpcStats);
        }
    }

    private void oneComesToServeATenth(CountingUi sick, CountingUi well) {
        ManualEnvironmentEdge clock = new ManualEnvironmentEdge();
        clock.setValue(1_000_000_000_000L);
        EnvironmentEdgeManager.injectEdge(clock);
        try {
            balancer.initialize();
            long ofSick = 0;
            long ofWell = 0;
            for (int minute = 0; minute < 25; minute++) {
                clock.incValue(60_000);
                balancer.nanos += TimeUnit.MINUTES.toNanos(1);
                ofSick += minute < 15 ? 6_000 : 600;
                ofWell += 6_000;
                ClusterMetrics reports = mock(ClusterMetrics.class);
                when(reports.getLiveServerMetrics())
                        .thenReturn(Map.of(
                                LOCAL_SICK, report(LOCAL_SICK, 0, ofSick, sick.port()),
                                LOCAL_WELL, report(LOCAL_WELL, 10, ofWell, well.port())));
                balancer.updateClusterMetrics(reports);
            }
        } finally {
            EnvironmentEdgeManager.reset();
        }
    }

    private static ServerMetrics report(ServerName server, int firstRegion, long readsOfEach, int infoPort) {
        return ServerMetricsBuilder.newBuilder(server)
                .setReportTimestamp(EnvironmentEdgeManager.currentTime())
                .setInfoServerPort(infoPort)
                .setRegionMetrics(regions(TableName.valueOf("t"), 20).subList(firstRegion, firstRegion + 10).stream()
                        .map(region -> (RegionMetrics) RegionMetricsBuilder.newBuilder(region.getRegionName())
                                .setReadRequestCount(readsOfEach)
                                .build())
                        .toList())
                .build();
    }

    /** A RegionServer's web UI that notes what it is asked for, and answers that there is no such page, or with this one. */
    private static final class CountingUi implements AutoCloseable {

        private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
        private final HttpServer server;

        CountingUi(String page) throws IOException {
            byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                asked.add(exchange.getRequestURI().toString());
                if (page.isEmpty()) {
                    exchange.sendResponseHeaders(404, -1);
                } else {
                    exchange.sendResponseHeaders(200, bytes.length);
                    exchange.getResponseBody().write(bytes);
                }
                exchange.close();
            });
            server.start();
        }

        /** What it is asked for next; null if that takes too long. */
        String nextAsked() throws InterruptedException {
            return asked.poll(30, TimeUnit.SECONDS);
        }

        int port() {
            return server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    /** Broken (the stock plan is not reviewed where there was no time to plan): a region of the other table is moved back. */
    @Test
    void whatWasMovedManuallyStaysInATableBeyondTheDeadline() throws IOException {
        long stockMoves = counter("stockMoves");
        assertThat(planBeyondTheDeadline(true)).isEmpty();
        assertThat(counter("stockMoves")).isEqualTo(stockMoves);
        assertThat(balancer.maxMoves).as("one table was planned").hasSize(1);
        assertThat(MasterComponentRegistry.engine(site).orElseThrow().rejectedStockMoves())
                .isNotEmpty()
                .allSatisfy(move -> assertThat(move)
                        .returns(UnmovedReason.MOVED_MANUALLY, RejectedStockMove::reason)
                        .returns(HBaseNames.server(A), RejectedStockMove::from)
                        .returns(HBaseNames.server(B), RejectedStockMove::to));
    }

    @Test
    void whatNothingHoldsIsTheStockBalancersToMoveBeyondTheDeadline() throws IOException {
        long stockMoves = counter("stockMoves");
        assertThat(planBeyondTheDeadline(false)).hasSize(2);
        assertThat(counter("stockMoves")).isEqualTo(stockMoves + 2);
        assertThat(balancer.maxMoves).as("one table was planned").hasSize(1);
    }

    /** Of two tables, both regions of each of which are on one server, the plan of the first takes all the time of the run. */
    private List<RegionPlan> planBeyondTheDeadline(boolean movedManually) throws IOException {
        site.setBoolean(HConstants.HBASE_MASTER_LOADBALANCE_BYTABLE, true);
        site.setInt(MAX_STEPS, 20_000);
        balancer.initialize();
        balancer.planMillis = 10_000;
        Map<TableName, Map<ServerName, List<RegionInfo>>> load = new HashMap<>();
        for (TableName table : List.of(TableName.valueOf("one"), TableName.valueOf("other"))) {
            List<RegionInfo> crowded = regions(table, 2);
            load.put(table, new HashMap<>(Map.of(A, crowded, B, List.of())));
            if (movedManually) {
                crowded.forEach(this::moveManually);
            }
        }
        List<RegionPlan> plans = balancer.balanceCluster(load);
        return plans == null ? List.of() : plans;
    }

    private void moveManually(RegionInfo region) {
        MasterComponentRegistry.manualMoveListener(site)
                .orElseThrow()
                .regionMovedManually(
                        HBaseNames.region(region),
                        HBaseNames.table(region.getTable()),
                        HBaseNames.server(B),
                        HBaseNames.server(A),
                        "somebody",
                        false,
                        EnvironmentEdgeManager.currentTime());
    }

    private static List<RegionInfo> regions(TableName table, int count) {
        List<RegionInfo> regions = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            regions.add(RegionInfoBuilder.newBuilder(table)
                    .setStartKey(Bytes.toBytes(number))
                    .setRegionId(1)
                    .build());
        }
        return regions;
    }
}
