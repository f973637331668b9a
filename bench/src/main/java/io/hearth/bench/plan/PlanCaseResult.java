// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan;

import io.hearth.common.model.LoadDimension;
import io.hearth.sim.oracle.PlanEvaluation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.master.balancer.StockSearch.StockTuning;

/** Every run of one row. Immutable. */
public record PlanCaseResult(PlanBenchCase row, List<HearthRun> hearth, List<StockRun> stock) {

    public PlanCaseResult {
        hearth = List.copyOf(hearth);
        stock = List.copyOf(stock);
    }

    /** The dimensions that this row is about, in their order. */
    public List<LoadDimension> dimensions() {
        return row.evennessThreshold().keySet().stream().sorted().toList();
    }

    /** The runs of the stock balancer with this configuration. */
    public List<StockRun> stock(StockTuning tuning) {
        return stock.stream().filter(run -> run.tuning() == tuning).toList();
    }

    /**
     * What one plan of Hearth's came to. Immutable.
     *
     * @param before the cluster before it
     * @param after the cluster after it
     * @param lowerBound least max/mean that any plan could reach, by dimension
     * @param countProblems servers with fewer or more regions than they may have after it, each in a sentence
     * @param leastMoves fewest moves that any plan could need to be as even
     * @param snapshotMillis time to build the snapshot, in milliseconds; median of the runs
     * @param planMillis time from the snapshot to the plan, warm, in milliseconds; median of the runs
     * @param planCpuMillis the processor's time of the same thread, which a busy machine does not stretch
     */
    public record HearthRun(
            long seed,
            PlanEvaluation before,
            PlanEvaluation after,
            Map<LoadDimension, Double> lowerBound,
            List<String> countProblems,
            int leastMoves,
            double snapshotMillis,
            double planMillis,
            double planCpuMillis) {

        public HearthRun {
            lowerBound = Map.copyOf(lowerBound);
            countProblems = List.copyOf(countProblems);
        }

        /** Max/mean of this dimension in multiples of the least that any plan could reach. */
        public double evenness(LoadDimension dimension) {
            return after.maxOverMean(dimension) / lowerBound.getOrDefault(dimension, 1.0);
        }

        /** Moves in multiples of the fewest that any plan could need; 1 where none are needed and none are made. */
        public double movesOverLeast() {
            return leastMoves == 0 ? 1 + after.moves() : (double) after.moves() / leastMoves;
        }
    }

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
}
