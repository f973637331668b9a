// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.engine.ClusterStateBuilder;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.jspecify.annotations.NullMarked;

/**
 * One run of the balancer: the assignments of the whole cluster, read once, from which a snapshot is made for each table (or
 * for all of them at once) and into which every plan of the run is written before the next is made. Confined to the
 * balancer's lock.
 */
@NullMarked
final class BalancerRun {

    private final Map<ServerId, ServerName> servers = new HashMap<>();
    private final Map<EncodedRegionName, RegionInfo> regions = new HashMap<>();
    private final Map<TableName, TableId> tables = new HashMap<>();
    private final ClusterStateBuilder states;
    private final Function<RegionInfo, LocalBytes> blocks;
    private int moves;

    /**
     * Reads the assignments.
     *
     * @param states what is known of each region at the beginning of the run
     * @param blocks where the bytes of a region are, by what is known already: the NameNode is not asked
     */
    BalancerRun(
            Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables,
            ClusterStateBuilder states,
            Function<RegionInfo, LocalBytes> blocks,
            ServerAttributes attributes) {
        this.states = states;
        this.blocks = blocks;
        boolean racksMatter = hasReplicas(loadOfAllTables);
        loadOfAllTables
                .values()
                .forEach(ofTable -> ofTable.forEach((server, ofServer) -> {
                    ServerId id = HBaseNames.server(server);
                    if (servers.put(id, server) == null) {
                        ServerState state = attributes.state(server, racksMatter);
                        states.add(state);
                    }
                    for (RegionInfo region : ofServer) {
                        EncodedRegionName name = HBaseNames.region(region);
                        regions.put(name, region);
                        states.add(id, state(name, region));
                    }
                }));
    }

    private RegionState state(EncodedRegionName name, RegionInfo region) {
        EncodedRegionName primary = RegionReplicaUtil.isDefaultReplica(region)
                ? name
                : HBaseNames.region(RegionReplicaUtil.getRegionInfoForDefaultReplica(region));
        TableId table = tables.computeIfAbsent(region.getTable(), HBaseNames::table);
        return states.region(name, primary, table, blocks.apply(region));
    }

    private static boolean hasReplicas(Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables) {
        return loadOfAllTables.values().stream()
                .flatMap(ofTable -> ofTable.values().stream())
                .flatMap(List::stream)
                .anyMatch(region -> !RegionReplicaUtil.isDefaultReplica(region));
    }

    /** The snapshot of what is to be planned: one table, or all of them by HBase's name for all. */
    ClusterState snapshot(TableName table) {
        return HConstants.ENSEMBLE_TABLE_NAME.equals(table) ? states.all() : states.of(HBaseNames.table(table));
    }

    /** Who serves these regions, as the master has it; the others are not looked at where there are none of these. */
    static Map<EncodedRegionName, ServerId> serverByRegion(
            Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables, Set<EncodedRegionName> wanted) {
        Map<EncodedRegionName, ServerId> serverByRegion = new HashMap<>();
        if (wanted.isEmpty()) {
            return serverByRegion;
        }
        loadOfAllTables
                .values()
                .forEach(ofTable -> ofTable.forEach((server, regions) -> {
                    ServerId id = HBaseNames.server(server);
                    regions.stream()
                            .map(HBaseNames::region)
                            .filter(wanted::contains)
                            .forEach(region -> serverByRegion.put(region, id));
                }));
        return serverByRegion;
    }

    /** The plan in HBase's form. */
    List<RegionPlan> toRegionPlans(Plan plan) {
        List<RegionPlan> plans = new ArrayList<>();
        plan.moves()
                .forEach(move -> plans.add(new RegionPlan(
                        Objects.requireNonNull(regions.get(move.region()), "a planned region that is not there"),
                        servers.get(move.from()),
                        servers.get(move.to()))));
        return plans;
    }

    /** How many moves this run has by now. */
    int moves() {
        return moves;
    }

    /** Where each of these plans takes its region. */
    static Map<EncodedRegionName, ServerId> targets(List<RegionPlan> plans) {
        Map<EncodedRegionName, ServerId> targets = new HashMap<>();
        plans.forEach(
                plan -> targets.put(HBaseNames.region(plan.getRegionInfo()), HBaseNames.server(plan.getDestination())));
        return targets;
    }

    /** Counts these plans as done for the rest of the run. */
    void apply(List<RegionPlan> plans) {
        moves += plans.size();
        plans.forEach(plan -> states.move(
                HBaseNames.region(plan.getRegionInfo()),
                HBaseNames.table(plan.getRegionInfo().getTable()),
                HBaseNames.server(plan.getSource()),
                HBaseNames.server(plan.getDestination())));
    }

    /**
     * What is known of a server besides its load.
     *
     * @param rackByHost the rack of a host name; asked only where racks matter, since resolving one may take its time
     */
    record ServerAttributes(ServerCapacities capacities, UnaryOperator<String> rackByHost) {

        /** The planner's view of this server. */
        ServerState state(ServerName server, boolean racksMatter) {
            return new ServerState(
                    HBaseNames.server(server),
                    racksMatter ? rackByHost.apply(server.getHostname()) : ServerState.UNKNOWN_RACK,
                    capacities.of(server.getHostname()));
        }
    }
}
