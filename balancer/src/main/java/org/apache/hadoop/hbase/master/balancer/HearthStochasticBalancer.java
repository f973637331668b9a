// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.hadoop.LinkFailure;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stock balancer with Hearth's heat beside it ({@link HeatBalancing}): it stands in HBase's own package because what it must reach is
 * visible there only. Operators name {@code io.hearth.balancer.HearthLoadBalancer}.
 *
 * <p>It has little code of its own, since an HMaster that can't load or make its balancer does not start. Where the HBase that it runs in
 * lacks something that Hearth needs, this is the stock balancer: from the first call that shows it, until the HMaster is started again.
 *
 * <p>HBase calls it under the balancer's lock, but for the assignments, which are called by any thread.
 */
@NullMarked
public abstract class HearthStochasticBalancer extends HBaseBalancerCompat {

    private static final Logger LOG = LoggerFactory.getLogger("io.hearth.balancer.HearthLoadBalancer");

    /** Null where it could not be made. */
    private final @Nullable HeatBalancing heat;

    private volatile boolean isResting;
    /** What HBase or Hadoop lacks, a sentence or more; empty where nothing is known to lack. */
    private volatile Optional<String> whyResting = Optional.empty();
    /** Whether the stock balancer still has the configuration that Hearth gave it. */
    private volatile boolean isStockToBeLoaded;
    /** Until then HBase's getConf may fail, and nothing is known that could be withdrawn; loadConf does it afterwards. */
    private volatile boolean isMade;

    /** What Hearth does in a call of HBase's. */
    private interface Hook<R, X extends Exception> {

        R call(HeatBalancing heat) throws X;
    }

    /** What the stock balancer does in it. */
    private interface StockHook<R, X extends Exception> {

        R call() throws X;
    }

    protected HearthStochasticBalancer() {
        heat = make();
        if (heat == null) {
            isResting = true;
        }
        isMade = true;
    }

    private @Nullable HeatBalancing make() {
        try {
            return new HeatBalancing(this);
        } catch (Throwable failure) {
            if (!restIfLinkFailed(failure)) {
                LOG.error("Hearth's balancer could not be made: the stock balancer plans alone.", failure);
            }
            return null;
        }
    }

    /**
     * Leaves everything to the stock balancer from now on if this failure comes of another version of HBase or Hadoop, and says so once.
     * Returns whether it does.
     */
    final boolean restIfLinkFailed(Throwable failure) {
        Optional<String> why = LinkFailure.of(failure);
        if (why.isPresent() && !isResting) {
            whyResting = why;
            isResting = true;
            isStockToBeLoaded = true;
            if (isMade) {
                withdrawWhereItRests();
            }
            LOG.error(
                    "Hearth's balancer rests until the HMaster is started again, and the stock balancer plans alone: {}",
                    why.get());
        }
        return why.isPresent();
    }

    /** What HBase or Hadoop lacks, since Hearth rests for that; empty where it does not. */
    final Optional<String> whyResting() {
        return whyResting;
    }

    /** What it knows grows old from now on: nobody in this master is to take it for what is. */
    final void withdrawWhereItRests() {
        try {
            whyResting.ifPresent(why -> MasterComponentRegistry.balancerRests(getConf(), why));
        } catch (LinkageError | RuntimeException failure) {
            LOG.error("What Hearth's balancer knew could not be taken back: what is shown of it grows old.", failure);
        }
    }

    /** Hearth's answer; the stock balancer's where Hearth rests, or has to from now on. */
    private <R, X extends Exception> R answer(Hook<R, X> hearth, StockHook<R, X> stock) throws X {
        if (!isResting) {
            try {
                return hearth.call(Objects.requireNonNull(heat));
            } catch (LinkageError | RuntimeException failure) {
                if (!restIfLinkFailed(failure)) {
                    throw failure;
                }
            }
        }
        return stock.call();
    }

    /** A clock that nobody sets, in nanoseconds, for what takes time here and for servers' clocks. A test may override it. */
    protected long nanoTime() {
        return System.nanoTime();
    }

