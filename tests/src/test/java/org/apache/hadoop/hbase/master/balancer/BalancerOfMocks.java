package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.HearthLoadBalancer;
import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.hbase.MasterLinks;
import io.hearth.balancer.steering.Steering;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Hearth's balancer for the mocks of HBase's tests: it begins anew with each cluster that they make up.
 *
 * <p>They take the regions and servers of one made-up cluster for the next one and hand all of them to one balancer, without a
 * report and in no time. What Hearth remembers of the moves in the last cluster would hold those regions in the next. A cluster
 * that is as the plans of the last run leave it is the same one, and there it remembers.
 */
final class BalancerOfMocks extends HearthLoadBalancer {

    private static final Steering NOTHING_REMEMBERED = new Steering(
            BalancerConfig.read("mock", new MapSettings(Map.of()), key -> false).steering());

    private final StochasticLoadBalancer stock;
    private Map<RegionInfo, ServerName> leftByLastRun = Map.of();

    /** @param stock the one in whose place this is; its search draws its steps in the same way */
    BalancerOfMocks(StochasticLoadBalancer stock) {
        this.stock = stock;
    }

    @Override
    protected CandidateGenerator getRandomGenerator() {
        return stock.getClass() == StochasticLoadBalancer.class
                ? super.getRandomGenerator()
                : stock.getRandomGenerator();
    }

    @Override
    protected void preBalanceCluster(Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables) {
        Map<RegionInfo, ServerName> serverByRegion = new HashMap<>();
        loadOfAllTables
                .values()
                .forEach(ofTable -> ofTable.forEach(
                        (server, regions) -> regions.forEach(region -> serverByRegion.put(region, server))));
        if (!serverByRegion.equals(leftByLastRun)) {
            forget();
        }
        leftByLastRun = serverByRegion;
        super.preBalanceCluster(loadOfAllTables);
    }

    private void forget() {
        long now = EnvironmentEdgeManager.currentTime();
        MasterLinks.handMoves(getConf())
                .map(Steering.class::cast)
                .ifPresent(steering -> steering.restore(NOTHING_REMEMBERED.encode(now), now));
    }

    @Override
    protected List<RegionPlan> balanceTable(TableName table, Map<ServerName, List<RegionInfo>> loadOfOneTable) {
        List<RegionPlan> plans = super.balanceTable(table, loadOfOneTable);
        if (plans != null) {
            plans.forEach(plan -> leftByLastRun.put(plan.getRegionInfo(), plan.getDestination()));
        }
        return plans;
    }
}
