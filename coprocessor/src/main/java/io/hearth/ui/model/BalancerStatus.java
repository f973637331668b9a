// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.engine.Advice;
import io.hearth.balancer.engine.DailyAdvice;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.engine.ExcludedServers;
import io.hearth.balancer.tracking.PinnedRegion;
import io.hearth.balancer.tracking.Prediction;
import java.util.List;
import java.util.Optional;

/**
 * What the balancer says of itself. Immutable.
 *
 * @param installed whether this master's balancer is Hearth's; where it is not, the lists are empty
 * @param switchedOn whether HBase runs its balancer at all ({@code balance_switch})
 * @param adviseOnly why plans are only advice, as the end of a sentence; empty where they are carried out
 * @param closed the servers that are given no regions now
 * @param decisions the last plans that said something, newest first
 * @param predictionLog what runs predicted and what was observed, oldest first
 * @param advice what Hearth would have done beside what the stock balancer did, newest first
 * @param dailyAdvices the same day by day, oldest first
 */
public record BalancerStatus(
        boolean installed,
        boolean switchedOn,
        BalancerConfig config,
        Optional<String> adviseOnly,
        List<ExcludedServers.ExcludedServer> closed,
        List<Decision> decisions,
        List<PinnedRegion> pins,
        List<Prediction> predictionLog,
        List<Advice> advice,
        List<DailyAdvice> dailyAdvices) {

    public BalancerStatus {
        closed = List.copyOf(closed);
        decisions = List.copyOf(decisions);
        pins = List.copyOf(pins);
        predictionLog = List.copyOf(predictionLog);
        advice = List.copyOf(advice);
        dailyAdvices = List.copyOf(dailyAdvices);
    }
}
