// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.share.Skew;
import io.hearth.balancer.share.Skew.IncrementalVariation;
import io.hearth.common.model.LoadDimension;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.NullMarked;

/**
 * The unevenness of one dimension of heat as a cost of the stock search: from 0 (even) towards 1, whatever the unit, kept up to
 * date in constant time a step. It stands in for the stock cost over the same thing, whose samples can't be trusted.
 *
 * <p>Heat that is even enough costs 0: real heat is never quite even, and the stock search would otherwise move regions in every run
 * for differences that Hearth's planner leaves alone. Where that planner has planned, the unevenness that it left costs 0 too, however
 * large: beside a region above a fair share, or on servers of another capacity, the search would only shuffle regions. Only what makes
 * it worse costs something. A cost of 0 has next to no weight when HBase asks whether to search, so that the threshold for the other
 * costs is the one that the site has set.
 *
 * <p>Where anything fails the cost is 0 and the failure is counted: the stock search goes on without heat. One object serves
 * one balancer under that balancer's lock.
 */
@NullMarked
abstract class HeatCostFunction extends CostFunction {

    private final LoadDimension dimension;
    private final double evenEnoughCost;
    private final LoadSource loads;
    private IncrementalVariation variation = new IncrementalVariation(new double[0]);
    private double[] loadByRegion = new double[0];
    private double freeCost;

    /** What costs nothing counts for so little when HBase asks whether to search; with nothing at all 0 / 0 would start it. */
    private static final float WEIGHT_OF_NO_COST = 0.001f;

    /** Where the load of a region comes from, what the search is for, and who counts failures. */
    interface LoadSource {

        /** Nothing has any load. */
        LoadSource NONE = new LoadSource() {
            @Override
            public double load(RegionInfo region, LoadDimension dimension) {
                return 0;
            }

            @Override
            public boolean isPlanned() {
                return false;
            }

            @Override
            public boolean isInNeedsBalance() {
                return false;
            }

            @Override
            public void failed(Throwable cause) {}
        };

        /** The load of this region as it counts, in the dimension's unit; 0 where it is unknown. */
        double load(RegionInfo region, LoadDimension dimension);

        /** Whether Hearth's planner has planned the regions that the search is about. */
        boolean isPlanned();

        /** Whether HBase is asking now whether there is enough to search for. */
        boolean isInNeedsBalance();

        void failed(Throwable cause);
    }

    HeatCostFunction(LoadDimension dimension, Configuration given) {
        this(
                dimension,
                StockBalancerConfiguration.weight(given, dimension),
                StockBalancerConfiguration.evenEnough(given, dimension),
                StockBalancerConfiguration.loads(given));
    }

    /** @param evenEnough the coefficient of variation that costs nothing yet */
    HeatCostFunction(LoadDimension dimension, double multiplier, double evenEnough, LoadSource loads) {
        this.dimension = dimension;
        this.evenEnoughCost = Skew.asCost(evenEnough);
        this.freeCost = evenEnoughCost;
        this.loads = loads;
        setMultiplier((float) multiplier);
    }

    @Override
    void prepare(BalancerClusterState cluster) {
        super.prepare(cluster);
        try {
            double[] byServer = new double[cluster.numServers];
            double[] byRegion = new double[cluster.numRegions];
            for (int region = 0; region < cluster.numRegions; region++) {
                byRegion[region] = loads.load(cluster.regions[region], dimension);
                int server = cluster.regionIndexToServerIndex[region];
                if (server >= 0) {
                    byServer[server] += byRegion[region];
                }
            }
            loadByRegion = byRegion;
            variation = new IncrementalVariation(byServer);
            freeCost = loads.isPlanned() ? Math.max(evenEnoughCost, wholeCost()) : evenEnoughCost;
        } catch (Throwable failure) {
            giveUp(failure);
        }
    }

    @Override
    protected void regionMoved(int region, int oldServer, int newServer) {
        if (region >= loadByRegion.length) {
            return;
        }
        try {
            if (oldServer < 0) {
                variation.add(newServer, loadByRegion[region]);
            } else {
                variation.move(oldServer, newServer, loadByRegion[region]);
            }
        } catch (Throwable failure) {
            giveUp(failure);
        }
    }

    @Override
    protected double cost() {
        return Math.max(0, wholeCost() - freeCost);
    }

    private double wholeCost() {
        return Skew.asCost(variation.coefficientOfVariation());
    }

    @Override
    float getMultiplier() {
        boolean hasNoSay = loads.isInNeedsBalance() && super.getMultiplier() > 0 && cost() <= 0;
        return hasNoSay ? WEIGHT_OF_NO_COST : super.getMultiplier();
    }

    private void giveUp(Throwable failure) {
        loadByRegion = new double[0];
        variation = new IncrementalVariation(new double[0]);
        freeCost = evenEnoughCost;
        loads.failed(failure);
    }

    /** The unevenness of reads over the servers, by Hearth's heat model. */
    static final class ReadHeatCostFunction extends HeatCostFunction {

        /** HBase makes it so. */
        ReadHeatCostFunction(Configuration given) {
            super(LoadDimension.READS, given);
        }

        ReadHeatCostFunction(double multiplier, double evenEnough, LoadSource loads) {
            super(LoadDimension.READS, multiplier, evenEnough, loads);
        }
    }

    /** The unevenness of writes over the servers, by Hearth's heat model. */
    static final class WriteHeatCostFunction extends HeatCostFunction {

        /** HBase makes it so. */
        WriteHeatCostFunction(Configuration given) {
            super(LoadDimension.WRITES, given);
        }

        WriteHeatCostFunction(double multiplier, double evenEnough, LoadSource loads) {
            super(LoadDimension.WRITES, multiplier, evenEnough, loads);
        }
    }

    /** The unevenness of store size over the servers, by Hearth's heat model. */
    static final class StoreSizeCostFunction extends HeatCostFunction {

        /** HBase makes it so. */
        StoreSizeCostFunction(Configuration given) {
            super(LoadDimension.STORE_SIZE, given);
        }

        StoreSizeCostFunction(double multiplier, double evenEnough, LoadSource loads) {
            super(LoadDimension.STORE_SIZE, multiplier, evenEnough, loads);
        }
    }
}
