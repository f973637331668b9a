// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.config.SloSettings.CanaryMark;
import io.hearth.balancer.config.TableBudgets;
import io.hearth.balancer.config.TableWeights;
import io.hearth.balancer.engine.AdviceLog;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.MasterWork;
import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.balancer.hbase.BalancerView;
import io.hearth.balancer.hbase.CanaryTable;
import io.hearth.balancer.hbase.ClusterMetricsReader;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.hbase.MasterMeter;
import io.hearth.balancer.hbase.ObjectStoreRoot;
import io.hearth.balancer.hbase.StatePersister;
import io.hearth.balancer.hbase.SuspectProbe;
import io.hearth.balancer.hbase.TableWeightsReader;
import io.hearth.balancer.heat.SuspectServer;
import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.balancer.locality.HealingAvailability;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.ServerState;
import io.hearth.balancer.tracking.MoveTracker;
import io.hearth.balancer.tracking.RestoreResult;
import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.ConfigProblem.ConfigProblemLog;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.balancer.BalancerRun.ServerAttributes;
import org.apache.hadoop.hbase.master.balancer.BalancerRunner.HearthPlan;
import org.apache.hadoop.hbase.master.balancer.HearthAssignment.StockAssignment;
import org.apache.hadoop.hbase.master.balancer.HearthAssignment.StockRandomAssignment;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@link HearthStochasticBalancer} does besides the stock balancer's work. It is made apart from that class, which has to load on any
 * HBase.
 *
 * <p>Heat first: where a dimension of heat is above its trigger, Hearth's plan is the plan of the run. Otherwise the stock
 * search decides, with heat costs in the place of its own read, write and store file costs; what it may not move, and a plan
 * of it that would make even heat uneven, is left out. Whatever fails on our side is counted and logged, and the stock plan is
 * used.
 *
 * <p>Called under the balancer's lock, but for the assignments, which are called by any thread.
 */
@NullMarked
final class HeatBalancing {

    private static final Logger LOG = LoggerFactory.getLogger("io.hearth.balancer.HearthLoadBalancer");
    private static final String SITE = "hbase-site.xml";
    /** With a slop below 0 stock does not look at numbers of regions. */
    private static final float NO_SLOP = -1;

    private static final String PLAN_FAILED = "planning failed, as the master's log says";

    /** Heat, and what else is kept of a region but where its blocks are. */
    private static final long HEAP_BYTES_PER_REGION = 800;

    private static final String MAX_MOVE_PERCENT = "hbase.master.balancer.stochastic.maxMovePercent";

    private final MasterMeter meter = MasterMeter.shared();
    private final BalancerMetrics metrics = new BalancerMetrics();
    private final BalancerFailureHandler failures;
    private final ConfigProblemLog siteProblems = new ConfigProblemLog(LOG);
    private final ConfigProblemLog runProblems = new ConfigProblemLog(LOG);
    private final ConfigProblemLog hostProblems = new ConfigProblemLog(LOG);
    private final HearthStochasticBalancer balancer;
    private final HearthRegionLocationFinder finder;
    private final BalanceEngine engine;
    private final BalancerView view;
    private final StatePersister persister;
    private final BalancerRunner runs;
    private final SuspectProbe suspectProbe;
    private final HeatCostContext heatCosts;
    private final ClusterMetricsReader reports;
    private final HearthAssignment assignment;
    private volatile BalancerConfig config = BalancerConfig.read(SITE, new MapSettings(Map.of()), key -> true);
    private volatile ServerCapacities capacities = ServerCapacities.ALIKE;
    /**
     * For how long the master carries out the moves of a run, before it drops those that are left. At 0 and below it drops none and begins
     * all at once, whatever is in transition ({@code HMaster.executeRegionPlansWithThrottling}): then it is the default. Empty before it is
     * read.
     */
    private OptionalLong maxBalancingMs = OptionalLong.empty();

    private boolean stockLoadedAlone;
    /** Whether the table at hand has to wait for the next run. */
    private boolean isOutOfTime;

