package io.hearth.bench.plan;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.yardstick.PlanMeasure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.master.balancer.StockTuning;

/** Holds the results to the bars: what does not hold, each in one sentence with the number and the bar. */
public final class Misses {

    /** Hearth's moves may be this share of tuned stock's, where that is no more even. */
    private static final double SHARE_OF_STOCK = 0.2;

    /** A bar is a target that the planner may meet exactly: less than what is printed is not a miss. */
    private static final double ROUNDING = 5e-5;

    private final RowResult result;
    private final List<String> misses = new ArrayList<>();

    private Misses(RowResult result) {
        this.result = result;
    }

    /** Every bar of this row that does not hold; for all seeds what is about the plan, for the median what is about time. */
    public static List<String> of(RowResult result) {
        Misses misses = new Misses(result);
        result.dimensions().forEach(misses::evenness);
        misses.moves();
        misses.regionCounts();
        misses.times();
        misses.againstStock();
        return List.copyOf(misses.misses);
    }

    private void evenness(LoadDimension dimension) {
        double bar = result.row().evennessBar().getOrDefault(dimension, 1.0);
        double worst = Numbers.worst(result.ours(), run -> run.evenness(dimension));
        if (worst > bar + ROUNDING) {
            miss("max/mean of %s is %.4f x its lower bound, above %.2f", dimension.label(), worst, bar);
        }
    }

    private void moves() {
        double bar = result.row().movesBar();
        double worst = Numbers.worst(result.ours(), OurRun::movesOverLeast);
        if (bar > 0 && worst > bar) {
            miss("the moves are %.3f x the least, above %.2f", worst, bar);
        }
    }

    private void regionCounts() {
        double mean = (double) result.row().regions() / result.row().servers();
        double most = Math.ceil(mean * (1 + BenchRow.SLOP));
        double fewest = Math.floor(mean * (1 - BenchRow.SLOP));
        for (OurRun run : result.ours()) {
            if (run.after().mostRegions() > most || run.after().fewestRegions() < fewest) {
                miss(
                        "seed %d leaves servers with %d to %d regions, outside %.0f to %.0f",
                        run.seed(), run.after().fewestRegions(), run.after().mostRegions(), fewest, most);
            }
        }
    }

    private void times() {
        double plan = Numbers.median(result.ours(), OurRun::planMillis);
        if (plan > result.row().millisBar()) {
            miss("the plan takes %.1f ms, above %d ms", plan, result.row().millisBar());
        }
        double snapshot = Numbers.median(result.ours(), OurRun::snapshotMillis);
        if (result.row().snapshotMillisBar() > 0 && snapshot > result.row().snapshotMillisBar()) {
            miss(
                    "the snapshot takes %.1f ms, above %d ms",
                    snapshot, result.row().snapshotMillisBar());
        }
    }

    /** Where the stock balancer found a plan, Hearth's that is as even is asked for and the moves are compared. */
    private void againstStock() {
        if (result.row().kind() == BenchRow.Kind.EVERYTHING) {
            for (StockRun stock : result.stock(StockTuning.TUNED)) {
                stock.oursAsEven().ifPresent(ours -> against(ours, stock));
            }
        }
    }

    private void against(PlanMeasure ours, StockRun stock) {
        if (ours.moves() > SHARE_OF_STOCK * stock.after().moves()) {
            miss(
                    "seed %d takes %d moves to be as even as tuned stock, more than 1/5 of its %d",
                    stock.seed(), ours.moves(), stock.after().moves());
        }
        for (LoadDimension dimension : result.dimensions()) {
            if (ours.maxOverMean(dimension) > stock.after().maxOverMean(dimension) + ROUNDING) {
                miss(
                        "seed %d brings max/mean of %s to %.4f only, tuned stock to %.4f",
                        stock.seed(),
                        dimension.label(),
                        ours.maxOverMean(dimension),
                        stock.after().maxOverMean(dimension));
            }
        }
    }

    private void miss(String format, Object... values) {
        misses.add(result.row().title() + ": " + String.format(Locale.ROOT, format, values));
    }
}
