package io.hearth.bench.plan;

import io.hearth.yardstick.PlanMeasure;
import java.util.Optional;
import org.apache.hadoop.hbase.master.balancer.StockTuning;

/**
 * What one plan of the stock balancer came to. Immutable.
 *
 * @param after the cluster after it
 * @param millis how long the search took, in milliseconds
 * @param oursAsEven the cluster after Hearth's plan, when that is asked to be as even as this; empty where the stock balancer
 *     found no plan
 */
public record StockRun(
        long seed, StockTuning tuning, PlanMeasure after, long millis, Optional<PlanMeasure> oursAsEven) {}
