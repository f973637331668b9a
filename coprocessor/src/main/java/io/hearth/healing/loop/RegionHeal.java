package io.hearth.healing.loop;

import io.hearth.healing.execute.MoveState;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.trigger.LookResult;

/** The work on one region from its plan to the end of its last move. Mutable, owned by the loop's thread. */
final class RegionHeal {

    private final ServedRegion region;
    private int openMoves;
    private int healedMoves;
    private boolean unfinished;

    /** @param unfinished whether the plan leaves something for later */
    RegionHeal(ServedRegion region, int moves, boolean unfinished) {
        this.region = region;
        this.openMoves = moves;
        this.unfinished = unfinished;
    }

    ServedRegion region() {
        return region;
    }

    void ended(MoveState end) {
        openMoves--;
        switch (end) {
            case HEALED -> healedMoves++;
            case BOUNCED, UNSETTLED, FAILED, CANCELLED, GONE -> unfinished = true;
            case PLANNED, RUNNING, INCONCLUSIVE, COPIED -> throw new IllegalArgumentException(end + " is not an end.");
        }
    }

    boolean isOver() {
        return openMoves == 0;
    }

    /** Whether some replica has come home. */
    boolean hasChanged() {
        return healedMoves > 0;
    }

    LookResult result() {
        return unfinished ? LookResult.UNFINISHED : LookResult.SETTLED;
    }
}
