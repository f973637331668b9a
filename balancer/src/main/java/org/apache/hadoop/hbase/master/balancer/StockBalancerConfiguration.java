// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.config.GoalConfig;
import io.hearth.balancer.config.MoveSettings;
import io.hearth.balancer.hbase.ObjectStoreRoot;
import io.hearth.common.model.LoadDimension;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.master.balancer.HeatCostFunction.ReadHeatCostFunction;
import org.apache.hadoop.hbase.master.balancer.HeatCostFunction.StoreSizeCostFunction;
import org.apache.hadoop.hbase.master.balancer.HeatCostFunction.WriteHeatCostFunction;
import org.jspecify.annotations.NullMarked;

/**
 * The copy of the site's configuration that the stock balancer reads: in it the stock costs that heat replaces weigh 0, and
 * Hearth's are named as additional cost functions before those that the site names.
 *
 * <p>HBase makes an additional cost function by its constructor with the configuration, so that this object also carries what
 * they need. (HBase 2.6 has {@code createCostFunctions} for that, but 3.0.0-alpha-4 has not.)
 */
@NullMarked
final class StockBalancerConfiguration extends Configuration {

    private static final String ADDITIONAL = "hbase.master.balancer.stochastic.additionalCostFunctions";
    private static final List<String> REPLACED_STOCK_COSTS = List.of(
            "hbase.master.balancer.stochastic.readRequestCost",
            "hbase.master.balancer.stochastic.writeRequestCost",
            "hbase.master.balancer.stochastic.storefileSizeCost");

    private static final String USE_LOCALITY = "hbase.master.balancer.uselocality";

    /** HBase makes a cost by its class, so each has one. Other dimensions are Hearth's planner's alone, which also judges stock's plans. */
    private static final Map<LoadDimension, Class<? extends HeatCostFunction>> COST_FUNCTIONS = new EnumMap<>(Map.of(
            LoadDimension.READS, ReadHeatCostFunction.class,
            LoadDimension.WRITES, WriteHeatCostFunction.class,
            LoadDimension.STORE_SIZE, StoreSizeCostFunction.class));

    private final GoalConfig goals;
    private final HeatCostFunction.LoadSource loads;

    StockBalancerConfiguration(Configuration site, GoalConfig goals, HeatCostFunction.LoadSource loads) {
        super(site);
        this.loads = loads;
        this.goals = goals;
        List<String> functions = new ArrayList<>();
        COST_FUNCTIONS.forEach((dimension, function) -> {
            if (goals.of(dimension).isWeighed()) {
                functions.add(function.getName());
            }
        });
        String ofSite = site.get(ADDITIONAL, "");
        if (!ofSite.isBlank()) {
            functions.add(ofSite);
        }
        set(ADDITIONAL, String.join(",", functions));
        REPLACED_STOCK_COSTS.forEach(key -> setFloat(key, 0));
        if (ObjectStoreRoot.of(site).isPresent()) {
            setBoolean(USE_LOCALITY, false);
        }
        // Stock would abort the master at a value that is no number; ours has been read, and reported, already.
        setFloat(MoveSettings.REGION_COUNT_COST.key(), (float) goals.moves().regionCountCost());
        setFloat(MoveSettings.TABLE_SKEW_COST.key(), (float) goals.moves().tableSkewCost());
    }

    /** The weight of this cost; 0 for a site that names one of Hearth's costs itself. */
    static double weight(Configuration given, LoadDimension dimension) {
        return given instanceof StockBalancerConfiguration ours
                ? ours.goals.of(dimension).weight()
                : 0;
    }

    /**
     * The coefficient of variation that costs nothing yet: as far as loads may vary before a plan of ours is made, taking the
     * excess of max/mean for the measure.
     */
    static double evenEnough(Configuration given, LoadDimension dimension) {
        return given instanceof StockBalancerConfiguration ours
                ? ours.goals.of(dimension).trigger() - 1
                : 0;
    }

    /** Where the cost reads loads from; a site that names one of Hearth's costs itself has none. */
    static HeatCostFunction.LoadSource loads(Configuration given) {
        return given instanceof StockBalancerConfiguration ours ? ours.loads : HeatCostFunction.LoadSource.NONE;
    }
}
