package io.hearth.balancer.steering;

import static io.hearth.balancer.steering.Steps.A;
import static io.hearth.balancer.steering.Steps.B;
import static io.hearth.balancer.steering.Steps.C;
import static io.hearth.balancer.steering.Steps.GROUP;
import static io.hearth.balancer.steering.Steps.HOUR;
import static io.hearth.balancer.steering.Steps.LOADED;
import static io.hearth.balancer.steering.Steps.MINUTE;
import static io.hearth.balancer.steering.Steps.R;
import static io.hearth.balancer.steering.Steps.T0;
import static io.hearth.balancer.steering.Steps.UNEVEN;
import static io.hearth.balancer.steering.Steps.UNKNOWN_HEAT;
import static io.hearth.balancer.steering.Steps.config;
import static io.hearth.balancer.steering.Steps.move;
import static io.hearth.balancer.steering.Steps.moveAndLand;
import static io.hearth.balancer.steering.Steps.plan;
import static io.hearth.balancer.steering.Steps.report;
import static io.hearth.balancer.steering.Steps.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.SteeringConfig;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.snapshot.Pin;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Cool-downs, and the breaker for regions that come back. */
class ToAndFroTest {

    private final Steering steering = new Steering(config());

    private Pin pin(long nowMs) {
        return steering.pins(nowMs).getOrDefault(R, Pin.FREE);
    }

    @Test
    void aRegionThatWeMovedCoolsFromItsLandingOn() {
        moveAndLand(steering, R, A, B, T0);
        long landed = T0 + MINUTE;

        assertThat(pin(landed + 15 * MINUTE - 1)).isEqualTo(Pin.COOLING);
        assertThat(steering.pinned(landed))
                .containsExactly(new PinnedRegion(
                        R,
                        Steps.TABLE,
                        B,
                        Pin.COOLING,
                        "Hearth",
                        "it was moved a short while ago: from a,16020,1 to b,16020,1",
                        landed,
                        landed + 15 * MINUTE));
        assertThat(pin(landed + 15 * MINUTE)).isEqualTo(Pin.FREE);
    }

    @Test
    void aReloadChangesTheCoolDownOfRegionsThatCoolAlready() {
        moveAndLand(steering, R, A, B, T0);
        steering.configure(config("cool.down.ms", "60000"), T0 + MINUTE);

        assertThat(pin(T0 + 2 * MINUTE)).isEqualTo(Pin.FREE);
    }

    @Test
    void aRegionThatComesBackIsFrozenAndTheLogSaysWhy() {
        moveAndLand(steering, R, A, B, T0);
        moveAndLand(steering, R, B, A, T0 + 30 * MINUTE);
        long frozen = T0 + 31 * MINUTE;

        assertThat(pin(frozen + 6 * HOUR - 1)).isEqualTo(Pin.FROZEN);
        assertThat(pin(frozen + 6 * HOUR)).isEqualTo(Pin.FREE);
        assertThat(texts(steering.takeNews()))
                .containsExactly(
                        "" + R + " of ns:t is left alone for 6 h: it came back to a,16020,1, which it had left 30"
                                + " min before");
        assertThat(steering.pinned(frozen))
                .containsExactly(new PinnedRegion(
                        R,
                        Steps.TABLE,
                        A,
                        Pin.FROZEN,
                        "Hearth",
                        "it went to and fro and is left alone for a time: from b,16020,1 to a,16020,1",
                        frozen,
                        frozen + 6 * HOUR));
    }

    @Test
    void aRoundTripOverAThirdServerIsToAndFroToo() {
        moveAndLand(steering, R, A, B, T0);
        moveAndLand(steering, R, B, C, T0 + 30 * MINUTE);
        assertThat(pin(T0 + HOUR)).isEqualTo(Pin.FREE);
        moveAndLand(steering, R, C, A, T0 + HOUR);

        assertThat(pin(T0 + 2 * HOUR)).isEqualTo(Pin.FROZEN);
    }

    @Test
    void aRegionThatComesBackLongAfterIsNot() {
        moveAndLand(steering, R, A, B, T0);
        moveAndLand(steering, R, B, A, T0 + 6 * HOUR + MINUTE);

        assertThat(pin(T0 + 7 * HOUR)).isEqualTo(Pin.FREE);
    }

    @Test
    void aWindowOrATimeOfZeroFreezesNothing() {
        for (SteeringConfig off : new SteeringConfig[] {config("frozen.ms", "0"), config("return.window.ms", "0")}) {
            Steering without = new Steering(off);
            moveAndLand(without, R, A, B, T0);
            moveAndLand(without, R, B, A, T0 + 30 * MINUTE);

            assertThat(without.pins(T0 + HOUR)).isEmpty();
        }
    }

    @Test
    void aRegionThatNobodyHasReportedForAnHourIsForgotten() {
        moveAndLand(steering, R, A, B, T0);
        moveAndLand(steering, R, B, A, T0 + 30 * MINUTE);
        long lastSeen = T0 + 31 * MINUTE;

        steering.observed(List.of(), UNKNOWN_HEAT, lastSeen + HOUR);
        assertThat(pin(lastSeen + HOUR)).isEqualTo(Pin.FROZEN);
        steering.observed(List.of(), UNKNOWN_HEAT, lastSeen + HOUR + 1);
        assertThat(pin(lastSeen + HOUR + 1)).isEqualTo(Pin.FREE);
    }

    @Test
    void whatIsOverTakesNoRoom() {
        int bytesOfNothing = steering.encode(T0).length;
        steering.runStarted(T0);
        for (int number = 0; number < 100; number++) {
            steering.planned(plan(move(Steps.region(number), A, B)), GROUP, Map.of(), UNEVEN, LOADED, T0);
        }
        RegionId[] regions = IntStream.range(0, 100).mapToObj(Steps::region).toArray(RegionId[]::new);
        for (long now = T0 + MINUTE; now <= T0 + 6 * HOUR + 2 * MINUTE; now += MINUTE) {
            steering.observed(List.of(report(B, now, regions)), UNKNOWN_HEAT, now);
        }
        assertThat(steering.encode(T0 + 7 * HOUR).length - bytesOfNothing)
                .as("only the ledger's entry is left")
                .isLessThan(300);
    }
}
