// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;

/**
 * A move and where it stands. Immutable; each change makes a new one.
 *
 * @param plannedMs when it was planned; what it was planned from is as old
 * @param failures how often a DataNode failed at it
 * @param rejections how often a DataNode was too busy for it
 * @param sinceMs when it came to its state
 * @param notBeforeMs when it may be started, at the earliest
 * @param detail what was last said about it, empty if nothing
 */
public record TrackedMove(
        BlockMove move,
        MoveState state,
        long plannedMs,
        int failures,
        int rejections,
        long sinceMs,
        long notBeforeMs,
        String detail) {

    static TrackedMove planned(BlockMove move, long nowMs) {
        return new TrackedMove(move, MoveState.PLANNED, nowMs, 0, 0, nowMs, nowMs, "");
    }

    /** The DataNode to copy from next: another one after each failure and each refusal. */
    public DataNode proxy() {
        return move.proxy(failures + rejections);
    }

    TrackedMove in(MoveState next, String why, long nowMs) {
        return new TrackedMove(move, state.to(next), plannedMs, failures, rejections, nowMs, notBeforeMs, why);
    }

    TrackedMove retryAfterFailure(String why, long notBeforeMs, long nowMs) {
        return new TrackedMove(
                move, state.to(MoveState.PLANNED), plannedMs, failures + 1, rejections, nowMs, notBeforeMs, why);
    }

    TrackedMove retryAfterRejection(String why, long notBeforeMs, long nowMs) {
        return new TrackedMove(
                move, state.to(MoveState.PLANNED), plannedMs, failures, rejections + 1, nowMs, notBeforeMs, why);
    }
}
