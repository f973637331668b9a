// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import io.hearth.bench.value.LayoutResult.Balancer;
import io.hearth.bench.value.LayoutResult.BalancingResult;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What came of one draw of how often regions are asked.
 *
 * @param number which of {@link ValueRun#DRAWS}
 * @param skewInPlace max/mean of requests before any region has moved
 * @param layouts one for each balancer
 */
public record DrawResult(int number, double skewInPlace, List<LayoutResult> layouts) {

    public DrawResult {
        layouts = List.copyOf(layouts);
    }

    /** @throws java.util.NoSuchElementException if that balancer was left out */
    LayoutResult of(Balancer balancer) {
        return layouts.stream()
                .filter(layout -> layout.balancer() == balancer)
                .findFirst()
                .orElseThrow();
    }

    /** What says whether the machine was idle enough for it. */
    MachineCheck machine() {
        return CheckedResults.of(of(Balancer.CONTROL), layouts, LayoutResult::idle)
                .machine();
    }

    /** Hearth's highest rate over that of another. */
    double rateOver(Balancer other) {
        return of(Balancer.HEARTH).highestPerSecond() / of(other).highestPerSecond();
    }

    /** Hearth's p99 over an even load's, both at 60 % of what all servers together are made to answer. */
    double p99OverControl() {
        return of(Balancer.HEARTH).atSixty().p99Ms()
                / of(Balancer.CONTROL).atSixty().p99Ms();
    }

    /** The regions that Hearth moved over those of the tuned stock balancer's first plan. */
    double movesOverTuned() {
        return moves(Balancer.HEARTH, BalancingResult::moves)
                / moves(Balancer.STOCK_TUNED, BalancingResult::firstMoves);
    }

    private double moves(Balancer balancer, ToDoubleFunction<BalancingResult> moves) {
        return of(balancer).balancing().stream().mapToDouble(moves).sum();
    }
}
