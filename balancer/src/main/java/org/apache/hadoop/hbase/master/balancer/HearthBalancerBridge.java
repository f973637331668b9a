package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.ConfigProblem;
import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.config.RawSettings;
import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.cost.TableBudgets;
import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.balancer.hbase.BalancerView;
import io.hearth.balancer.hbase.ClusterMetricsReader;
import io.hearth.balancer.hbase.ConfigProblemLog;
import io.hearth.balancer.hbase.ConfigurationSettings;
import io.hearth.balancer.hbase.HeatKeeper;
import io.hearth.balancer.hbase.MasterLinks;
import io.hearth.balancer.hbase.Names;
import io.hearth.balancer.hbase.SuspectProbe;
import io.hearth.balancer.hbase.TableWeightsReader;
import io.hearth.balancer.ingest.RegionReport;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.locality.HealForecast;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.search.DirectedPlanner;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.ServerState;
import io.hearth.balancer.steering.Restored;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.balancer.HeatRuns.OurPlan;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stock balancer with Hearth's heat beside it: it stands in HBase's own package because what it must reach is visible
 * there only. Operators name {@code io.hearth.balancer.HearthLoadBalancer}.
 *
 * <p>Heat first: where a dimension of heat is above its trigger, Hearth's plan is the plan of the run. Otherwise the stock
 * search decides, with heat costs in the place of its own read, write and store file costs; what it may not move, and a plan
 * of it that would make even heat uneven, is left out. Whatever fails on our side is counted and logged, and the stock plan is
 * used.
 *
 * <p>HBase calls it under the balancer's lock, but for the assignments, which are called by any thread.
 */
@NullMarked
public abstract class HearthBalancerBridge extends HBaseLineBalancer {

    private static final Logger LOG = LoggerFactory.getLogger("io.hearth.balancer.HearthLoadBalancer");
    private static final String SITE = "hbase-site.xml";
    private static final String MAX_MOVE_PERCENT = "hbase.master.balancer.stochastic.maxMovePercent";

    private final LongSupplier nanos = System::nanoTime;
    private final BalancerMetrics metrics = new BalancerMetrics();
    private final HeatFailures failures = new HeatFailures(metrics, LOG);
    private final ConfigProblemLog siteProblems = new ConfigProblemLog(LOG);
    private final ConfigProblemLog tableProblems = new ConfigProblemLog(LOG);
    private final HearthRegionLocationFinder finder =
            new HearthRegionLocationFinder(EnvironmentEdgeManager::currentTime, failures, this::tellHealer);
    private volatile BalancerConfig config = BalancerConfig.read(SITE, new MapSettings(Map.of()), key -> true);
    private ServerCapacities capacities = ServerCapacities.ALIKE;
    private boolean stockLoadedAlone;
    private StockCosts stockCostsBefore = StockCosts.UNKNOWN;
    private final BalanceEngine engine = new BalanceEngine(config, this::plan);
    private final BalancerView view = new BalancerView(engine, EnvironmentEdgeManager::currentTime);
    private final HeatKeeper keeper = new HeatKeeper(
            engine.heat(), this::storeIntervalMs, EnvironmentEdgeManager::currentTime, metrics::storeFailed, LOG);
    private final HeatRuns runs = new HeatRuns(engine, metrics, LOG, EnvironmentEdgeManager::currentTime, nanos);
    private final SuspectProbe suspectProbe = new SuspectProbe(engine.heat()::told, SuspectProbe.LIMIT_MS);
    private final StockSearchHeat searchHeat = new StockSearchHeat(engine, failures::cost);
    private final HearthAssignment assignment =
            new HearthAssignment(new CachedCluster(this, finder, metrics, failures, LOG));

    protected HearthBalancerBridge() {
        engine.closedServers(assignment::closedServers);
        keeper.section(
                "steering",
                () -> engine.steering().encode(EnvironmentEdgeManager.currentTime()),
                this::restoreSteering);
        keeper.section("advice", engine.advice()::encode, engine.advice()::restore);
    }

    /** The plan for this snapshot. A test may override it to fail. */
    protected Plan plan(ClusterSnapshot snapshot, PlanGoals goals) {
        return new DirectedPlanner(runs::searchMsLeft, nanos).plan(snapshot, goals);
    }

