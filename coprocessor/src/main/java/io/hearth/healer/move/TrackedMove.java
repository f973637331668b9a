// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import java.util.EnumSet;
import java.util.Set;

/**
 * A move and where it stands. Immutable; each change makes a new one.
 *
 * @param plannedMs when it was planned; what it was planned from is as old
 * @param failures how often a DataNode failed at it
 * @param rejections how often a DataNode was too busy for it
 * @param proxyIndex which proxy it copies from, or would try first; counted on over the last of them in a circle
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
        int proxyIndex,
        long sinceMs,
        long notBeforeMs,
        String detail) {

    static TrackedMove planned(BlockMove move, long nowMs) {
        return new TrackedMove(move, MoveState.PLANNED, nowMs, 0, 0, 0, nowMs, nowMs, "");
    }

    /** The DataNode that it copies from, or would copy from first: another one after each failure and each refusal. */
    public DataNode proxy() {
        return move.proxy(proxyIndex);
    }

    /** The bytes that it copies from one rack into another: none where the proxy is in the target's rack. */
    public long bytesAcrossRacks() {
        return proxy().rack().equals(move.target().rack()) ? 0 : move.lengthBytes();
    }

    /** The same, asked of the target with this proxy. */
    TrackedMove running(int proxy, long nowMs) {
        MoveState next = state.to(MoveState.RUNNING);
        return new TrackedMove(move, next, plannedMs, failures, rejections, proxy, nowMs, notBeforeMs, "");
    }

    TrackedMove in(MoveState next, String why, long nowMs) {
        return new TrackedMove(
                move, state.to(next), plannedMs, failures, rejections, proxyIndex, nowMs, notBeforeMs, why);
    }

    TrackedMove retryAfterFailure(String why, long notBeforeMs, long nowMs) {
        return new TrackedMove(
                move,
                state.to(MoveState.PLANNED),
                plannedMs,
                failures + 1,
                rejections,
                proxyIndex + 1,
                nowMs,
                notBeforeMs,
                why);
    }

    TrackedMove retryAfterRejection(String why, long notBeforeMs, long nowMs) {
        return new TrackedMove(
                move,
                state.to(MoveState.PLANNED),
                plannedMs,
                failures,
                rejections + 1,
                proxyIndex + 1,
                nowMs,
                notBeforeMs,
                why);
    }

    /**
     * Where a move stands. The table of legal changes is {@link #successors()}; a change that is not in it is a mistake in our
     * code and fails in {@link #to}.
     */
    public enum MoveState {
        /** Waits for slots, for bytes, or for the end of a back-off. */
        PLANNED,
        /** The target DataNode was asked and has not answered. Holds its slots. */
        RUNNING,
        /** No answer in time, or none that says it; a copy may be under way. Holds its slots until somebody knows how it ended. */
        TIMED_OUT,
        /** The DataNode says that it has copied the block; the NameNode has not confirmed it. */
        COPIED,
        /** The NameNode confirms: a replica at the target, as many replicas as wanted, on as many racks as before. */
        VERIFIED,
        /** The NameNode deleted the new replica, or never took it in. */
        REVERTED,
        /** The file or the block was deleted meanwhile. */
        BLOCK_DELETED,
        /** The NameNode did not show the end within the time allowed. */
        INCONCLUSIVE,
        /** The DataNodes could not, more often than we try. */
        FAILED,
        /** The target has no room for it, or the privilege is missing: another attempt would end the same. */
        REFUSED,
        /** Not started, or not again: overtaken by what happened since it was planned, or planned too long ago. */
        CANCELLED;

        /** The states to which a move in this state may change. */
        public Set<MoveState> successors() {
            return switch (this) {
                case PLANNED -> EnumSet.of(RUNNING, CANCELLED);
                case RUNNING -> EnumSet.of(COPIED, TIMED_OUT, PLANNED, FAILED, REFUSED);
                case TIMED_OUT -> EnumSet.of(COPIED, VERIFIED, REVERTED, BLOCK_DELETED, INCONCLUSIVE, FAILED, REFUSED);
                case COPIED -> EnumSet.of(VERIFIED, REVERTED, BLOCK_DELETED, INCONCLUSIVE);
                case VERIFIED, REVERTED, BLOCK_DELETED, INCONCLUSIVE, FAILED, REFUSED, CANCELLED ->
                    EnumSet.noneOf(MoveState.class);
            };
        }

        /** This change, if it is legal. */
        public MoveState to(MoveState next) {
            if (!successors().contains(next)) {
                throw new IllegalStateException("A move can't change from " + this + " to " + next + ".");
            }
            return next;
        }

        public boolean isEnd() {
            return successors().isEmpty();
        }

        /** Whether a move in this state counts against the limits of concurrent moves. */
        public boolean holdsSlots() {
            return this == RUNNING || this == TIMED_OUT;
        }

        /** Whether only the NameNode can say how a move in this state ended. */
        public boolean awaitsNameNode() {
            return this == TIMED_OUT || this == COPIED;
        }
    }
}
