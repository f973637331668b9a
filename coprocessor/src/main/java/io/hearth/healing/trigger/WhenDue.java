package io.hearth.healing.trigger;

import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.ReportedLocality;
import io.hearth.healing.model.ServedRegion;

/** Says whether a region of the queue is to be looked at, and when. Pure. */
final class WhenDue {

    private WhenDue() {}

    /** The region with the time at which to look at it. */
    static QueuedRegion scheduled(QueuedRegion queued, QueueRules rules) {
        if (!isWanted(queued, rules) || queued.region().compaction().isRunning()) {
            return queued.dueAt(QueuedRegion.NEVER);
        }
        if (queued.lastResult().isEmpty()) {
            return queued.dueAt(queued.servedSinceMs() + rules.settleMs());
        }
        if (!queued.inHand() && queued.reportChanged()) {
            return queued.startingOver()
                    .dueAt(queued.lastEndMs() + rules.backOff().delayMs(1));
        }
        return queued.dueAt(queued.lastEndMs() + rules.backOff().delayMs(queued.attempts()));
    }

    /** Whether something calls for a look: a move, a low report, or an end that left something. */
    static boolean isWanted(QueuedRegion queued, QueueRules rules) {
        boolean unfinished = queued.lastResult().filter(LookResult::isOpen).isPresent();
        return queued.region().mode() != HealMode.OFF
                && (queued.moved() || unfinished || isLow(queued.region(), rules));
    }

    /** Whether the server reports less than is asked for. */
    static boolean isLow(ServedRegion region, QueueRules rules) {
        return region.reported().map(ReportedLocality::ratio).orElse(1.0) < rules.threshold();
    }
}
