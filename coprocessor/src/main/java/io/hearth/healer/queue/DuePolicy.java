package io.hearth.healer.queue;

import io.hearth.healer.model.ReportedLocality;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.TableHealingMode;

/** Says whether a region of the queue is to be looked at, and when. Pure. */
final class DuePolicy {

    private DuePolicy() {}

    /** The region with the time at which to look at it. */
    static QueuedRegion scheduled(QueuedRegion queued, QueueConfig config) {
        if (!needsAttempt(queued, config) || queued.region().compaction().isRunning()) {
            return queued.dueAt(QueuedRegion.NEVER);
        }
        if (queued.lastResult().isEmpty()) {
            return queued.dueAt(queued.servedSinceMs() + config.regionStableMs());
        }
        if (!queued.inProgress() && queued.reportChanged()) {
            return queued.startingOver()
                    .dueAt(queued.lastEndMs() + config.backoff().delayMs(1));
        }
        return queued.dueAt(queued.lastEndMs() + config.backoff().delayMs(queued.attempts()));
    }

    /** Whether something calls for a look: a move, a low report, or an end that left something. */
    static boolean needsAttempt(QueuedRegion queued, QueueConfig config) {
        boolean unfinished = queued.lastResult().filter(AttemptResult::isOpen).isPresent();
        return queued.region().mode() != TableHealingMode.OFF
                && (queued.moved() || unfinished || isBelowThreshold(queued.region(), config));
    }

    /** Whether the server reports less than is asked for. */
    static boolean isBelowThreshold(ServedRegion region, QueueConfig config) {
        return region.reported().map(ReportedLocality::ratio).orElse(1.0) < config.threshold();
    }
}