    private StockCosts stockCostsBefore = StockCosts.UNKNOWN;
    private volatile Map<ServerName, ServerMetrics> lastReports = Map.of();
    private List<ServerName> deadServers = List.of();
    private volatile CanaryTable canaryTable;
    private Optional<CanaryRun> canaries = Optional.empty();
    private Optional<String> brakeLogged = Optional.empty();

    HeatBalancing(HearthStochasticBalancer balancer) {
        this.balancer = balancer;
        failures = new BalancerFailureHandler(metrics, LOG, balancer::restIfLinkFailed);
        finder = new HearthRegionLocationFinder(
                EnvironmentEdgeManager::currentTime, failures, this::reportStaleLocality);
        engine = new BalanceEngine(config, balancer::plan);
        canaryTable = new CanaryTable(config.slo().canaryTable(), balancer::tableDescriptor);
        view = new BalancerView(
                engine,
                EnvironmentEdgeManager::currentTime,
                () -> lastReports,
                table -> canaryTable.test(table),
                balancer::whyResting);
        persister = new StatePersister(
                engine.heat(), this::storeIntervalMs, EnvironmentEdgeManager::currentTime, metrics::storeFailed, LOG);
        runs = new BalancerRunner(engine, metrics, LOG, EnvironmentEdgeManager::currentTime, balancer::nanoTime);
        suspectProbe = new SuspectProbe(engine.heat()::rpcStatsReceived, failures::suspects, SuspectProbe.LIMIT_MS);
        heatCosts = new HeatCostContext(engine, failures::cost);
        reports = new ClusterMetricsReader(OpenSeqNums.source(balancer::master));
        assignment = new HearthAssignment(
                new PlacementClusterView(balancer, table -> canaryTable.test(table), finder, metrics, failures, LOG));
        engine.excludedServers(servers -> MasterComponentRegistry.suspectDataNodes(balancer.getConf())
                .excluded(servers, assignment.excludedServers(servers)));
        engine.brake(this::brake);
        reports.leaveOut(table -> canaryTable.test(table));
        persister.section(
                "tracking",
                () -> engine.tracker().encode(EnvironmentEdgeManager.currentTime()),
                this::restoreTracker,
                MoveTracker::isNewer);
        persister.section("advice", engine.advice()::encode, engine.advice()::restore, AdviceLog::isNewer);
    }

    /** The plan for this snapshot. */
    Plan plan(ClusterState snapshot, PlanGoals goals) {
        DirectedPlanner planner = new DirectedPlanner(runs::searchMsLeft, balancer::nanoTime);
        return (runs.isOneOfMany() ? planner.inOneOrder() : planner).plan(snapshot, goals);
    }

    /** Loads the configuration, of the stock balancer too. */
    void loadConf(Configuration site) {
        lockedCallBegins();
        meter.underLock(MasterWork.PLANS, () -> load(site));
    }

    /** HBase makes a call with the balancer's lock held. */
    void lockedCallBegins() {
        meter.lockedCallBegins();
    }

    private void load(Configuration site) {
        showInJmx();
        readConfig(site);
        finder.setAssignedRegions(this::assignedRegions);
        loadStock(site);
        MasterComponentRegistry.registerBlocksMovedListener(balancer.getConf(), finder);
        MasterComponentRegistry.registerManualMoveListener(balancer.getConf(), engine.tracker());
        MasterComponentRegistry.registerRegionHeats(balancer.getConf(), engine.heat());
        MasterComponentRegistry.registerEngine(balancer.getConf(), engine);
        balancer.withdrawWhereItRests();
        keepForTheNextMaster();
    }

    /** Loads the stock balancer's configuration: with Hearth's costs where Hearth acts, with its own where it acts alone. */
    private void loadStock(Configuration site) {
        boolean alone = stockActsAlone();
        try {
            balancer.stockLoadConf(alone ? site : new StockBalancerConfiguration(site, config.goals(), heatCosts));
        } finally {
            // A stock value that can't be read ends a reload half-way, after the stock balancer has made a finder of
            // its own.
            if (config.enabled() && ObjectStoreRoot.of(site).isEmpty()) {
                balancer.useFinder(finder, site);
            }
            finder.setInUse(balancer.regionFinder == finder);
            assignment.configure(config, !alone, balancer.slop);
            stockLoadedAlone = alone;
        }
    }

