package io.hearth.web.model;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.engine.Advice;
import io.hearth.balancer.engine.AdviceDay;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.steering.LedgerEntry;
import io.hearth.balancer.steering.PinnedRegion;
import java.util.List;
import java.util.Optional;

/**
 * What the balancer says of itself. Immutable.
 *
 * @param installed whether this master's balancer is Hearth's; where it is not, the lists are empty
 * @param switchedOn whether HBase runs its balancer at all ({@code balance_switch})
 * @param adviseOnly why plans are only advice, as the end of a sentence; empty where they are carried out
 * @param decisions the last plans that said something, newest first
 * @param ledger what runs predicted and what came of it, oldest first
 * @param advice what Hearth would have done beside what the stock balancer did, newest first
 * @param adviceDays the same day by day, oldest first
 */
public record BalancerWord(
        boolean installed,
        boolean switchedOn,
        BalancerConfig config,
        Optional<String> adviseOnly,
        List<Decision> decisions,
        List<PinnedRegion> pins,
        List<LedgerEntry> ledger,
        List<Advice> advice,
        List<AdviceDay> adviceDays) {

    public BalancerWord {
        decisions = List.copyOf(decisions);
        pins = List.copyOf(pins);
        ledger = List.copyOf(ledger);
        advice = List.copyOf(advice);
        adviceDays = List.copyOf(adviceDays);
    }
}