    @Override
    protected void loadConf(Configuration site) {
        readConfig(site);
        finder.setAssignedRegions(this::assignedRegions);
        loadStock(site);
        MasterLinks.offerLocalityRefresh(getConf(), finder);
        MasterLinks.offerHandMoves(getConf(), engine.steering());
        MasterLinks.offerRegionHeats(getConf(), engine.heat());
        MasterLinks.offerEngine(getConf(), engine);
        showInJmx();
        keepForTheNextMaster();
    }

    /** Loads the stock balancer's configuration: with Hearth's costs where Hearth acts, with its own where it acts alone. */
    private void loadStock(Configuration site) {
        boolean alone = stockActsAlone();
        try {
            super.loadConf(alone ? site : new HeatConfiguration(site, config.goals(), searchHeat));
        } finally {
            // A stock value that can't be read ends a reload half-way, after the stock balancer has made a finder of
            // its own.
            if (config.enabled()) {
                useFinder(finder, site);
            }
            finder.setInUse(regionFinder == finder);
            assignment.configure(config, !alone, slop);
            stockLoadedAlone = alone;
        }
    }

    private boolean stockActsAlone() {
        return !config.enabled() || engine.steering().stockActsAlone();
    }

    private void tellHealer(RegionId away, String host) {
        MasterLinks.homeDoubt(getConf()).ifPresent(healer -> healer.isAwayThoughReportedHome(away, host));
    }

    private void showInJmx() {
        try {
            view.register();
            metrics.showSuspects(() -> engine.heat().suspects().size());
            metrics.showAdviceOnly(
                    () -> config.enabled() && engine.steering().adviseOnly().isPresent());
        } catch (Throwable failure) {
            failures.view(failure);
        }
    }

    private long storeIntervalMs() {
        return config.enabled() ? config.heat().storeIntervalMs() : 0;
    }

    /** HBase loads the balancer's configuration on the active master, and again at each reload: only the first one starts it. */
    private void keepForTheNextMaster() {
        try {
            if (master().isPresent() && getConf().get(HConstants.HBASE_DIR) != null) {
                keeper.start(getConf(), () -> master().filter(MasterServices::isStopped)
                        .isPresent());
            }
        } catch (Throwable failure) {
            failures.keeper(failure);
        }
    }

    private void restoreSteering(byte[] bytes) {
        Restored restored = engine.steering().restore(bytes, EnvironmentEdgeManager.currentTime());
        LOG.info("What the last master remembered of moves and pins: {}.", restored.text());
    }

    private void readConfig(Configuration site) {
        try {
            RawSettings raw = new ConfigurationSettings(site);
            config = BalancerConfig.read(SITE, raw, HearthBalancerBridge::isKeyOfATableOrServer);
            capacities = ServerCapacities.read(SITE, raw);
            List<ConfigProblem> problems = new ArrayList<>(config.problems());
            problems.addAll(capacities.problems());
            metrics.configProblemsFound(siteProblems.report(problems));
            engine.configure(config, EnvironmentEdgeManager.currentTime());
            finder.configure(config.locality());
            if (!config.enabled()) {
                LOG.info("Hearth's balancer is off: the stock balancer plans and acts alone, and nothing is recorded.");
            }
        } catch (Throwable failure) {
            metrics.configProblemsFound(1);
            LOG.error("Hearth's configuration could not be read: the last one that could holds.", failure);
        }
    }

    private static boolean isKeyOfATableOrServer(String key) {
        return TableWeights.isSiteKey(key) || ServerCapacities.isSiteKey(key);
    }

    private Collection<RegionInfo> assignedRegions() {
        return master().map(MasterServices::getAssignmentManager)
                .<Collection<RegionInfo>>map(AssignmentManager::getAssignedRegions)
                .orElse(List.of());
    }

    @Override
    public synchronized void updateClusterMetrics(ClusterMetrics clusterMetrics) {
        super.updateClusterMetrics(clusterMetrics);
        if (!config.enabled()) {
            return;
        }
        try {
            List<ServerReport> reports = ClusterMetricsReader.read(clusterMetrics, this::openSequenceOrUnknown);
            engine.observe(reports, EnvironmentEdgeManager.currentTime());
            runs.reported();
            failures.refused(engine.heat().takeRefused());
            askSuspects(clusterMetrics);
            assignment.publish(reports, engine::load, server -> capacities.of(server.host()));
        } catch (Throwable failure) {
            failures.reports(failure);
        }
    }

