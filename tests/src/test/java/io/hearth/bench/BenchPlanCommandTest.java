package io.hearth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.bench.plan.BenchRow;
import io.hearth.bench.plan.Misses;
import io.hearth.bench.plan.OurRun;
import io.hearth.bench.plan.RowResult;
import io.hearth.bench.plan.StockRun;
import io.hearth.yardstick.PlanMeasure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.master.balancer.StockTuning;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchPlanCommandTest {

    private static final BenchRow READS = BenchRow.all().get(0);
    private static final BenchRow EVERYTHING = BenchRow.all().get(5);

    private static String error(String... arguments) {
        StringWriter err = new StringWriter();
        CommandLine command = BenchCommand.commandLine().setErr(new PrintWriter(err, true));
        assertThat(command.execute(arguments)).isEqualTo(2);
        return err.toString();
    }

    @Test
    void aWrongArgumentIsOneLine() {
        assertThat(error("plan", "--seeds", "0")).startsWith("hearth bench: --seeds is 0; allowed are 1 to 100 (");
        assertThat(error("plan", "--stock-seeds", "6"))
                .startsWith("hearth bench: --stock-seeds is 6; allowed are 0 to 5 (");
        assertThat(error("plan", "--sizes", "30"))
                .startsWith("hearth bench: --sizes has 30; allowed are [20, 100, 500, 1000, 7000] (");
    }

    private static PlanMeasure measure(int moves, double reads) {
        Map<LoadDimension, Double> shares =
                Map.of(LoadDimension.READS, reads, LoadDimension.WRITES, 1.01, LoadDimension.STORE_SIZE, 1.02);
        return new PlanMeasure(moves, shares, shares, 95, 105, 0);
    }

    private static OurRun ours(int moves, double reads, int leastMoves, double millis) {
        return new OurRun(
                1, measure(0, 1.5), measure(moves, reads), Map.of(LoadDimension.READS, 1.0), leastMoves, 1, millis, 1);
    }

    @Test
    void whatHoldsIsNotMissed() {
        assertThat(Misses.of(new RowResult(READS, List.of(ours(11, 1.02, 10, 19)), List.of())))
                .isEmpty();
    }

    @Test
    void eachBarThatDoesNotHoldIsNamedWithItsNumber() {
        assertThat(Misses.of(new RowResult(READS, List.of(ours(12, 1.03, 10, 25)), List.of())))
                .containsExactly(
                        "20 x 2,000, one: max/mean of reads is 1.0300 x its lower bound, above 1.02",
                        "20 x 2,000, one: the moves are 1.200 x the least, above 1.10",
                        "20 x 2,000, one: the plan takes 25.0 ms, above 20 ms");
    }

    @Test
    void movesAreHeldAgainstTunedStockWhereItIsAsEven() {
        StockRun stock = new StockRun(1, StockTuning.TUNED, measure(100, 1.01), 30_000, Optional.of(measure(30, 1.01)));

        assertThat(Misses.of(new RowResult(EVERYTHING, List.of(ours(20, 1.02, 20, 5)), List.of(stock))))
                .containsExactly(
                        "20 x 2,000, several: seed 1 takes 30 moves to be as even as tuned stock, more than 1/5 of"
                                + " its 100");
    }
}
