package io.hearth.bench.plan;

import io.hearth.balancer.load.LoadDimension;
import java.util.List;
import org.apache.hadoop.hbase.master.balancer.StockTuning;

/** Every run of one row. Immutable. */
public record RowResult(BenchRow row, List<OurRun> ours, List<StockRun> stock) {

    public RowResult {
        ours = List.copyOf(ours);
        stock = List.copyOf(stock);
    }

    /** The dimensions that this row is about, in their order. */
    public List<LoadDimension> dimensions() {
        return row.evennessBar().keySet().stream().sorted().toList();
    }

    /** The runs of the stock balancer with this configuration. */
    public List<StockRun> stock(StockTuning tuning) {
        return stock.stream().filter(run -> run.tuning() == tuning).toList();
    }
}
