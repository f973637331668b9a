// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.versions;

import io.hearth.balancer.HearthLoadBalancer;
import io.hearth.healer.hbase.LocalityHealingObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.ObserverContextImpl;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionPlan;

/**
 * What an HMaster asks of its balancer and of the healer's observer, from their making on. Loaded by {@link MissingUseLoader}, beside
 * Hearth's classes; {@link MasterRequests} has the rest.
 */
public final class MasterCalls implements Callable<List<String>> {

    private final Configuration site;
    private final MasterServices services;
    private final ClusterMetrics reports;
    private final MasterCoprocessorEnvironment environment;
    private final Map<ServerName, List<RegionInfo>> regionsByServer;
    private final boolean withBalancer;
    private final boolean withObserver;
    private final HookCalls calls = new HookCalls();

    /** @param regionsByServer the regions of one table, unevenly dealt */
    public MasterCalls(
            Configuration site,
            MasterServices services,
            ClusterMetrics reports,
            MasterCoprocessorEnvironment environment,
            Map<ServerName, List<RegionInfo>> regionsByServer,
            boolean withBalancer,
            boolean withObserver) {
        this.site = site;
        this.services = services;
        this.reports = reports;
        this.environment = environment;
        this.regionsByServer = regionsByServer;
        this.withBalancer = withBalancer;
        this.withObserver = withObserver;
    }

    /** What left a hook, or was not what the stock balancer gives; empty where all was well. */
    @Override
    public List<String> call() {
        if (withBalancer) {
            calls.call("the balancer", this::askTheBalancer);
        }
        if (withObserver) {
            calls.call("the observer", this::askTheObserver);
        }
        return calls.escaped();
    }

    private void askTheBalancer() {
        HearthLoadBalancer balancer = new HearthLoadBalancer();
        calls.call("setMasterServices", () -> balancer.setMasterServices(services));
        calls.call("initialize", balancer::initialize);
        calls.call("postMasterStartupInitialize", balancer::postMasterStartupInitialize);
        RegionInfo region = regionsByServer.values().stream()
                .flatMap(List::stream)
                .findFirst()
                .orElseThrow();
        List<ServerName> servers = List.copyOf(regionsByServer.keySet());
        for (int time = 0; time < 2; time++) {
            calls.call("updateClusterMetrics", () -> balancer.updateClusterMetrics(reports));
            calls.call("updateBalancerLoadInfo", () -> balancer.updateBalancerLoadInfo(ofTables(region.getTable())));
            calls.call("balanceCluster", () -> {
                List<RegionPlan> plans = balancer.balanceCluster(ofTables(region.getTable()));
                if (plans == null || plans.isEmpty()) {
                    calls.add("balanceCluster: no plan for an uneven table");
                }
            });
            calls.call(
                    "roundRobinAssignment",
                    () -> balancer.roundRobinAssignment(new ArrayList<>(List.of(region)), servers));
            calls.call("retainAssignment", () -> balancer.retainAssignment(Map.of(region, servers.get(0)), servers));
            calls.call("randomAssignment", () -> balancer.randomAssignment(region, servers));
            calls.call("regionOnline", () -> balancer.regionOnline(region, servers.get(0)));
            calls.call("regionOffline", () -> balancer.regionOffline(region));
            calls.call("onConfigurationChange", () -> balancer.onConfigurationChange(site));
        }
        calls.call("stop", () -> balancer.stop("the test is over"));
    }

    private Map<TableName, Map<ServerName, List<RegionInfo>>> ofTables(TableName table) {
        Map<ServerName, List<RegionInfo>> ofTable = new HashMap<>();
        regionsByServer.forEach((server, regions) -> ofTable.put(server, new ArrayList<>(regions)));
        return new HashMap<>(Map.of(table, ofTable));
    }

    private void askTheObserver() {
        LocalityHealingObserver observer = new LocalityHealingObserver();
        calls.call("start", () -> observer.start(environment));
        calls.call("getMasterObserver", observer::getMasterObserver);
        calls.call("postStartMaster", () -> observer.postStartMaster(null));
        Map.Entry<ServerName, List<RegionInfo>> some =
                regionsByServer.entrySet().iterator().next();
        RegionInfo region = some.getValue().get(0);
        TableName table = region.getTable();
        calls.call("postAssign", () -> observer.postAssign(null, region));
        calls.call(
                "postMove",
                () -> observer.postMove(new ObserverContextImpl<>(null), region, some.getKey(), some.getKey()));
        calls.call("postBalance", () -> observer.postBalance(null, null, null));
        calls.call(
                "postCompletedSplitRegionAction", () -> observer.postCompletedSplitRegionAction(null, region, region));
        calls.call(
                "postCompletedMergeRegionsAction",
                () -> observer.postCompletedMergeRegionsAction(null, new RegionInfo[] {region}, region));
        calls.call("postCompletedCreateTableAction", () -> observer.postCompletedCreateTableAction(null, null, null));
        calls.call("postCompletedEnableTableAction", () -> observer.postCompletedEnableTableAction(null, table));
        calls.call("postCompletedTruncateTableAction", () -> observer.postCompletedTruncateTableAction(null, table));
        calls.call(
                "postCompletedModifyTableAction",
                () -> observer.postCompletedModifyTableAction(null, table, null, null));
        calls.call("postModifyTable", () -> observer.postModifyTable(null, table, null, null));
        calls.call(
                "postDecommissionRegionServers",
                () -> observer.postDecommissionRegionServers(null, List.of(some.getKey()), false));
        calls.call("observer.stop", () -> observer.stop(environment));
    }
}
