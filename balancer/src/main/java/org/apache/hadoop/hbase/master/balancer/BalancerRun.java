package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.hbase.Names;
import io.hearth.balancer.hbase.SnapshotReader;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.master.RegionPlan;

/**
 * One run of the balancer: the assignments of the whole cluster, from which a snapshot is made for each table (or for all of
 * them at once) and into which every plan of the run is written before the next is made. Confined to the balancer's lock.
 */
final class BalancerRun {

    private final PlanGoals goals;
    private final Map<ServerName, List<RegionInfo>> regionsByServer = new HashMap<>();

    /** @param goals what every plan of this run has to reach */
    BalancerRun(Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables, PlanGoals goals) {
        this.goals = goals;
        loadOfAllTables
                .values()
                .forEach(ofTable -> ofTable.forEach((server, regions) -> regionsByServer
                        .computeIfAbsent(server, newServer -> new ArrayList<>())
                        .addAll(regions)));
    }

    /** Whether any region is served more than once, so that racks matter. */
    boolean hasReplicas() {
        return regionsByServer.values().stream()
                .flatMap(List::stream)
                .anyMatch(region -> !RegionReplicaUtil.isDefaultReplica(region));
    }

    PlanGoals goals() {
        return goals;
    }

    /** The snapshot of what is to be planned: one table, or all of them by HBase's name for all. */
    ClusterSnapshot snapshot(TableName table, SnapshotReader reader) {
        boolean isForAll = HConstants.ENSEMBLE_TABLE_NAME.equals(table);
        return reader.read(
                regionsByServer, region -> isForAll || region.getTable().equals(table));
    }

    /** Who serves what, by the word of the master. */
    static Map<RegionId, ServerId> serverByRegion(Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables) {
        Map<RegionId, ServerId> serverByRegion = new HashMap<>();
        loadOfAllTables
                .values()
                .forEach(ofTable -> ofTable.forEach((server, regions) -> {
                    ServerId id = Names.server(server);
                    regions.forEach(region -> serverByRegion.put(Names.region(region), id));
                }));
        return serverByRegion;
    }

    /** The plan in HBase's form; a region or server that has gone meanwhile is an error. */
    List<RegionPlan> toRegionPlans(Plan plan) {
        Map<ServerId, ServerName> servers = new HashMap<>();
        regionsByServer.keySet().forEach(server -> servers.put(Names.server(server), server));
        Set<RegionId> moved = new HashSet<>();
        plan.moves().forEach(move -> moved.add(move.region()));
        Map<RegionId, RegionInfo> regions = new HashMap<>();
        regionsByServer
                .values()
                .forEach(ofServer -> ofServer.forEach(region -> {
                    RegionId id = Names.region(region);
                    if (moved.contains(id)) {
                        regions.put(id, region);
                    }
                }));
        List<RegionPlan> plans = new ArrayList<>();
        plan.moves()
                .forEach(move -> plans.add(new RegionPlan(
                        Objects.requireNonNull(regions.get(move.region()), "a planned region that is not there"),
                        servers.get(move.from()),
                        servers.get(move.to()))));
        return plans;
    }

    /** Where each of these plans takes its region. */
    static Map<RegionId, ServerId> targets(List<RegionPlan> plans) {
        Map<RegionId, ServerId> targets = new HashMap<>();
        plans.forEach(plan -> targets.put(Names.region(plan.getRegionInfo()), Names.server(plan.getDestination())));
        return targets;
    }

    /** Counts these plans as done for the rest of the run. */
    void apply(List<RegionPlan> plans) {
        for (RegionPlan plan : plans) {
            Optional<List<RegionInfo>> source = Optional.ofNullable(regionsByServer.get(plan.getSource()));
            Optional<List<RegionInfo>> target = Optional.ofNullable(regionsByServer.get(plan.getDestination()));
            if (source.isPresent() && target.isPresent() && source.get().remove(plan.getRegionInfo())) {
                target.get().add(plan.getRegionInfo());
            }
        }
    }
}