    /** Who brakes and why; nobody does where the stock balancer acts alone. */
    private Optional<String> brake() {
        try {
            return stockActsAlone()
                    ? Optional.empty()
                    : MasterComponentRegistry.brake(
                            balancer.getConf(), TimeUnit.NANOSECONDS.toMillis(balancer.nanoTime()));
        } catch (Throwable failure) {
            failures.plan(failure);
            return Optional.empty();
        }
    }

    private boolean stockActsAlone() {
        return !config.enabled() || engine.tracker().stockActsAlone();
    }

    private void reportStaleLocality(EncodedRegionName away, String host) {
        MasterComponentRegistry.staleLocalityListener(balancer.getConf())
                .ifPresent(healer -> healer.localityStale(away, host));
    }

    private void showInJmx() {
        try {
            view.register();
            meter.showHeap(this::heapBytes);
            metrics.showSuspects(() -> engine.heat().suspects().size());
            metrics.showFlapping(() -> engine.flapping().size());
            metrics.showAdviceOnly(
                    () -> config.enabled() && engine.tracker().adviseOnly().isPresent());
            metrics.showResting(() -> balancer.whyResting().isPresent());
            metrics.showBraked(() -> brake().isPresent());
            metrics.showWithoutCanary(() -> engine.canaries()
                    .map(status -> status.placement().serversWithout())
                    .orElse(0));
        } catch (Throwable failure) {
            failures.view(failure);
        }
    }

    /** What is kept of each region, by what {@code bench heat} and {@code bench month} have measured. */
    private long heapBytes() {
        return engine.heat().size() * HEAP_BYTES_PER_REGION + finder.heapBytes();
    }

    /** Where Hearth rests nothing is learnt, and a file saved then would say that old heat is of now. */
    private long storeIntervalMs() {
        return config.enabled() && balancer.whyResting().isEmpty()
                ? config.heat().storeIntervalMs() * meter.stretch(MasterWork.STATE)
                : 0;
    }

    /** HBase loads the balancer's configuration on the active master, and again at each reload: only the first one starts it. */
    private void keepForTheNextMaster() {
        try {
            if (balancer.master().isPresent() && balancer.getConf().get(HConstants.HBASE_DIR) != null) {
                persister.start(balancer.getConf(), () -> balancer.master()
                        .filter(MasterServices::isStopped)
                        .isPresent());
            }
        } catch (Throwable failure) {
            failures.persister(failure);
        }
    }

    private void restoreTracker(byte[] bytes) {
        RestoreResult restored = engine.tracker().restore(bytes, EnvironmentEdgeManager.currentTime());
        LOG.info("What the last master remembered of moves and pins: {}.", restored.text());
    }

    private void readConfig(Configuration site) {
        try {
            readMaxBalancing(site);
            RawSettings raw = new ConfigurationSettings(site);
            config = BalancerConfig.read(SITE, raw, HeatBalancing::isKeyOfATableOrServer);
            capacities = ServerCapacities.read(SITE, raw);
            canaryTable = new CanaryTable(config.slo().canaryTable(), balancer::tableDescriptor);
            List<ConfigProblem> problems = new ArrayList<>(config.problems());
            problems.addAll(capacities.problems());
            metrics.configProblemsFound(siteProblems.report(problems));
            engine.configure(config, EnvironmentEdgeManager.currentTime());
            meter.configure(config.cpuShare());
            long readEveryMs = ClusterMetricsReader.readEveryMs(site);
            reports.readEvery(readEveryMs);
            finder.configure(config.locality());
            finder.readEvery(readEveryMs);
            if (config.enabled()) {
                ObjectStoreRoot.startupLogMessage(site).ifPresent(LOG::info);
            } else {
                LOG.info("Hearth's balancer is off: the stock balancer plans and acts alone, and nothing is recorded.");
            }
        } catch (Throwable failure) {
            metrics.configProblemsFound(1);
            if (!balancer.restIfLinkFailed(failure)) {
                LOG.error("Hearth's configuration could not be read: the last one that could holds.", failure);
            }
        }
    }

