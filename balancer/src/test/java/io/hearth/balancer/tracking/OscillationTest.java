// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import static io.hearth.balancer.tracking.TrackerSteps.A;
import static io.hearth.balancer.tracking.TrackerSteps.B;
import static io.hearth.balancer.tracking.TrackerSteps.C;
import static io.hearth.balancer.tracking.TrackerSteps.GROUP;
import static io.hearth.balancer.tracking.TrackerSteps.HOUR;
import static io.hearth.balancer.tracking.TrackerSteps.LOADED;
import static io.hearth.balancer.tracking.TrackerSteps.MINUTE;
import static io.hearth.balancer.tracking.TrackerSteps.R;
import static io.hearth.balancer.tracking.TrackerSteps.T0;
import static io.hearth.balancer.tracking.TrackerSteps.UNEVEN;
import static io.hearth.balancer.tracking.TrackerSteps.UNKNOWN_HEAT;
import static io.hearth.balancer.tracking.TrackerSteps.config;
import static io.hearth.balancer.tracking.TrackerSteps.move;
import static io.hearth.balancer.tracking.TrackerSteps.moveAndLand;
import static io.hearth.balancer.tracking.TrackerSteps.plan;
import static io.hearth.balancer.tracking.TrackerSteps.report;
import static io.hearth.balancer.tracking.TrackerSteps.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.MoveTrackerConfig;
import io.hearth.balancer.state.Pin;
import io.hearth.common.model.EncodedRegionName;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Cool-downs, and the breaker for regions that come back. */
class OscillationTest {

    private final MoveTracker tracker = new MoveTracker(config());

    private Pin pin(long nowMs) {
        return tracker.pins(nowMs).getOrDefault(R, Pin.FREE);
    }

    @Test
    void aRegionThatWeMovedCoolsFromItsLandingOn() {
        moveAndLand(tracker, R, A, B, T0);
        long completed = T0 + MINUTE;

        assertThat(pin(completed + 15 * MINUTE - 1)).isEqualTo(Pin.COOL_DOWN);
        assertThat(tracker.pinned(completed))
                .containsExactly(new PinnedRegion(
                        R,
                        TrackerSteps.TABLE,
                        B,
                        Pin.COOL_DOWN,
                        "Hearth",
                        "it was moved a short while ago: from a,16020,1 to b,16020,1",
                        completed,
                        completed + 15 * MINUTE));
        assertThat(pin(completed + 15 * MINUTE)).isEqualTo(Pin.FREE);
    }

    @Test
    void aReloadChangesTheCoolDownOfRegionsThatCoolAlready() {
        moveAndLand(tracker, R, A, B, T0);
        tracker.configure(config("cool.down.ms", "60000"), T0 + MINUTE);

        assertThat(pin(T0 + 2 * MINUTE)).isEqualTo(Pin.FREE);
    }

    @Test
    void aRegionThatComesBackIsFrozenAndTheLogSaysWhy() {
        moveAndLand(tracker, R, A, B, T0);
        moveAndLand(tracker, R, B, A, T0 + 30 * MINUTE);
        long frozen = T0 + 31 * MINUTE;

        assertThat(pin(frozen + 6 * HOUR - 1)).isEqualTo(Pin.OSCILLATING);
        assertThat(pin(frozen + 6 * HOUR)).isEqualTo(Pin.FREE);
        assertThat(texts(tracker.takeEvents()))
                .containsExactly(
                        "" + R + " of ns:t is left alone for 6 h: it came back to a,16020,1, which it had left 30"
                                + " min before");
        assertThat(tracker.pinned(frozen))
                .containsExactly(new PinnedRegion(
                        R,
                        TrackerSteps.TABLE,
                        A,
                        Pin.OSCILLATING,
                        "Hearth",
                        "it moved back and forth and is frozen for a time: from b,16020,1 to a,16020,1",
                        frozen,
                        frozen + 6 * HOUR));
    }

    @Test
    void aRoundTripOverAThirdServerIsToAndFroToo() {
        moveAndLand(tracker, R, A, B, T0);
        moveAndLand(tracker, R, B, C, T0 + 30 * MINUTE);
        assertThat(pin(T0 + HOUR)).isEqualTo(Pin.FREE);
        moveAndLand(tracker, R, C, A, T0 + HOUR);

        assertThat(pin(T0 + 2 * HOUR)).isEqualTo(Pin.OSCILLATING);
    }

    @Test
    void aRegionThatComesBackLongAfterIsNot() {
        moveAndLand(tracker, R, A, B, T0);
        moveAndLand(tracker, R, B, A, T0 + 6 * HOUR + MINUTE);

        assertThat(pin(T0 + 7 * HOUR)).isEqualTo(Pin.FREE);
    }

    @Test
    void aWindowOrATimeOfZeroFreezesNothing() {
        for (MoveTrackerConfig off :
                new MoveTrackerConfig[] {config("oscillation.freeze.ms", "0"), config("oscillation.window.ms", "0")}) {
            MoveTracker without = new MoveTracker(off);
            moveAndLand(without, R, A, B, T0);
            moveAndLand(without, R, B, A, T0 + 30 * MINUTE);

            assertThat(without.pins(T0 + HOUR)).isEmpty();
        }
    }

    @Test
    void aRegionThatNobodyHasReportedForAnHourIsForgotten() {
        moveAndLand(tracker, R, A, B, T0);
        moveAndLand(tracker, R, B, A, T0 + 30 * MINUTE);
        long lastSeen = T0 + 31 * MINUTE;

        tracker.observed(List.of(), UNKNOWN_HEAT, lastSeen + HOUR);
        assertThat(pin(lastSeen + HOUR)).isEqualTo(Pin.OSCILLATING);
        tracker.observed(List.of(), UNKNOWN_HEAT, lastSeen + HOUR + 1);
        assertThat(pin(lastSeen + HOUR + 1)).isEqualTo(Pin.FREE);
    }

    @Test
    void whatIsOverTakesNoRoom() {
        int bytesOfNothing = tracker.encode(T0).length;
        tracker.runStarted(T0);
        for (int number = 0; number < 100; number++) {
            tracker.planned(plan(move(TrackerSteps.region(number), A, B)), GROUP, Map.of(), UNEVEN, LOADED, T0);
        }
        EncodedRegionName[] regions =
                IntStream.range(0, 100).mapToObj(TrackerSteps::region).toArray(EncodedRegionName[]::new);
        for (long now = T0 + MINUTE; now <= T0 + 6 * HOUR + 2 * MINUTE; now += MINUTE) {
            tracker.observed(List.of(report(B, now, regions)), UNKNOWN_HEAT, now);
        }
        assertThat(tracker.encode(T0 + 7 * HOUR).length - bytesOfNothing)
                .as("only the ledger's entry is left")
                .isLessThan(300);
    }
}
