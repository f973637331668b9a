// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan;

import io.hearth.sim.oracle.PlanEvaluation;
import java.util.Optional;
import org.apache.hadoop.hbase.master.balancer.StockTuning;

/**
 * What one plan of the stock balancer came to. Immutable.
 *
 * @param after the cluster after it
 * @param millis how long the search took, in milliseconds
 * @param hearthAsEven the cluster after Hearth's plan, when that is asked to be as even as this; empty where the stock balancer
 *     found no plan
 */
public record StockRun(
        long seed, StockTuning tuning, PlanEvaluation after, long millis, Optional<PlanEvaluation> hearthAsEven) {}