    /** Once: the HMaster reads it when it starts, and never again. */
    private void readMaxBalancing(Configuration site) {
        if (maxBalancingMs.isEmpty()) {
            int period = site.getInt(HConstants.HBASE_BALANCER_PERIOD, HConstants.DEFAULT_HBASE_BALANCER_PERIOD);
            int ms = site.getInt(HConstants.HBASE_BALANCER_MAX_BALANCING, period);
            maxBalancingMs = OptionalLong.of(ms > 0 ? ms : HConstants.DEFAULT_HBASE_BALANCER_PERIOD);
            engine.tracker().carriedOutWithin(maxBalancingMs.getAsLong());
        }
    }

    private static boolean isKeyOfATableOrServer(String key) {
        return TableWeights.isSiteKey(key) || ServerCapacities.isSiteKey(key);
    }

    private Collection<RegionInfo> assignedRegions() {
        return balancer.master()
                .map(MasterServices::getAssignmentManager)
                .<Collection<RegionInfo>>map(AssignmentManager::getAssignedRegions)
                .orElse(List.of());
    }

    /** Takes the reports that the stock balancer has been given; HBase gives none within a run. */
    void updateClusterMetrics(ClusterMetrics clusterMetrics) {
        runs.none();
        if (config.enabled()) {
            meter.underLock(MasterWork.REPORTS, () -> show(clusterMetrics));
        }
    }

    private void show(ClusterMetrics clusterMetrics) {
        try {
            runLessOften();
            lastReports = clusterMetrics.getLiveServerMetrics();
            deadServers = clusterMetrics.getDeadServerNames();
            runs.over(lastReports.keySet());
            reports.show(
                    clusterMetrics,
                    EnvironmentEdgeManager.currentTime(),
                    TimeUnit.NANOSECONDS.toMillis(balancer.nanoTime()));
            take(reports.due());
            askSuspects(clusterMetrics);
            logBrake();
        } catch (Throwable failure) {
            failures.reports(failure);
        }
    }

    /** The budget of the HMaster's processor time may have changed how often reports are read and blocks looked up. */
    private void runLessOften() {
        finder.stretch(meter.stretch(MasterWork.LOCALITY));
        long readEveryMs = ClusterMetricsReader.readEveryMs(balancer.getConf()) * meter.stretch(MasterWork.REPORTS);
        reports.readEvery(readEveryMs);
        engine.heat().readEvery(readEveryMs);
        assignment.readEvery(readEveryMs);
    }

    /** Once at the beginning and once at the end; a lease between two looks has held back no run. */
    private void logBrake() {
        Optional<String> why = brake();
        if (why.isPresent() && brakeLogged.isEmpty()) {
            LOG.info("Balancing rests, but for canary regions and regions without a server: {}.", why.get());
        } else if (why.isEmpty() && brakeLogged.isPresent()) {
            LOG.info("Balancing goes on: it is not braked any more.");
        }
        brakeLogged = why;
    }

    private void take(ReportBatch batch) {
        endFailedMoves();
        engine.observe(batch, reports.receivedMs(), reports.receivedMonotonicMs());
        runs.reported();
        failures.refused(engine.heat().takeRefused());
        assignment.suspected(Stream.concat(
                        engine.heat().suspects().stream().map(SuspectServer::server),
                        engine.flapping().keySet().stream())
                .collect(Collectors.toSet()));
        metrics.showServers(assignment.publish(batch, engine.heat(), server -> capacities.of(server.host())));
    }

    /** Before anybody is asked who has a region now: one that is back where it was looks as if its move had been dropped. */
    private void endFailedMoves() {
        long now = EnvironmentEdgeManager.currentTime();
        assignment.takeFailedOpens().forEach(failed -> engine.tracker()
                .openFailed(failed.region(), failed.server(), now));
    }

