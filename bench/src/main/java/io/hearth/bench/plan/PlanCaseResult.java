// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan;

import io.hearth.common.model.LoadDimension;
import java.util.List;
import org.apache.hadoop.hbase.master.balancer.StockTuning;

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
}
