// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.queue;

import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.queue.HealQueue.AttemptResult;
import java.util.Optional;

/**
 * What the queue remembers of one region. Immutable; each change makes a new one.
 *
 * @param region as it was at the last poll
 * @param servedSinceMs when it was first seen on its server
 * @param dueMs when to list its blocks; {@link #NEVER} if nothing calls for it, or it has to settle first
 * @param moved whether it came to its server while we watched, or somebody wants it checked, and its blocks were not seen
 *     there yet
 * @param attempts how often in a row its blocks were listed, since something was won by it
 * @param lastResult how that ended the last time; empty before the first time on this server
 * @param lastReportedRatio the reported locality at that time
 * @param lastEndMs when that was
 * @param inProgress whether it is being worked on
 */
record QueuedRegion(
        ServedRegion region,
        long servedSinceMs,
        long dueMs,
        boolean moved,
        int attempts,
        Optional<AttemptResult> lastResult,
        double lastReportedRatio,
        long lastEndMs,
        boolean inProgress) {

    static final long NEVER = Long.MAX_VALUE;

    /** Smaller changes of the reported locality are noise: a flush adds local bytes and raises it a little. */
    private static final double CHANGE = 0.001;

    static QueuedRegion arrived(ServedRegion region, boolean moved, long servedSinceMs) {
        return new QueuedRegion(region, servedSinceMs, NEVER, moved, 0, Optional.empty(), -1, 0, false);
    }

    QueuedRegion withRegion(ServedRegion now) {
        return new QueuedRegion(
                now, servedSinceMs, dueMs, moved, attempts, lastResult, lastReportedRatio, lastEndMs, inProgress);
    }

    QueuedRegion dueAt(long atMs) {
        return new QueuedRegion(
                region, servedSinceMs, atMs, moved, attempts, lastResult, lastReportedRatio, lastEndMs, inProgress);
    }

    QueuedRegion taken() {
        return new QueuedRegion(
                region, servedSinceMs, dueMs, moved, attempts, lastResult, lastReportedRatio, lastEndMs, true);
    }

    QueuedRegion putBack() {
        return new QueuedRegion(
                region, servedSinceMs, dueMs, moved, attempts, lastResult, lastReportedRatio, lastEndMs, false);
    }

    QueuedRegion startingOver() {
        return new QueuedRegion(
                region, servedSinceMs, dueMs, moved, 0, lastResult, ratio().orElse(-1.0), lastEndMs, inProgress);
    }

    QueuedRegion ended(AttemptResult result, long nowMs) {
        boolean stillUnseen = moved && result != AttemptResult.COMPLETED;
        return new QueuedRegion(
                region,
                servedSinceMs,
                NEVER,
                stillUnseen,
                attemptsAfter(result),
                Optional.of(result),
                ratio().orElse(-1.0),
                nowMs,
                false);
    }

    /** A NameNode that is away says nothing about the region. */
    private int attemptsAfter(AttemptResult result) {
        return switch (result) {
            case PROGRESSED -> 1;
            case UNKNOWN -> attempts;
            case COMPLETED, UNFINISHED, OBSOLETE -> attempts + 1;
        };
    }

    /** The reported locality; empty where it was not reported. */
    Optional<Double> ratio() {
        return region.reported().map(ReportedLocality::ratio);
    }

    boolean reportChanged() {
        return ratio().filter(now -> Math.abs(now - lastReportedRatio) > CHANGE).isPresent();
    }

    /** Whether something is left to be done: it waits for its blocks to be listed, or it is being worked on. */
    boolean isPending() {
        return inProgress || (dueMs != NEVER && lastResult.orElse(AttemptResult.UNFINISHED) != AttemptResult.COMPLETED);
    }

    /** Whether its bytes are on their way or will be: not where the last attempt won nothing, be it that its target is full. */
    boolean isGettingOn() {
        return inProgress
                || (isPending()
                        && lastResult.filter(AttemptResult.UNFINISHED::equals).isEmpty());
    }
}