    /** Plans see all that was reported. */
    private void readRemainingReports() {
        try {
            reports.rest().ifPresent(this::take);
        } catch (Throwable failure) {
            failures.reports(failure);
        }
    }

    /** Only suspects are asked, and nobody waits for their answers. */
    private void askSuspects(ClusterMetrics clusterMetrics) {
        Set<ServerId> suspects = Set.copyOf(engine.heat().serversToProbe());
        if (!suspects.isEmpty()) {
            String scheme = balancer.getConf().getBoolean("hbase.ssl.enabled", false) ? "https" : "http";
            List<SuspectProbe.WebUi> webUis = new ArrayList<>();
            clusterMetrics.getLiveServerMetrics().forEach((server, ofServer) -> {
                if (suspects.contains(HBaseNames.server(server)) && ofServer.getInfoServerPort() > 0) {
                    webUis.add(SuspectProbe.WebUi.of(HBaseNames.server(server), scheme, ofServer.getInfoServerPort()));
                }
            });
            suspectProbe.ask(webUis, EnvironmentEdgeManager.currentTime());
        }
    }

    /** Begins a run, after the stock balancer has. */
    void preBalanceCluster(Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables) {
        runs.none();
        canaries = Optional.empty();
        lockedCallBegins();
        if (config.enabled()) {
            meter.underLock(MasterWork.PLANS, () -> beginRun(loadOfAllTables));
        }
    }

    private void beginRun(Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables) {
        try {
            logBrake();
            if (stockLoadedAlone != stockActsAlone()) {
                // A person has asked for advice only, or for the end of it.
                loadStock(balancer.getConf());
            }
            readRemainingReports();
            endFailedMoves();
            boolean hasCanaryTable = readTablesAndHosts();
            int maxMoves = config.search().movesWithin(maxBalancingMs.orElse(HConstants.DEFAULT_HBASE_BALANCER_PERIOD));
            if (hasCanaryTable) {
                placeCanaries(loadOfAllTables, maxMoves);
            } else {
                engine.canariesPlaced(Optional.empty());
            }
            int canaryMoves =
                    canaries.map(run -> run.placement().moves().size()).orElse(0);
            runs.started(
                    canaries.map(CanaryRun::loadWithoutCanaries).orElse(loadOfAllTables),
                    new BalancerRunner.Limits(
                            balancer.slop,
                            balancer.getConf().getFloat(MAX_MOVE_PERCENT, 1f),
                            config.search().deadlineMs(),
                            maxMoves - canaryMoves),
                    new ServerAttributes(capacities, this::rack),
                    finder::localBytes);
        } catch (Throwable failure) {
            failures.plan(failure);
            loadOfAllTables.forEach((table, loadOfOneTable) -> notPlanned(table, loadOfOneTable, PLAN_FAILED));
        }
    }

    /** Where the stock balancer acts alone it moves canary regions like any other, and Hearth's advice is about the others only. */
    private void placeCanaries(Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables, int maxMoves) {
        canaries = CanaryRun.of(
                canaryTable.name(),
                loadOfAllTables,
                servers -> assignment.excludedServers(servers).keySet(),
                stockActsAlone() ? 0 : maxMoves);
        canaries.ifPresent(run -> run.show(engine, metrics, LOG));
    }

