// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.jspecify.annotations.NullMarked;
import org.mockito.Mockito;

/**
 * Runs HBase's own {@code StochasticLoadBalancer} on a snapshot, in this JVM and without a cluster: it is told of the
 * snapshot's servers and regions, of {@value #SAMPLES} cluster reports with rising counters, and of where the blocks are. It
 * stands in HBase's package for the same reason as {@code HearthStochasticBalancer}. No name is looked up: racks and blocks come
 * from the snapshot.
 */
@NullMarked
public final class StockSearch {

    /** As many reports as the stock balancer remembers; each step of its search sums all of them. */
    static final int SAMPLES = 15;

    private StockSearch() {}

    /**
     * The stock plan for this snapshot.
     *
     * @param regionCountSlop {@code hbase.regions.slop}
     * @param maxRunningMs how long it may search, in milliseconds
     */
    public static StockPlan run(ClusterState snapshot, StockTuning tuning, double regionCountSlop, long maxRunningMs) {
        StockCluster cluster = new StockCluster(snapshot);
        Balancer balancer = new Balancer(cluster);
        balancer.setMasterServices(services(site(cluster, tuning, regionCountSlop, maxRunningMs)));
        balancer.initialize();
        balancer.setRackManager(cluster.racks());
        for (int sample = 0; sample < SAMPLES; sample++) {
            balancer.updateClusterMetrics(cluster.metrics(sample));
        }
        long begin = System.nanoTime();
        List<RegionPlan> plans = balancer.balanceCluster(cluster.regionsByServerByTable());
        long millis = (System.nanoTime() - begin) / 1_000_000;
        return new StockPlan(targets(cluster, plans == null ? List.of() : plans), millis);
    }

    private static Map<EncodedRegionName, ServerId> targets(StockCluster cluster, List<RegionPlan> plans) {
        Map<EncodedRegionName, ServerId> serverByRegion = new HashMap<>();
        plans.forEach(plan -> serverByRegion.put(
                cluster.encodedRegionName(plan.getRegionInfo()), StockCluster.serverId(plan.getDestination())));
        return serverByRegion;
    }

    private static Configuration site(
            StockCluster cluster, StockTuning tuning, double regionCountSlop, long maxRunningMs) {
        Configuration site = new Configuration(false);
        site.setFloat("hbase.regions.slop", (float) regionCountSlop);
        site.setLong("hbase.master.balancer.stochastic.maxRunningTime", maxRunningMs);
        if (!cluster.knowsBlocks()) {
            site.setFloat("hbase.master.balancer.stochastic.localityCost", 0);
            site.setFloat("hbase.master.balancer.stochastic.rackLocalityCost", 0);
        }
        tuning.apply(site);
        return site;
    }

    private static MasterServices services(Configuration site) {
        MasterServices services =
                Mockito.mock(MasterServices.class, Mockito.withSettings().stubOnly());
        Mockito.when(services.getConfiguration()).thenReturn(site);
        return services;
    }

    /** The stock balancer with the snapshot's blocks in the place of the NameNode's. */
    private static final class Balancer extends StochasticLoadBalancer {

        private final StockCluster cluster;

        Balancer(StockCluster cluster) {
            this.cluster = cluster;
        }

        @Override
        protected void loadConf(Configuration site) {
            super.loadConf(site);
            regionFinder = cluster.finder();
        }
    }

    /**
     * What the stock balancer would do. Immutable.
     *
     * @param serverByRegion where each moved region goes; empty where it finds nothing or sees no need
     * @param millis how long one call of {@code balanceCluster} took
     */
    public record StockPlan(Map<EncodedRegionName, ServerId> serverByRegion, long millis) {

        public StockPlan {
            serverByRegion = Map.copyOf(serverByRegion);
        }
    }

    /** How the stock balancer is configured when Hearth is held against it. */
    public enum StockTuning {

        /** As HBase comes. */
        DEFAULT("stock") {
            @Override
            void apply(Configuration site) {}
        },
        /**
         * As somebody would set it who has read the source: heat at 100 times its weight (500, as much as the region count), the
         * threshold below which nothing is done next to 0, and no end to the steps but that of time.
         */
        TUNED("stock tuned") {
            @Override
            void apply(Configuration site) {
                site.setFloat("hbase.master.balancer.stochastic.readRequestCost", 500);
                site.setFloat("hbase.master.balancer.stochastic.writeRequestCost", 500);
                site.setFloat("hbase.master.balancer.stochastic.storefileSizeCost", 500);
                site.setFloat("hbase.master.balancer.stochastic.minCostNeedBalance", 0.0001f);
                site.setBoolean("hbase.master.balancer.stochastic.runMaxSteps", true);
            }
        };

        private final String label;

        StockTuning(String label) {
            this.label = label;
        }

        /** The name in tables. */
        public String label() {
            return label;
        }

        abstract void apply(Configuration site);
    }
}
