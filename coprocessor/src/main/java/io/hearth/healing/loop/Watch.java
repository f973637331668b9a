package io.hearth.healing.loop;

import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingMetrics;
import io.hearth.healing.observe.Assignments;
import io.hearth.healing.observe.ClusterLook;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.trigger.AssignmentDiff;
import io.hearth.healing.trigger.HealQueue;
import io.hearth.healing.trigger.HintBox;
import java.util.Optional;

/**
 * Looks at the assignments when the poll interval has passed, or earlier at a hint but at most once a second, and keeps the
 * queue. Not thread-safe.
 */
final class Watch {

    private static final long BETWEEN_HINTED_LOOKS_MS = 1_000;

    private final Assignments assignments;
    private final HintBox hints;
    private final HealingMetrics metrics;
    private final HealQueue queue;
    private Optional<Long> lastLookMs = Optional.empty();

    Watch(Assignments assignments, HintBox hints, HealQueue queue, HealingMetrics metrics) {
        this.assignments = assignments;
        this.hints = hints;
        this.queue = queue;
        this.metrics = metrics;
    }

    /** What has changed, if this was the time for a look and the master could answer. */
    Optional<AssignmentDiff> doWork(HealingConfig config, long nowMs) {
        if (!isDue(config, nowMs)) {
            return Optional.empty();
        }
        hints.take();
        lastLookMs = Optional.of(nowMs);
        metrics.add(HealingCounter.LOOKS, 1);
        Observed<ClusterLook> look = assignments.look();
        return look.ifKnown().map(known -> queue.observe(known, Rules.queue(config), assignments::heat, nowMs));
    }

    /** Makes the next turn look, whatever was seen before. */
    void forgetLastLook() {
        lastLookMs = Optional.empty();
    }

    private boolean isDue(HealingConfig config, long nowMs) {
        long waitedMs = lastLookMs.map(last -> nowMs - last).orElse(Long.MAX_VALUE);
        return waitedMs >= config.pollMs() || (waitedMs >= BETWEEN_HINTED_LOOKS_MS && !hints.isEmpty());
    }
}