    /** What the tables say of themselves, and which capacities are of no server. Returns whether one of them is the canary table. */
    private boolean readTablesAndHosts() throws IOException {
        RawSettings site = new ConfigurationSettings(balancer.getConf());
        Collection<TableDescriptor> tables = balancer.tableDescriptors();
        TableWeights weights = TableWeightsReader.read(SITE, site, tables);
        TableBudgets budgets = TableWeightsReader.readBudgets(SITE, site, tables);
        engine.tables(weights, budgets);
        HealingAvailability healingAvailability = MasterComponentRegistry.healingAvailability(balancer.getConf());
        engine.neverHealed(tables.stream()
                .map(table -> HBaseNames.table(table.getTableName()))
                .filter(table -> !healingAvailability.isHealed(table))
                .collect(Collectors.toSet()));
        List<ConfigProblem> problems = new ArrayList<>(weights.problems());
        problems.addAll(budgets.problems());
        Optional<CanaryMark> canaryMark = tables.stream()
                .filter(table -> table.getTableName().equals(canaryTable.name()))
                .map(CanaryTable::mark)
                .findFirst();
        canaryMark.ifPresent(mark -> problems.addAll(mark.problems()));
        metrics.configProblemsFound(runProblems.report(problems));
        // Told, and not counted: after a failover nobody knows of a server that is down for a day.
        hostProblems.report(capacities.unknownHosts(knownHosts()));
        return canaryMark.filter(CanaryMark::isCanary).isPresent();
    }

    /** The hosts of the servers of all groups; one that is restarted is dead meanwhile. */
    private List<String> knownHosts() {
        return Stream.concat(lastReports.keySet().stream(), deadServers.stream())
                .map(ServerName::getHostname)
                .toList();
    }

    /** Canary regions apart: neither plan, of Hearth's nor of the stock balancer's, knows of them. */
    List<RegionPlan> balanceTable(TableName table, Map<ServerName, List<RegionInfo>> loadOfOneTable) {
        if (canaries.isEmpty() || stockActsAlone()) {
            return balanceOthers(table, loadOfOneTable);
        }
        Map<ServerName, List<RegionInfo>> others = canaries.get().without(loadOfOneTable);
        List<RegionPlan> moves = new ArrayList<>(canaries.get().movesIn(table));
        if (!others.values().stream().allMatch(List::isEmpty)) {
            List<RegionPlan> ofOthers = balanceOthers(table, others);
            moves.addAll(ofOthers == null ? List.of() : ofOthers);
        }
        return moves;
    }

    private List<RegionPlan> balanceOthers(TableName table, Map<ServerName, List<RegionInfo>> loadOfOneTable) {
        Optional<HearthPlan> ours = meter.underLock(MasterWork.PLANS, () -> hearthPlan(table, loadOfOneTable));
        if (ours.filter(HearthPlan::isCarriedOut).isPresent()) {
            showStockCosts(table, loadOfOneTable);
            return runs.applied(ours.get().regionPlans());
        }
        if (brake().isPresent()) {
            return new ArrayList<>();
        }
        heatCosts.searchBegins(
                ours.isPresent(),
                ours.filter(HearthPlan::evensCounts).isPresent(),
                keepsUnevenCounts(ours, loadOfOneTable.keySet()));
        stockCostsBefore = StockCosts.UNKNOWN;
        List<RegionPlan> stock = stockPlan(table, loadOfOneTable);
        return meter.underLock(MasterWork.PLANS, () -> {
            List<RegionPlan> moves = ours.isPresent() ? allowed(ours.get(), stock) : allowedUnplanned(table, stock);
            metrics.stockMoves(moves == null ? 0 : moves.size());
            return runs.applied(moves);
        });
    }

    /**
     * Whether Hearth keeps numbers of regions uneven for reasons that the stock balancer does not know: what is fair goes by capacity, or
     * heat leaves a server with fewer regions than slop allows. Capacities hold also for a table for which a run has no time left; where
     * Hearth can't plan, the stock balancer's numbers are better than none.
     */
    private boolean keepsUnevenCounts(Optional<HearthPlan> ours, Collection<ServerName> servers) {
        try {
            boolean areFew = ours.filter(HearthPlan::evensCounts)
                    .filter(plan -> plan.decision().plan().counts().fewForHeat())
                    .isPresent();
            boolean goByCapacity = (ours.isPresent() || isOutOfTime) && !stockLoadedAlone;
            return areFew || (goByCapacity && !capacities.areAlike(hosts(servers)));
        } catch (Throwable failure) {
            failures.cost(failure);
            return false;
        }
    }

    private static List<String> hosts(Collection<ServerName> servers) {
        return servers.stream().map(ServerName::getHostname).toList();
    }

