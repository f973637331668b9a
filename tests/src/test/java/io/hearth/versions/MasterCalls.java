// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.versions;

import io.hearth.admin.rpc.HearthAdminEndpoint;
import io.hearth.balancer.HearthLoadBalancer;
import io.hearth.healer.hbase.LocalityHealingObserver;
import io.hearth.ui.hbase.HearthUiFilterInitializer;
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
import org.apache.hadoop.hbase.http.FilterContainer;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionPlan;

/**
 * What an HMaster asks of the classes that its site names, from their making on. Loaded by {@link MissingUseLoader}, beside Hearth's
 * classes.
 */
public final class MasterCalls implements Callable<List<String>> {

    private final Configuration site;
    private final MasterServices services;
    private final ClusterMetrics reports;
    private final MasterCoprocessorEnvironment environment;
    private final FilterContainer webUi;
    private final Map<ServerName, List<RegionInfo>> regionsByServer;
    private final boolean withBalancer;
    private final boolean withCoprocessors;
    private final List<String> escaped = new ArrayList<>();

    /** @param regionsByServer the regions of one table, unevenly dealt */
    public MasterCalls(
            Configuration site,
            MasterServices services,
            ClusterMetrics reports,
            MasterCoprocessorEnvironment environment,
            FilterContainer webUi,
            Map<ServerName, List<RegionInfo>> regionsByServer,
            boolean withBalancer,
            boolean withCoprocessors) {
        this.site = site;
        this.services = services;
        this.reports = reports;
        this.environment = environment;
        this.webUi = webUi;
        this.regionsByServer = regionsByServer;
        this.withBalancer = withBalancer;
        this.withCoprocessors = withCoprocessors;
    }

    private interface Hook {

        void call() throws Exception;
    }

    private void call(String name, Hook hook) {
        try {
            hook.call();
        } catch (Throwable failure) {
            escaped.add(name + ": " + failure);
        }
    }

    /** What left a hook, or was not what the stock balancer gives; empty where all was well. */
    @Override
    public List<String> call() {
        if (withBalancer) {
            call("the balancer", this::askTheBalancer);
        }
        if (!withCoprocessors) {
            return escaped;
        }
        call("the observer", this::askTheObserver);
        call("the endpoint", () -> new HearthAdminEndpoint().getServices().forEach(service -> {}));
        call("the page", () -> new HearthUiFilterInitializer().initFilter(webUi, site));
        return escaped;
    }

    private void askTheBalancer() {
        HearthLoadBalancer balancer = new HearthLoadBalancer();
        call("setMasterServices", () -> balancer.setMasterServices(services));
        call("initialize", balancer::initialize);
        call("postMasterStartupInitialize", balancer::postMasterStartupInitialize);
        RegionInfo region = regionsByServer.values().stream()
                .flatMap(List::stream)
                .findFirst()
                .orElseThrow();
        List<ServerName> servers = List.copyOf(regionsByServer.keySet());
        for (int time = 0; time < 2; time++) {
            call("updateClusterMetrics", () -> balancer.updateClusterMetrics(reports));
            call("updateBalancerLoadInfo", () -> balancer.updateBalancerLoadInfo(ofTables(region.getTable())));
            call("balanceCluster", () -> {
                List<RegionPlan> plans = balancer.balanceCluster(ofTables(region.getTable()));
                if (plans == null || plans.isEmpty()) {
                    escaped.add("balanceCluster: no plan for an uneven table");
                }
            });
            call(
                    "roundRobinAssignment",
                    () -> balancer.roundRobinAssignment(new ArrayList<>(List.of(region)), servers));
            call("retainAssignment", () -> balancer.retainAssignment(Map.of(region, servers.get(0)), servers));
            call("randomAssignment", () -> balancer.randomAssignment(region, servers));
            call("regionOnline", () -> balancer.regionOnline(region, servers.get(0)));
            call("regionOffline", () -> balancer.regionOffline(region));
            call("onConfigurationChange", () -> balancer.onConfigurationChange(site));
        }
        call("stop", () -> balancer.stop("the test is over"));
    }

    private Map<TableName, Map<ServerName, List<RegionInfo>>> ofTables(TableName table) {
        Map<ServerName, List<RegionInfo>> ofTable = new HashMap<>();
        regionsByServer.forEach((server, regions) -> ofTable.put(server, new ArrayList<>(regions)));
        return new HashMap<>(Map.of(table, ofTable));
    }

    private void askTheObserver() {
        LocalityHealingObserver observer = new LocalityHealingObserver();
        call("start", () -> observer.start(environment));
        call("getMasterObserver", observer::getMasterObserver);
        call("postStartMaster", () -> observer.postStartMaster(null));
        Map.Entry<ServerName, List<RegionInfo>> some =
                regionsByServer.entrySet().iterator().next();
        RegionInfo region = some.getValue().get(0);
        TableName table = region.getTable();
        call("postAssign", () -> observer.postAssign(null, region));
        call(
                "postMove",
                () -> observer.postMove(new ObserverContextImpl<>(null), region, some.getKey(), some.getKey()));
        call("postBalance", () -> observer.postBalance(null, null, null));
        call("postCompletedSplitRegionAction", () -> observer.postCompletedSplitRegionAction(null, region, region));
        call(
                "postCompletedMergeRegionsAction",
                () -> observer.postCompletedMergeRegionsAction(null, new RegionInfo[] {region}, region));
        call("postCompletedCreateTableAction", () -> observer.postCompletedCreateTableAction(null, null, null));
        call("postCompletedEnableTableAction", () -> observer.postCompletedEnableTableAction(null, table));
        call("postCompletedTruncateTableAction", () -> observer.postCompletedTruncateTableAction(null, table));
        call("postCompletedModifyTableAction", () -> observer.postCompletedModifyTableAction(null, table, null, null));
        call("postModifyTable", () -> observer.postModifyTable(null, table, null, null));
        call(
                "postDecommissionRegionServers",
                () -> observer.postDecommissionRegionServers(null, List.of(some.getKey()), false));
        call("observer.stop", () -> observer.stop(environment));
    }
}
