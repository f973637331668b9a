// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import io.hearth.bench.value.LayoutResult.Balancer;
import io.hearth.bench.value.LayoutResult.BalancingResult;
import io.hearth.bench.value.RateMeter.TriedRate;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Results as a run could have them. */
final class SampleDraws {

    private SampleDraws() {}

    static LatencySummary latencies(double p99Ms) {
        return new LatencySummary(9_000, 10.3, p99Ms, p99Ms * 1.5, p99Ms * 2);
    }

    static LayoutResult layout(Balancer balancer, int moves, double maxOverMean, double highest, double p99Ms) {
        return new LayoutResult(
                balancer,
                balancer == Balancer.CONTROL
                        ? Optional.empty()
                        : Optional.of(new BalancingResult(moves / 2, moves, latencies(2 * p99Ms), 0.4)),
                2_400,
                maxOverMean,
                List.of(new TriedRate(highest, 45), new TriedRate(1_440, p99Ms)),
                highest,
                latencies(p99Ms),
                0.4,
                0);
    }

    /** One in which every threshold holds. */
    static DrawResult good() {
        return new DrawResult(
                ValueRun.MEDIAN_DRAW,
                1.4,
                List.of(
                        layout(Balancer.CONTROL, 0, 1, 2_040, 20),
                        layout(Balancer.STOCK, 0, 1.4, 1_500, 40),
                        layout(Balancer.STOCK_TUNED, 80, 1.07, 1_920, 24),
                        layout(Balancer.HEARTH, 8, 1.02, 2_040, 21)));
    }

    /** The same with another line for that one's balancer. */
    static DrawResult with(DrawResult draw, LayoutResult layout) {
        List<LayoutResult> layouts = new ArrayList<>(draw.layouts());
        layouts.replaceAll(old -> old.balancer() == layout.balancer() ? layout : old);
        return new DrawResult(draw.number(), draw.skewInPlace(), layouts);
    }
}
