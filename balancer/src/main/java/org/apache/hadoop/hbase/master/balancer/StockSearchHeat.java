package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.hbase.Names;
import io.hearth.balancer.load.LoadDimension;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.NullMarked;

/**
 * What the cost functions of the stock search know of heat: the engine's loads, and what the search is for. A failure counts as
 * no load. Confined to the balancer's lock.
 */
@NullMarked
final class StockSearchHeat implements HeatCostFunction.RegionLoads {

    private final BalanceEngine engine;
    private final Consumer<Throwable> failures;
    private boolean planned;
    private boolean countsAreOurs;
    private boolean askedWhetherToSearch;

    StockSearchHeat(BalanceEngine engine, Consumer<Throwable> failures) {
        this.engine = engine;
        this.failures = failures;
    }

    /**
     * A search may begin.
     *
     * @param isPlanned whether Hearth's planner has had its word
     * @param evensCounts whether numbers of regions are Hearth's to even
     */
    void searchBegins(boolean isPlanned, boolean evensCounts) {
        planned = isPlanned;
        countsAreOurs = evensCounts;
    }

    /** Whether numbers of regions are no reason to search: what Hearth leaves of them it leaves for the sake of heat. */
    boolean countsAreOurs() {
        return countsAreOurs;
    }

    /** HBase asks whether there is enough to search for, or has been answered. */
    void asksWhetherToSearch(boolean asks) {
        askedWhetherToSearch = asks;
    }

    @Override
    public double load(RegionInfo region, LoadDimension dimension) {
        return engine.load(Names.region(region), Names.table(region.getTable()))
                .map(load -> load.get(dimension))
                .orElse(0.0);
    }

    @Override
    public boolean isPlanned() {
        return planned;
    }

    @Override
    public boolean isAskedWhetherToSearch() {
        return askedWhetherToSearch;
    }

    @Override
    public void failed(Throwable failure) {
        failures.accept(failure);
    }
}
