package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.config.GoalConfig;
import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.hbase.Names;
import io.hearth.balancer.hbase.SnapshotReader;
import io.hearth.balancer.heat.HeatModel;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.plan.CountGoal;
import io.hearth.balancer.plan.DimensionGoal;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanLimits;
import io.hearth.balancer.search.HeatGuard;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.RegionPlan;

/**
 * One run of the balancer: the assignments of the whole cluster, from which a snapshot is made for each table (or for all of
 * them at once) and into which every plan of the run is written before the next is made. Confined to the balancer's lock.
 */
final class HeatPlanning {

    private final HeatModel heat;
    private final TableWeights weights;
    private final PlanGoals goals;
    private final Map<ServerName, List<RegionInfo>> regionsByServer = new HashMap<>();

    HeatPlanning(
            HeatModel heat,
            TableWeights weights,
            PlanGoals goals,
            Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables) {
        this.heat = heat;
        this.weights = weights;
        this.goals = goals;
        loadOfAllTables
                .values()
                .forEach(ofTable -> ofTable.forEach((server, regions) -> regionsByServer
                        .computeIfAbsent(server, newServer -> new ArrayList<>())
                        .addAll(regions)));
    }

    ClusterSnapshot snapshot(TableName table) {
        boolean isForAll = HConstants.ENSEMBLE_TABLE_NAME.equals(table);
        return new SnapshotReader(
                        heat, weights, region -> isForAll || region.getTable().equals(table))
                .read(regionsByServer);
    }

    PlanGoals goals() {
        return goals;
    }

    /** The plan in HBase's form; a region or server that has gone meanwhile is an error. */
    List<RegionPlan> toRegionPlans(Plan plan) {
        Map<ServerId, ServerName> servers = new HashMap<>();
        Map<RegionId, RegionInfo> regions = new HashMap<>();
        regionsByServer.forEach((server, ofServer) -> {
            servers.put(Names.server(server), server);
            ofServer.forEach(region -> regions.put(Names.region(region), region));
        });
        List<RegionPlan> plans = new ArrayList<>();
        plan.moves()
                .forEach(move -> plans.add(
                        new RegionPlan(regions.get(move.region()), servers.get(move.from()), servers.get(move.to()))));
        return plans;
    }

    /** Why a stock plan may not be used, if so. */
    Optional<String> refusal(TableName table, List<RegionPlan> stock) {
        Map<RegionId, ServerId> serverByRegion = new HashMap<>();
        stock.forEach(
                plan -> serverByRegion.put(Names.region(plan.getRegionInfo()), Names.server(plan.getDestination())));
        return HeatGuard.refusal(snapshot(table), goals, serverByRegion);
    }

    /** Counts these plans as done for the rest of the run. */
    void apply(List<RegionPlan> plans) {
        for (RegionPlan plan : plans) {
            List<RegionInfo> source = regionsByServer.get(plan.getSource());
            List<RegionInfo> target = regionsByServer.get(plan.getDestination());
            if (source != null && target != null && source.remove(plan.getRegionInfo())) {
                target.add(plan.getRegionInfo());
            }
        }
    }

    /** What the configuration asks of a plan. */
    static PlanGoals goals(GoalConfig config, double regionCountSlop, int maxMoves) {
        Map<LoadDimension, DimensionGoal> goalByDimension = Map.of(
                LoadDimension.READS,
                new DimensionGoal(
                        config.readHeatCost(),
                        config.skewTrigger(),
                        config.skewTarget(),
                        config.minRequestsPerSecond()),
                LoadDimension.WRITES,
                new DimensionGoal(
                        config.writeHeatCost(),
                        config.skewTrigger(),
                        config.skewTarget(),
                        config.minRequestsPerSecond()),
                LoadDimension.STORE_SIZE,
                new DimensionGoal(
                        config.storeSizeCost(),
                        config.storeSizeSkewTrigger(),
                        config.storeSizeSkewTrigger(),
                        config.minStoreBytes()));
        return PlanGoals.of(goalByDimension)
                .withCounts(CountGoal.DEFAULT.withSlop(regionCountSlop))
                .withLimits(PlanLimits.DEFAULT.withMaxMoves(maxMoves));
    }
}