    /** Where numbers of regions are as stock would not have them, its costs of them are suspended for the whole search. */
    private List<RegionPlan> stockPlan(TableName table, Map<ServerName, List<RegionInfo>> loadOfOneTable) {
        SuspendedCountCost aside = suspended(heatCosts.keepsUnevenCounts(), SuspendedCountCost::ofAllCounts);
        try {
            return meter.notOurs(() -> balancer.stockBalanceTable(table, loadOfOneTable));
        } finally {
            aside.putBack();
        }
    }

    boolean needsBalance(TableName table, BalancerClusterState cluster) {
        stockCostsBefore = currentStockCosts();
        heatCosts.setInNeedsBalance(true);
        SuspendedCountCost aside = suspended(heatCosts.ownsRegionCounts(), SuspendedCountCost::ofCounts);
        float ofSite = balancer.slop;
        balancer.slop = heatCosts.keepsUnevenCounts() ? NO_SLOP : ofSite;
        try {
            return balancer.stockNeedsBalance(table, cluster);
        } finally {
            balancer.slop = ofSite;
            aside.putBack();
            heatCosts.setInNeedsBalance(false);
        }
    }

    /** What the stock balancer's costs are of the assignments that it looks at, where it is to be explained. */
    private StockCosts currentStockCosts() {
        try {
            return stockLoadedAlone && config.enabled()
                    ? StockCosts.of(StockCosts.functions(balancer))
                    : StockCosts.UNKNOWN;
        } catch (Throwable failure) {
            failures.cost(failure);
            return StockCosts.UNKNOWN;
        }
    }

    /** What {@code costs} suspends of stock's costs, if it is to; nothing where that fails. */
    private SuspendedCountCost suspended(boolean isSuspended, Function<List<CostFunction>, SuspendedCountCost> costs) {
        try {
            return isSuspended ? costs.apply(StockCosts.functions(balancer)) : SuspendedCountCost.none();
        } catch (Throwable failure) {
            failures.cost(failure);
            return SuspendedCountCost.none();
        }
    }

    /** Hearth's plan for this table; empty where it is not ours to plan, or where anything failed. */
    private Optional<HearthPlan> hearthPlan(TableName table, Map<ServerName, List<RegionInfo>> loadOfOneTable) {
        isOutOfTime = false;
        if (!runs.isUnderWay()) {
            return Optional.empty();
        }
        if (loadOfOneTable.size() < HearthStochasticBalancer.MIN_SERVER_BALANCE) {
            return notPlanned(
                    table,
                    loadOfOneTable,
                    "a plan needs two servers, and there is "
                            + loadOfOneTable.keySet().stream()
                                    .findFirst()
                                    .map(only -> "only " + only)
                                    .orElse("none"));
        }
        // A master that carries regions (deprecated in HBase) has rules of its own, which the stock balancer knows.
        if (balancer.isMasterAmong(loadOfOneTable.keySet())) {
            return notPlanned(
                    table, loadOfOneTable, "the HMaster carries regions, which is left to the stock balancer");
        }
        try {
            isOutOfTime = !runs.hasTimeFor(table);
            if (isOutOfTime) {
                return notPlanned(table, loadOfOneTable, "the run had no time left (hearth.balancer.plan.deadline.ms)");
            }
            HearthPlan ours = runs.plan(table);
            showCosts(table, ours.decision().plan());
            if (ours.isCarriedOut()) {
                balancer.recordDecision(
                        () -> BalancerDecisionRecords.decision(ours.decision().plan(), ours.regionPlans()));
            }
            return Optional.of(ours);
        } catch (Throwable failure) {
            failures.plan(failure);
            return notPlanned(table, loadOfOneTable, PLAN_FAILED);
        }
    }

    private Optional<HearthPlan> notPlanned(
            TableName table, Map<ServerName, List<RegionInfo>> loadOfOneTable, String why) {
        engine.notPlanned(
                table.getNameAsString(),
                () -> loadOfOneTable.keySet().stream().map(HBaseNames::server).collect(Collectors.toSet()),
                why);
        return Optional.empty();
    }

