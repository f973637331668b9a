// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.common.model.LoadDimension;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.NullMarked;

/**
 * What the cost functions of the stock search know of heat: the engine's loads, and what the search is for. A failure counts as
 * no load. Confined to the balancer's lock.
 */
@NullMarked
final class HeatCostContext implements HeatCostFunction.LoadSource {

    private final BalanceEngine engine;
    private final Consumer<Throwable> failures;
    private boolean planned;
    private boolean ownsRegionCounts;
    private boolean keepsUnevenCounts;
    private boolean inNeedsBalance;

    HeatCostContext(BalanceEngine engine, Consumer<Throwable> failures) {
        this.engine = engine;
        this.failures = failures;
    }

    /**
     * A search may begin.
     *
     * @param isPlanned whether Hearth has planned
     * @param evensCounts whether Hearth evens numbers of regions
     * @param keepsUneven whether Hearth keeps numbers of regions uneven for reasons that the stock balancer does not know
     */
    void searchBegins(boolean isPlanned, boolean evensCounts, boolean keepsUneven) {
        planned = isPlanned;
        ownsRegionCounts = evensCounts || keepsUneven;
        keepsUnevenCounts = keepsUneven;
    }

    /** Whether the stock balancer's slop and its cost of region counts would undo what Hearth does. */
    boolean keepsUnevenCounts() {
        return keepsUnevenCounts;
    }

    /** Whether uneven numbers of regions are no reason for the stock search to begin: Hearth evens them, or keeps them so. */
    boolean ownsRegionCounts() {
        return ownsRegionCounts;
    }

    /** HBase asks whether there is enough to search for, or has been answered. */
    void setInNeedsBalance(boolean asks) {
        inNeedsBalance = asks;
    }

    @Override
    public double load(RegionInfo region, LoadDimension dimension) {
        return engine.load(HBaseNames.region(region))
                .map(load -> load.get(dimension))
                .orElse(0.0);
    }

    @Override
    public boolean isPlanned() {
        return planned;
    }

    @Override
    public boolean isInNeedsBalance() {
        return inNeedsBalance;
    }

    @Override
    public void failed(Throwable failure) {
        failures.accept(failure);
    }
}
