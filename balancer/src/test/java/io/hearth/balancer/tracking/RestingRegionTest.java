// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import static io.hearth.balancer.tracking.TrackerSteps.A;
import static io.hearth.balancer.tracking.TrackerSteps.B;
import static io.hearth.balancer.tracking.TrackerSteps.C;
import static io.hearth.balancer.tracking.TrackerSteps.HOUR;
import static io.hearth.balancer.tracking.TrackerSteps.MINUTE;
import static io.hearth.balancer.tracking.TrackerSteps.R;
import static io.hearth.balancer.tracking.TrackerSteps.T0;
import static io.hearth.balancer.tracking.TrackerSteps.TABLE;
import static io.hearth.balancer.tracking.TrackerSteps.UNKNOWN_HEAT;
import static io.hearth.balancer.tracking.TrackerSteps.config;
import static io.hearth.balancer.tracking.TrackerSteps.moveAndLand;
import static io.hearth.balancer.tracking.TrackerSteps.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.state.Pin;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A region that a plan for heat moved is left alone by heat for a day, unless something really changes. */
class RestingRegionTest {

    private static final String[] A_DAY = {"rest.ms", "86400000"};
    private static final long COMPLETED = T0 + MINUTE;

    private long shiftedAtMs = Long.MIN_VALUE;
    private final MoveTracker tracker = new MoveTracker(config(A_DAY), region -> shiftedAtMs);

    private Pin pin(long nowMs) {
        return tracker.pins(nowMs).getOrDefault(R, Pin.FREE);
    }

    @Test
    void itRestsForADayAfterItsCoolDown() {
        moveAndLand(tracker, R, A, B, T0);
        assertThat(pin(COMPLETED + 15 * MINUTE - 1)).isEqualTo(Pin.COOL_DOWN);
        assertThat(pin(COMPLETED + 15 * MINUTE)).isEqualTo(Pin.RESTING);
        assertThat(pin(COMPLETED + 24 * HOUR - 1)).isEqualTo(Pin.RESTING);
        assertThat(pin(COMPLETED + 24 * HOUR)).isEqualTo(Pin.FREE);
    }

    @Test
    void aShiftOfItsLoadEndsTheRestAndNotTheCoolDown() {
        moveAndLand(tracker, R, A, B, T0);
        shiftedAtMs = COMPLETED;
        assertThat(pin(COMPLETED + HOUR)).as("it was moved because of that").isEqualTo(Pin.RESTING);
        shiftedAtMs = COMPLETED + 1;
        assertThat(pin(COMPLETED + MINUTE)).isEqualTo(Pin.COOL_DOWN);
        assertThat(pin(COMPLETED + HOUR)).isEqualTo(Pin.FREE);
    }

    @Test
    void aServerThatComesOrGoesEndsTheRest() {
        moveAndLand(tracker, R, A, B, T0);
        tracker.observed(List.of(report(B, COMPLETED + MINUTE, R)), UNKNOWN_HEAT, COMPLETED + MINUTE);
        assertThat(pin(COMPLETED + HOUR)).isEqualTo(Pin.RESTING);
        tracker.observed(
                List.of(report(B, COMPLETED + HOUR, R), report(C, COMPLETED + HOUR)), UNKNOWN_HEAT, COMPLETED + HOUR);
        assertThat(pin(COMPLETED + HOUR)).isEqualTo(Pin.FREE);
    }

    /** The clock ran two hours ahead when the server came, and was set right before the region moved. */
    @Test
    void aServerThatCameByAClockThatWasAheadEndsNoLaterRest() {
        tracker.observed(List.of(report(C, T0)), UNKNOWN_HEAT, T0 + 2 * HOUR);
        tracker.observed(List.of(report(B, T0)), UNKNOWN_HEAT, T0 + 2 * HOUR);
        moveAndLand(tracker, R, A, B, T0);
        assertThat(pin(COMPLETED + HOUR)).isEqualTo(Pin.RESTING);
    }

    @Test
    void onAServerThatNothingElseCanHelpItEnds() {
        moveAndLand(tracker, R, A, B, T0);
        tracker.endRest(Set.of(A));
        assertThat(pin(COMPLETED + HOUR)).as("it has left that one").isEqualTo(Pin.RESTING);
        tracker.endRest(Set.of(B));
        assertThat(pin(COMPLETED + HOUR)).isEqualTo(Pin.FREE);
    }

    @Test
    void aMoveOfTheStockBalancerNeedsNone() {
        tracker.runStarted(T0);
        tracker.plannedByStock(R, TABLE, A, B, T0);
        TrackerSteps.land(tracker, R, B, COMPLETED);
        assertThat(pin(COMPLETED + HOUR)).isEqualTo(Pin.FREE);
    }

    @Test
    void theNextMasterKnows() {
        moveAndLand(tracker, R, A, B, T0);
        MoveTracker next = new MoveTracker(config(A_DAY));
        next.restore(tracker.encode(COMPLETED + HOUR), COMPLETED + HOUR);
        assertThat(next.pins(COMPLETED + HOUR)).containsEntry(R, Pin.RESTING);
    }
}