    /** The plan for this snapshot. A test may override it to fail. */
    protected Plan plan(ClusterState snapshot, PlanGoals goals) {
        return Objects.requireNonNull(heat).plan(snapshot, goals);
    }

    @Override
    protected void loadConf(Configuration site) {
        boolean unused = answer(
                hearth -> {
                    hearth.loadConf(site);
                    return true;
                },
                () -> {
                    isStockToBeLoaded = false;
                    stockLoadConf(site);
                    withdrawWhereItRests();
                    return true;
                });
    }

    final void stockLoadConf(Configuration site) {
        super.loadConf(site);
    }

    /** Not within a search: its costs would be made anew. */
    private void loadStockWhereHearthRests() {
        if (isStockToBeLoaded) {
            isStockToBeLoaded = false;
            stockLoadConf(getConf());
        }
    }

    @Override
    public synchronized void updateClusterMetrics(ClusterMetrics clusterMetrics) {
        boolean unused = answer(
                hearth -> {
                    hearth.lockedCallBegins();
                    return true;
                },
                () -> false);
        super.updateClusterMetrics(clusterMetrics);
        unused = answer(
                hearth -> {
                    hearth.updateClusterMetrics(clusterMetrics);
                    return true;
                },
                () -> false);
    }

    /** HBase computes each cost for JMX here, ours among them. */
    @Override
    public void updateBalancerLoadInfo(Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables) {
        boolean unused = answer(
                hearth -> {
                    super.updateBalancerLoadInfo(loadOfAllTables);
                    return true;
                },
                () -> {
                    loadStockWhereHearthRests();
                    super.updateBalancerLoadInfo(loadOfAllTables);
                    return true;
                });
    }

    @Override
    protected void preBalanceCluster(Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables) {
        super.preBalanceCluster(loadOfAllTables);
        boolean unused = answer(
                hearth -> {
                    hearth.preBalanceCluster(loadOfAllTables);
                    return true;
                },
                () -> false);
    }

    @Override
    protected List<RegionPlan> balanceTable(TableName table, Map<ServerName, List<RegionInfo>> loadOfOneTable) {
        return answer(hearth -> hearth.balanceTable(table, loadOfOneTable), () -> {
            loadStockWhereHearthRests();
            return stockBalanceTable(table, loadOfOneTable);
        });
    }

    final List<RegionPlan> stockBalanceTable(TableName table, Map<ServerName, List<RegionInfo>> loadOfOneTable) {
        return super.balanceTable(table, loadOfOneTable);
    }

    @Override
    boolean needsBalance(TableName table, BalancerClusterState cluster) {
        return answer(hearth -> hearth.needsBalance(table, cluster), () -> stockNeedsBalance(table, cluster));
    }

    final boolean stockNeedsBalance(TableName table, BalancerClusterState cluster) {
        return super.needsBalance(table, cluster);
    }

    @Override
    public Map<ServerName, List<RegionInfo>> roundRobinAssignment(List<RegionInfo> regions, List<ServerName> servers)
            throws HBaseIOException {
        return answer(
                hearth -> hearth.roundRobinAssignment(regions, servers, super::roundRobinAssignment),
                () -> super.roundRobinAssignment(regions, servers));
    }

    @Override
    public Map<ServerName, List<RegionInfo>> retainAssignment(
            Map<RegionInfo, ServerName> regions, List<ServerName> servers) throws HBaseIOException {
        return answer(
                hearth -> hearth.retainAssignment(regions, servers, super::retainAssignment),
                () -> super.retainAssignment(regions, servers));
    }

    @Override
    public ServerName randomAssignment(RegionInfo region, List<ServerName> servers) throws HBaseIOException {
        return answer(
                hearth -> hearth.randomAssignment(region, servers, super::randomAssignment),
                () -> super.randomAssignment(region, servers));
    }

    @Override
    public void stop(String why) {
        try {
            if (heat != null) {
                heat.close();
            }
        } catch (LinkageError failure) {
            boolean unused = restIfLinkFailed(failure);
        }
        super.stop(why);
    }
}
