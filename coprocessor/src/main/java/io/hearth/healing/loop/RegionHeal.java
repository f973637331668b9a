package io.hearth.healing.loop;

import io.hearth.healing.execute.TrackedMove;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.plan.MovePlan;
import io.hearth.healing.trigger.LookResult;

/** The work on one region from its plan to the end of its last move. Mutable, owned by the loop's thread. */
final class RegionHeal {

    private final ServedRegion region;
    private final MovePlan plan;
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
        this.plan = plan;
        this.arrivedMs = arrivedMs;
        this.moves = moves;
        this.openMoves = moves;
        this.unfinished = plan.leavesSomethingForLater() || moves < plan.moves().size();
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
            case HEALED -> {
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
            case FAILED, BOUNCED, UNSETTLED, GONE -> unfinished = true;
            case PLANNED, RUNNING, INCONCLUSIVE, COPIED ->
                throw new IllegalArgumentException(end.state() + " is not an end.");
        }
    }

    boolean isOver() {
        return openMoves == 0;
    }

    /** Whether some replica has come home. */
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

    /** The locality that its server should report once it looks, by the NameNode's word. */
    double expectedLocality() {
        long totalBytes = plan.totalBytes();
        return totalBytes == 0 ? 1.0 : (double) (plan.localBytes() + healedBytes) / totalBytes;
    }

    LookResult result() {
        if (!unfinished) {
            return LookResult.SETTLED;
        }
        return healedMoves > 0 || noneWasTried() ? LookResult.TO_BE_CONTINUED : LookResult.UNFINISHED;
    }

    private boolean noneWasTried() {
        return moves > 0 && cancelledMoves == moves;
    }
}
