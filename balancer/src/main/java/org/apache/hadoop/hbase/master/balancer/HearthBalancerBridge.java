package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.balancer.hbase.ClusterMetricsReader;
import io.hearth.balancer.hbase.ConfigProblemLog;
import io.hearth.balancer.hbase.ConfigurationSettings;
import io.hearth.balancer.hbase.MasterLinks;
import io.hearth.balancer.hbase.SnapshotReader;
import io.hearth.balancer.hbase.TableWeightsReader;
import io.hearth.balancer.heat.HeatModel;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.search.DirectedPlanner;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.LocalBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stock balancer with Hearth's heat beside it: it stands in HBase's own package because what it must reach is visible
 * there only. Operators name {@code io.hearth.balancer.HearthLoadBalancer}.
 *
 * <p>Heat first: where a dimension of heat is above its trigger, Hearth's plan is the plan of the run. Otherwise the stock
 * search decides, with heat costs in the place of its own read, write and store file costs, and with {@code HeatGuard} to
 * refuse what would make even heat uneven. Whatever fails on our side is counted and logged, and the stock plan is used.
 *
 * <p>HBase calls it under the balancer's lock; fields that other threads read are volatile.
 */
public abstract class HearthBalancerBridge extends HBaseLineBalancer {

    private static final Logger LOG = LoggerFactory.getLogger("io.hearth.balancer.HearthLoadBalancer");
    private static final String SITE = "hbase-site.xml";

    private final BalancerMetrics metrics = new BalancerMetrics();
    private final HeatFailures failures = new HeatFailures(metrics, LOG);
    private final ConfigProblemLog siteProblems = new ConfigProblemLog(LOG);
    private final ConfigProblemLog tableProblems = new ConfigProblemLog(LOG);
    private final HearthRegionLocationFinder finder =
            new HearthRegionLocationFinder(EnvironmentEdgeManager::currentTime, failures::locality);
    private BalancerConfig config = BalancerConfig.read(SITE, new MapSettings(Map.of()), key -> true);
    private final HeatModel heat = new HeatModel(config.heat());
    private volatile TableWeights weights = TableWeights.DEFAULTS;
    private final HearthAssignment assignment = new HearthAssignment(new CachedCluster());
    private Optional<HeatPlanning> run = Optional.empty();

    /** The plan for this snapshot. A test may override it to fail. */
    protected Plan plan(ClusterSnapshot snapshot, PlanGoals goals) {
        return new DirectedPlanner().plan(snapshot, goals);
    }

    @Override
    protected void loadConf(Configuration site) {
        readConfig(site);
        super.loadConf(withHeatCosts(site));
        useFinder(finder, site);
        MasterLinks.offerLocalityRefresh(getConf(), finder);
    }

    private void readConfig(Configuration site) {
        try {
            config = BalancerConfig.read(SITE, new ConfigurationSettings(site), TableWeights::isSiteKey);
            metrics.configProblemsFound(siteProblems.report(config.problems()));
            heat.configure(config.heat());
            if (!config.enabled()) {
                LOG.info("hearth.balancer.enabled is false: plans and costs are those of the stock balancer.");
            }
        } catch (Throwable failure) {
            metrics.configProblemsFound(1);
            LOG.error("Hearth's configuration could not be read: the last one that could holds.", failure);
        }
    }

    private Configuration withHeatCosts(Configuration site) {
        return config.enabled() ? new HeatConfiguration(site, config.goals(), new CountedRegionLoads()) : site;
    }

    @Override
    public synchronized void updateClusterMetrics(ClusterMetrics clusterMetrics) {
        super.updateClusterMetrics(clusterMetrics);
        try {
            heat.update(ClusterMetricsReader.read(clusterMetrics), EnvironmentEdgeManager.currentTime());
        } catch (Throwable failure) {
            failures.reports(failure);
        }
    }

    @Override
    protected void preBalanceCluster(Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables) {
        super.preBalanceCluster(loadOfAllTables);
        run = Optional.empty();
        if (!config.enabled()) {
            return;
        }
        try {
            readWeights();
            run = Optional.of(new HeatPlanning(heat, weights, goals(loadOfAllTables), loadOfAllTables));
        } catch (Throwable failure) {
            failures.plan(failure);
        }
    }

