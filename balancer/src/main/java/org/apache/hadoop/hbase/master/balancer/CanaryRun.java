// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.BalanceEngine.CanaryStatus;
import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.balancer.hbase.CanaryTable;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.placement.CanaryPlacement;
import io.hearth.balancer.placement.CanaryPlacement.CanaryRegion;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;

/**
 * The canary table in one run of the balancer: its moves, and the assignments without its regions, which are all that Hearth and the stock
 * balancer plan on. Where HBase balances one group of servers after the other, the table is in one of the groups, and the servers of the
 * others have no canary. Confined to the balancer's lock.
 */
@NullMarked
final class CanaryRun {

    private final TableName table;
    private final Map<TableName, Map<ServerName, List<RegionInfo>>> loadWithoutCanaries = new HashMap<>();
    private final CanaryPlacement placement;
    private final List<RegionPlan> moves = new ArrayList<>();

    /**
     * The run over these assignments; empty where they have no canary region.
     *
     * @param table the canary table
     * @param excluded those of some servers that are given no regions, since others did not open there
     * @param maxMoves the most moves
     */
    static Optional<CanaryRun> of(
            TableName table,
            Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables,
            Function<Set<ServerId>, Set<ServerId>> excluded,
            int maxMoves) {
        boolean hasRegions =
                loadOfAllTables.getOrDefault(table, Map.of()).values().stream().anyMatch(regions -> !regions.isEmpty());
        return hasRegions ? Optional.of(new CanaryRun(table, loadOfAllTables, excluded, maxMoves)) : Optional.empty();
    }

    private CanaryRun(
            TableName table,
            Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables,
            Function<Set<ServerId>, Set<ServerId>> excluded,
            int maxMoves) {
        this.table = table;
        loadOfAllTables.forEach((name, load) -> loadWithoutCanaries.put(name, without(load)));
        Map<ServerId, ServerName> servers = new TreeMap<>();
        loadOfAllTables.values().forEach(load -> load.keySet()
                .forEach(server -> servers.put(HBaseNames.server(server), server)));
        Map<EncodedRegionName, RegionInfo> regions = new HashMap<>();
        Map<CanaryRegion, ServerId> serverByRegion = new HashMap<>();
        loadOfAllTables
                .getOrDefault(table, Map.of())
                .forEach((server, ofServer) -> ofServer.forEach(region -> {
                    CanaryRegion canary = CanaryTable.region(region);
                    regions.put(canary.region(), region);
                    serverByRegion.put(canary, HBaseNames.server(server));
                }));
        placement = CanaryPlacement.plan(serverByRegion, servers.keySet(), excluded.apply(servers.keySet()), maxMoves);
        placement
                .moves()
                .forEach(move -> moves.add(new RegionPlan(
                        Objects.requireNonNull(regions.get(move.region()), "a canary region that is not there"),
                        servers.get(move.from()),
                        servers.get(move.to()))));
    }

    CanaryPlacement placement() {
        return placement;
    }

    /** Tells whoever looks how the regions lie when the moves are made; the log once, while as many servers have none. */
    void show(BalanceEngine engine, BalancerMetrics metrics, Logger log) {
        int withoutBefore = engine.canaries()
                .map(before -> before.placement().serversWithout())
                .orElse(0);
        engine.canariesPlaced(Optional.of(new CanaryStatus(HBaseNames.table(table), placement)));
        metrics.canariesMoved(moves.size());
        if (!moves.isEmpty()) {
            log.info(
                    "{} of {} regions of {} move, so that one is on each of {} servers.",
                    moves.size(),
                    placement.regions(),
                    table,
                    placement.servers());
        }
        int without = placement.serversWithout();
        if (without > 0 && without != withoutBefore) {
            log.warn(
                    "{} of {} servers have no region of {}, which has {}. Split it.",
                    without,
                    placement.servers(),
                    table,
                    placement.regions());
        }
    }

    /** The assignments of every table, of the canary table none of a region. */
    Map<TableName, Map<ServerName, List<RegionInfo>>> loadWithoutCanaries() {
        return loadWithoutCanaries;
    }

    /** The assignments of what is planned at once, one table or all, without canary regions; may be changed. */
    Map<ServerName, List<RegionInfo>> without(Map<ServerName, List<RegionInfo>> load) {
        Map<ServerName, List<RegionInfo>> others = new TreeMap<>();
        load.forEach((server, regions) -> {
            List<RegionInfo> left = new ArrayList<>(regions);
            left.removeIf(region -> region.getTable().equals(table));
            others.put(server, left);
        });
        return others;
    }

    /** The moves, in the plan of the table itself or of all tables at once; none in that of another table. */
    List<RegionPlan> movesIn(TableName planned) {
        return planned.equals(table) || planned.equals(HConstants.ENSEMBLE_TABLE_NAME) ? moves : List.of();
    }
}
