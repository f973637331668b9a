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
import java.util.function.IntSupplier;

/**
 * Polls the assignments when the poll interval has passed, or earlier at a hint but at most once a second, and gives
 * each snapshot to the queue. Both times are longer where the master's processor time is to be spared, but no longer than {@code
 * hearth.heal.region.stable.ms}: what has left a server since the last poll is healed for it no longer than that. Not thread-safe.
 */
final class AssignmentPoller {

    private static final long MIN_POLL_INTERVAL_MS = 1_000;

    private final Assignments assignments;
    private final PollHints hints;
    private final HealingMetrics metrics;
    private final HealQueue queue;
    private final IntSupplier stretch;
    private Optional<Long> lastPollMs = Optional.empty();

    /** @param stretch how many times longer than set it waits between two polls, at least 1 */
    AssignmentPoller(
            Assignments assignments, PollHints hints, HealQueue queue, HealingMetrics metrics, IntSupplier stretch) {
        this.assignments = assignments;
        this.hints = hints;
        this.queue = queue;
        this.metrics = metrics;
        this.stretch = stretch;
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
        long mostMs = Math.max(config.pollMs(), config.regionStableMs());
        int times = stretch.getAsInt();
        return waitedMs >= Math.min(mostMs, config.pollMs() * times)
                || (waitedMs >= Math.min(mostMs, MIN_POLL_INTERVAL_MS * times) && !hints.isEmpty());
    }
}
