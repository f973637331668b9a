package io.hearth.healing.execute;

import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.DataNode;

/**
 * A move and where it stands. Immutable; each change makes a new one.
 *
 * @param plannedMs when it was planned; what it was planned from is as old
 * @param failures how often a DataNode failed at it
 * @param refusals how often a DataNode was too busy for it
 * @param sinceMs when it came to its state
 * @param notBeforeMs when it may be started, at the earliest
 * @param detail what was last said about it, empty if nothing
 */
public record TrackedMove(
        BlockMove move,
        MoveState state,
        long plannedMs,
        int failures,
        int refusals,
        long sinceMs,
        long notBeforeMs,
        String detail) {

    static TrackedMove planned(BlockMove move, long nowMs) {
        return new TrackedMove(move, MoveState.PLANNED, nowMs, 0, 0, nowMs, nowMs, "");
    }

    /** The DataNode to copy from next: another one after each failure and each refusal. */
    public DataNode proxy() {
        return move.proxy(failures + refusals);
    }

    TrackedMove in(MoveState next, String why, long nowMs) {
        return new TrackedMove(move, state.to(next), plannedMs, failures, refusals, nowMs, notBeforeMs, why);
    }

    TrackedMove againAfterFailure(String why, long notBeforeMs, long nowMs) {
        return new TrackedMove(
                move, state.to(MoveState.PLANNED), plannedMs, failures + 1, refusals, nowMs, notBeforeMs, why);
    }

    TrackedMove againAfterRefusal(String why, long notBeforeMs, long nowMs) {
        return new TrackedMove(
                move, state.to(MoveState.PLANNED), plannedMs, failures, refusals + 1, nowMs, notBeforeMs, why);
    }
}
