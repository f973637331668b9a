// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.queue.AssignmentDiff;
import io.hearth.healer.queue.HealQueue;
import io.hearth.healer.queue.PollHints;
import io.hearth.healer.spi.Assignments;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import io.hearth.healer.spi.Observed;
import java.util.Optional;

/**
 * Polls the assignments when the poll interval has passed, or earlier at a hint but at most once a second, and gives
 * each snapshot to the queue. Not thread-safe.
 */
final class AssignmentPoller {

    private static final long MIN_POLL_INTERVAL_MS = 1_000;

    private final Assignments assignments;
    private final PollHints hints;
    private final HealingMetrics metrics;
    private final HealQueue queue;
    private Optional<Long> lastPollMs = Optional.empty();

    AssignmentPoller(Assignments assignments, PollHints hints, HealQueue queue, HealingMetrics metrics) {
        this.assignments = assignments;
        this.hints = hints;
        this.queue = queue;
        this.metrics = metrics;
    }

    /** What has changed, if this was the time for a poll and the master could answer. */
    Optional<AssignmentDiff> doWork(HealingConfig config, long nowMs) {
        if (!isDue(config, nowMs)) {
            return Optional.empty();
        }
        hints.clear();
        lastPollMs = Optional.of(nowMs);
        metrics.add(HealingCounter.POLLS, 1);
        Observed<AssignmentSnapshot> snapshot = assignments.snapshot();
        return snapshot.ifKnown()
                .map(known -> queue.observe(known, LoopTuning.queue(config), assignments::heat, nowMs));
    }

    /** Makes the next turn poll, whatever was seen before. */
    void forgetLastPoll() {
        lastPollMs = Optional.empty();
    }

    private boolean isDue(HealingConfig config, long nowMs) {
        long waitedMs = lastPollMs.map(last -> nowMs - last).orElse(Long.MAX_VALUE);
        return waitedMs >= config.pollMs() || (waitedMs >= MIN_POLL_INTERVAL_MS && !hints.isEmpty());
    }
}