    /** Only suspects are asked, and nobody waits for their answers. */
    private void askSuspects(ClusterMetrics clusterMetrics) {
        Set<ServerId> suspects = Set.copyOf(engine.heat().serversToAsk());
        if (!suspects.isEmpty()) {
            String scheme = getConf().getBoolean("hbase.ssl.enabled", false) ? "https" : "http";
            List<SuspectProbe.WebUi> webUis = new ArrayList<>();
            clusterMetrics.getLiveServerMetrics().forEach((server, ofServer) -> {
                if (suspects.contains(Names.server(server)) && ofServer.getInfoServerPort() > 0) {
                    webUis.add(SuspectProbe.WebUi.of(Names.server(server), scheme, ofServer.getInfoServerPort()));
                }
            });
            suspectProbe.ask(webUis, EnvironmentEdgeManager.currentTime());
        }
    }

    private long openSequenceOrUnknown(ServerName server, String encodedName) {
        return openSequence(server, encodedName).orElse(RegionReport.UNKNOWN);
    }

    @Override
    protected void preBalanceCluster(Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables) {
        super.preBalanceCluster(loadOfAllTables);
        runs.none();
        if (!config.enabled()) {
            return;
        }
        try {
            if (stockLoadedAlone != stockActsAlone()) {
                // A person has asked for advice only, or for the end of it.
                loadStock(getConf());
            }
            readTables();
            runs.started(
                    loadOfAllTables,
                    new HeatRuns.Limits(
                            slop,
                            getConf().getFloat(MAX_MOVE_PERCENT, 1f),
                            config.search().deadlineMs(),
                            config.search().movesWithin(maxBalancingMs())),
                    new ServerFacts(capacities, this::rack),
                    finder::localBytes);
        } catch (Throwable failure) {
            failures.plan(failure);
        }
    }

    /** For how long the master carries out the moves of a run, before it drops those that are left. */
    private long maxBalancingMs() {
        return getConf()
                .getInt(
                        HConstants.HBASE_BALANCER_MAX_BALANCING,
                        getConf().getInt(HConstants.HBASE_BALANCER_PERIOD, HConstants.DEFAULT_HBASE_BALANCER_PERIOD));
    }

    private void readTables() throws IOException {
        RawSettings site = new ConfigurationSettings(getConf());
        Collection<TableDescriptor> tables = tableDescriptors();
        TableWeights weights = TableWeightsReader.read(SITE, site, tables);
        TableBudgets budgets = TableWeightsReader.readBudgets(SITE, site, tables);
        engine.tables(weights, budgets);
        HealForecast forecast = MasterLinks.healForecast(getConf());
        engine.neverHealed(tables.stream()
                .map(table -> Names.table(table.getTableName()))
                .filter(table -> !forecast.isHealed(table))
                .collect(Collectors.toSet()));
        List<ConfigProblem> problems = new ArrayList<>(weights.problems());
        problems.addAll(budgets.problems());
        metrics.configProblemsFound(tableProblems.report(problems));
    }

    @Override
    protected List<RegionPlan> balanceTable(TableName table, Map<ServerName, List<RegionInfo>> loadOfOneTable) {
        Optional<OurPlan> ours = ourPlan(table, loadOfOneTable);
        if (ours.filter(OurPlan::isCarriedOut).isPresent()) {
            showStockCosts(table, loadOfOneTable);
            return runs.applied(ours.get().regionPlans());
        }
        searchHeat.searchBegins(
                ours.isPresent(), ours.filter(OurPlan::evensCounts).isPresent());
        stockCostsBefore = StockCosts.UNKNOWN;
        List<RegionPlan> stock = super.balanceTable(table, loadOfOneTable);
        return runs.applied(ours.isEmpty() ? stock : allowed(ours.get(), stock));
    }

    @Override
    boolean needsBalance(TableName table, BalancerClusterState cluster) {
        stockCostsBefore = currentStockCosts();
        searchHeat.asksWhetherToSearch(true);
        CountsAside aside = countsAside();
        try {
            return super.needsBalance(table, cluster);
        } finally {
            aside.putBack();
            searchHeat.asksWhetherToSearch(false);
        }
    }