    private void readWeights() throws IOException {
        weights = TableWeightsReader.read(SITE, new ConfigurationSettings(getConf()), tableDescriptors());
        metrics.configProblemsFound(tableProblems.report(weights.problems()));
    }

    private PlanGoals goals(Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables) {
        int regions = loadOfAllTables.values().stream()
                .flatMap(ofTable -> ofTable.values().stream())
                .mapToInt(List::size)
                .sum();
        // As in the stock MoveCostFunction: a share of all regions, but at least 600.
        float percent = getConf().getFloat("hbase.master.balancer.stochastic.maxMovePercent", 1f);
        return HeatPlanning.goals(config.goals(), slop, Math.max((int) (regions * percent), 600));
    }

    @Override
    protected List<RegionPlan> balanceTable(TableName table, Map<ServerName, List<RegionInfo>> loadOfOneTable) {
        List<RegionPlan> ours = planByHeat(table, loadOfOneTable);
        List<RegionPlan> chosen = ours.isEmpty() ? guarded(table, super.balanceTable(table, loadOfOneTable)) : ours;
        if (chosen != null) {
            run.ifPresent(planning -> planning.apply(chosen));
        }
        return chosen;
    }

    /** Hearth's plans for this table; none where heat is even enough or anything failed. */
    private List<RegionPlan> planByHeat(TableName table, Map<ServerName, List<RegionInfo>> loadOfOneTable) {
        // A master that carries regions (deprecated in HBase) has rules of its own, which the stock balancer knows.
        if (run.isEmpty() || loadOfOneTable.size() < MIN_SERVER_BALANCE || isMasterAmong(loadOfOneTable.keySet())) {
            return List.of();
        }
        try {
            ClusterSnapshot snapshot = run.get().snapshot(table);
            Plan plan = plan(snapshot, run.get().goals());
            List<RegionPlan> regionPlans = run.get().toRegionPlans(plan);
            metrics.planned(plan);
            HeatPlanLog.write(LOG, table, plan);
            return regionPlans;
        } catch (Throwable failure) {
            failures.plan(failure);
            return List.of();
        }
    }

    private List<RegionPlan> guarded(TableName table, List<RegionPlan> stock) {
        if (stock == null || stock.isEmpty() || run.isEmpty()) {
            return stock;
        }
        try {
            Optional<String> refusal = run.get().refusal(table, stock);
            if (refusal.isPresent()) {
                metrics.stockPlanRefused();
                LOG.info("The stock plan of {} moves for {} is not used: {}.", stock.size(), table, refusal.get());
                return new ArrayList<>();
            }
        } catch (Throwable failure) {
            failures.plan(failure);
        }
        return stock;
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
        finder.close();
        super.stop(why);
    }

    /** The loads of regions for the cost functions; a failure counts as no load. */
    private final class CountedRegionLoads implements HeatCostFunction.RegionLoads {

        @Override
        public double load(RegionInfo region, LoadDimension dimension) {
            return new SnapshotReader(heat, weights, any -> true).load(region).get(dimension);
        }

        @Override
        public void failed(Throwable failure) {
            failures.cost(failure);
        }
    }

    /** What a placement may know: nothing of it waits for anybody. */
    private final class CachedCluster implements HearthAssignment.Cluster {

        @Override
        public long nowMs() {
            return EnvironmentEdgeManager.currentTime();
        }

        @Override
        public LocalBytes localBytes(RegionInfo region) {
            return finder.localBytes(region);
        }

        @Override
        public boolean hasReplicas(TableName table) throws IOException {
            return services.getTableDescriptors().get(table).getRegionReplication() > 1;
        }

        @Override
        public boolean isMaster(ServerName server) {
            return server.equals(masterServerName);
        }

        @Override
        public void placed(Placement placement) {
            metrics.placed(placement);
            LOG.info("{}", placement.summary());
        }

        @Override
        public void failed(Throwable failure) {
            failures.placement(failure);
        }
    }
}
