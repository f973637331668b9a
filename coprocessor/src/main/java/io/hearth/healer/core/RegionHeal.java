// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.move.TrackedMove;
import io.hearth.healer.plan.MovePlan;
import io.hearth.healer.queue.HealQueue.AttemptResult;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** The work on one region from its plan to the end of its last move. Mutable, owned by the loop's thread. */
final class RegionHeal {

    private final ServedRegion region;
    private final long localBytes;
    private final long totalBytes;
    private final Map<SkipReason, Long> skipped;
    private final long arrivedMs;
    private final int moves;
    private int openMoves;
    private int healedMoves;
    private int refusedMoves;
    private int cancelledMoves;
    private long healedBytes;
    private boolean unfinished;

    /**
     * @param moves how many of the plan's moves were taken up
     * @param arrivedMs when the region was first seen on this server
     */
    RegionHeal(ServedRegion region, MovePlan plan, int moves, long arrivedMs) {
        this.region = region;
        this.localBytes = plan.localBytes();
        this.totalBytes = plan.totalBytes();
        this.skipped = new EnumMap<>(SkipReason.class);
        this.skipped.putAll(plan.skippedByReason());
        this.skipped.remove(SkipReason.ALREADY_LOCAL);
        this.arrivedMs = arrivedMs;
        this.moves = moves;
        this.openMoves = moves;
        this.unfinished = plan.hasRetryableSkips() || moves < plan.moves().size();
    }

    ServedRegion region() {
        return region;
    }

    long arrivedMs() {
        return arrivedMs;
    }

    void ended(TrackedMove end) {
        openMoves--;
        switch (end.state()) {
            case VERIFIED -> {
                healedMoves++;
                healedBytes += end.move().lengthBytes();
            }
            case REFUSED -> {
                refusedMoves++;
                unfinished = true;
            }
            case CANCELLED -> {
                cancelledMoves++;
                unfinished = true;
            }
            case FAILED, REVERTED, INCONCLUSIVE, BLOCK_DELETED -> unfinished = true;
            case PLANNED, RUNNING, TIMED_OUT, COPIED ->
                throw new IllegalArgumentException(end.state() + " is not an end.");
        }
    }

    boolean isOver() {
        return openMoves == 0;
    }

    /** What the plan left where it is, and why. */
    Map<SkipReason, Long> skipped() {
        return Collections.unmodifiableMap(skipped);
    }

    /** Whether some replica was moved. */
    boolean hasChanged() {
        return healedMoves > 0;
    }

    /** Whether DataNodes would make none of its moves, and would not the next time either. */
    boolean isRefused() {
        return refusedMoves > 0 && healedMoves == 0;
    }

    int healedMoves() {
        return healedMoves;
    }

    long healedBytes() {
        return healedBytes;
    }

    /** The locality that its server should report once it looks, according to the NameNode. */
    double expectedLocality() {
        return totalBytes == 0 ? 1.0 : (double) (localBytes + healedBytes) / totalBytes;
    }

    AttemptResult result() {
        if (!unfinished) {
            return AttemptResult.COMPLETED;
        }
        return healedMoves > 0 || noneStarted() ? AttemptResult.PROGRESSED : AttemptResult.UNFINISHED;
    }

    private boolean noneStarted() {
        return moves > 0 && cancelledMoves == moves;
    }
}