    /** What the stock balancer's costs are of the assignments that it looks at, where it is to be explained. */
    private StockCosts currentStockCosts() {
        try {
            return stockLoadedAlone && config.enabled() ? StockCosts.of(stockCosts()) : StockCosts.UNKNOWN;
        } catch (Throwable failure) {
            failures.cost(failure);
            return StockCosts.UNKNOWN;
        }
    }

    private CountsAside countsAside() {
        try {
            return CountsAside.of(searchHeat.countsAreOurs() ? stockCosts() : List.of());
        } catch (Throwable failure) {
            failures.cost(failure);
            return CountsAside.of(List.of());
        }
    }

    /** Hearth's plan for this table; empty where it is not ours to plan, or where anything failed. */
    private Optional<OurPlan> ourPlan(TableName table, Map<ServerName, List<RegionInfo>> loadOfOneTable) {
        // A master that carries regions (deprecated in HBase) has rules of its own, which the stock balancer knows.
        if (!runs.isUnderWay()
                || loadOfOneTable.size() < MIN_SERVER_BALANCE
                || isMasterAmong(loadOfOneTable.keySet())) {
            return Optional.empty();
        }
        try {
            if (!runs.hasTimeFor(table)) {
                return Optional.empty();
            }
            OurPlan ours = runs.plan(table);
            showCosts(table, ours.decision().plan());
            if (ours.isCarriedOut()) {
                recordDecision(() -> PlanRecords.decision(ours.decision().plan(), ours.regionPlans()));
            }
            return Optional.of(ours);
        } catch (Throwable failure) {
            failures.plan(failure);
            return Optional.empty();
        }
    }

    private void showCosts(TableName table, Plan plan) {
        plan.outcomeByDimension()
                .forEach((dimension, outcome) -> updateCost(
                        table.getNameAsString(),
                        "HearthMaxOverMean_" + dimension.name(),
                        "Max/mean of " + dimension.label() + " over the servers",
                        outcome.maxOverMeanBefore()));
    }

    /** The stock balancer shows its costs when it searches, or when no balancer ran: with a plan of ours it does neither. */
    private void showStockCosts(TableName table, Map<ServerName, List<RegionInfo>> loadOfOneTable) {
        try {
            updateBalancerLoadInfo(Map.of(table, loadOfOneTable));
        } catch (Throwable failure) {
            failures.cost(failure);
        }
    }

    private String rack(String host) {
        return rackManager == null ? ServerState.UNKNOWN_RACK : rackManager.getRack(ServerName.valueOf(host, 1, 1));
    }

    /** What of the stock balancer's plan is carried out: all of it where Hearth only advises because a person wants it so. */
    private List<RegionPlan> allowed(OurPlan ours, List<RegionPlan> stock) {
        if (ours.decision().nothingMoves()) {
            runs.standsStill(ours.decision());
            return new ArrayList<>();
        }
        try {
            if (ours.isAdviceOnly()) {
                List<RegionPlan> moves = stock == null ? List.of() : stock;
                runs.compare(ours, moves, stockCostsBefore.to(currentStockCosts(), moves.size()));
                recordRejection(() -> PlanRecords.rejection(ours.decision()));
            }
            return ours.stockActsAlone() || stock == null || stock.isEmpty()
                    ? stock
                    : runs.reviewed(ours, stock, why -> recordRejection(() -> PlanRecords.refusal(why)));
        } catch (Throwable failure) {
            failures.plan(failure);
            return stock;
        }
    }

    @Override
    public Map<ServerName, List<RegionInfo>> roundRobinAssignment(List<RegionInfo> regions, List<ServerName> servers)
            throws HBaseIOException {
        return assignment.roundRobinAssignment(regions, servers, super::roundRobinAssignment);
    }

    @Override
    public Map<ServerName, List<RegionInfo>> retainAssignment(
            Map<RegionInfo, ServerName> regions, List<ServerName> servers) throws HBaseIOException {
        return assignment.retainAssignment(regions, servers, super::retainAssignment);
    }

    @Override
    public ServerName randomAssignment(RegionInfo region, List<ServerName> servers) throws HBaseIOException {
        return assignment.randomAssignment(region, servers, super::randomAssignment);
    }

    @Override
    public void stop(String why) {
        keeper.close();
        finder.close();
        suspectProbe.close();
        super.stop(why);
    }
}