    private void showCosts(TableName table, Plan plan) {
        plan.outcomeByDimension()
                .forEach((dimension, outcome) -> balancer.updateCost(
                        table.getNameAsString(),
                        "HearthMaxOverMean_" + dimension.name(),
                        "Max/mean of " + dimension.label() + " over the servers",
                        outcome.maxOverMeanBefore()));
    }

    /** The stock balancer shows its costs when it searches, or when no balancer ran: with a plan of ours it does neither. */
    private void showStockCosts(TableName table, Map<ServerName, List<RegionInfo>> loadOfOneTable) {
        try {
            balancer.updateBalancerLoadInfo(Map.of(table, loadOfOneTable));
        } catch (Throwable failure) {
            failures.cost(failure);
        }
    }

    private String rack(String host) {
        return balancer.rackManager == null
                ? ServerState.UNKNOWN_RACK
                : balancer.rackManager.getRack(ServerName.valueOf(host, 1, 1));
    }

    /** What of the stock balancer's plan is carried out: all of it where Hearth only advises because a person wants it so. */
    private List<RegionPlan> allowed(HearthPlan ours, List<RegionPlan> stock) {
        if (ours.decision().nothingMoves()) {
            runs.logNothingMoves(ours.decision());
            return new ArrayList<>();
        }
        try {
            if (ours.isAdviceOnly()) {
                List<RegionPlan> moves = stock == null ? List.of() : stock;
                runs.compare(ours, moves, stockCostsBefore.to(currentStockCosts(), moves.size()));
                balancer.recordRejection(() -> BalancerDecisionRecords.rejection(ours.decision()));
            }
            return ours.stockActsAlone() || stock == null || stock.isEmpty()
                    ? stock
                    : runs.reviewed(
                            ours, stock, why -> balancer.recordRejection(() -> BalancerDecisionRecords.refusal(why)));
        } catch (Throwable failure) {
            failures.plan(failure);
            return stock;
        }
    }

    /** The same where Hearth has no plan: what binds stock's plans binds them beyond the deadline too. */
    private List<RegionPlan> allowedUnplanned(TableName table, List<RegionPlan> stock) {
        if (!runs.isLeft(table) || stock == null || stock.isEmpty()) {
            return stock;
        }
        try {
            return runs.reviewedUnplanned(
                    table, stock, why -> balancer.recordRejection(() -> BalancerDecisionRecords.refusal(why)));
        } catch (Throwable failure) {
            failures.plan(failure);
            return stock;
        }
    }

    /** By {@link HearthAssignment}, as the two that follow. */
    Map<ServerName, List<RegionInfo>> roundRobinAssignment(
            List<RegionInfo> regions, List<ServerName> servers, StockAssignment<List<RegionInfo>> stock)
            throws HBaseIOException {
        return meter.withoutLock(
                MasterWork.PLACEMENT,
                () -> assignment.roundRobinAssignment(
                        regions, servers, (some, among) -> meter.notOurs(() -> stock.assign(some, among))));
    }

    Map<ServerName, List<RegionInfo>> retainAssignment(
            Map<RegionInfo, ServerName> regions,
            List<ServerName> servers,
            StockAssignment<Map<RegionInfo, ServerName>> stock)
            throws HBaseIOException {
        return meter.withoutLock(
                MasterWork.PLACEMENT,
                () -> assignment.retainAssignment(
                        regions, servers, (some, among) -> meter.notOurs(() -> stock.assign(some, among))));
    }

    ServerName randomAssignment(RegionInfo region, List<ServerName> servers, StockRandomAssignment stock)
            throws HBaseIOException {
        return meter.withoutLock(
                MasterWork.PLACEMENT,
                () -> assignment.randomAssignment(
                        region, servers, (one, among) -> meter.notOurs(() -> stock.assign(one, among))));
    }

    /** Ends what runs by itself. */
    void close() {
        persister.close();
        finder.close();
        suspectProbe.close();
    }
}
