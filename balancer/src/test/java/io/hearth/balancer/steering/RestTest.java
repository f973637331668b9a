package io.hearth.balancer.steering;

import static io.hearth.balancer.steering.Steps.A;
import static io.hearth.balancer.steering.Steps.B;
import static io.hearth.balancer.steering.Steps.C;
import static io.hearth.balancer.steering.Steps.HOUR;
import static io.hearth.balancer.steering.Steps.MINUTE;
import static io.hearth.balancer.steering.Steps.R;
import static io.hearth.balancer.steering.Steps.T0;
import static io.hearth.balancer.steering.Steps.TABLE;
import static io.hearth.balancer.steering.Steps.UNKNOWN_HEAT;
import static io.hearth.balancer.steering.Steps.config;
import static io.hearth.balancer.steering.Steps.moveAndLand;
import static io.hearth.balancer.steering.Steps.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.snapshot.Pin;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A region that a plan for heat moved is left alone by heat for a day, unless something really changes. */
class RestTest {

    private static final String[] A_DAY = {"rest.ms", "86400000"};
    private static final long LANDED = T0 + MINUTE;

    private long shiftedAtMs = Long.MIN_VALUE;
    private final Steering steering = new Steering(config(A_DAY), region -> shiftedAtMs);

    private Pin pin(long nowMs) {
        return steering.pins(nowMs).getOrDefault(R, Pin.FREE);
    }

    @Test
    void itRestsForADayAfterItsCoolDown() {
        moveAndLand(steering, R, A, B, T0);
        assertThat(pin(LANDED + 15 * MINUTE - 1)).isEqualTo(Pin.COOLING);
        assertThat(pin(LANDED + 15 * MINUTE)).isEqualTo(Pin.RESTING);
        assertThat(pin(LANDED + 24 * HOUR - 1)).isEqualTo(Pin.RESTING);
        assertThat(pin(LANDED + 24 * HOUR)).isEqualTo(Pin.FREE);
    }

    @Test
    void aShiftOfItsLoadEndsTheRestAndNotTheCoolDown() {
        moveAndLand(steering, R, A, B, T0);
        shiftedAtMs = LANDED;
        assertThat(pin(LANDED + HOUR)).as("it was moved because of that").isEqualTo(Pin.RESTING);
        shiftedAtMs = LANDED + 1;
        assertThat(pin(LANDED + MINUTE)).isEqualTo(Pin.COOLING);
        assertThat(pin(LANDED + HOUR)).isEqualTo(Pin.FREE);
    }

    @Test
    void aServerThatComesOrGoesEndsTheRest() {
        moveAndLand(steering, R, A, B, T0);
        steering.observed(List.of(report(B, LANDED + MINUTE, R)), UNKNOWN_HEAT, LANDED + MINUTE);
        assertThat(pin(LANDED + HOUR)).isEqualTo(Pin.RESTING);
        steering.observed(List.of(report(B, LANDED + HOUR, R), report(C, LANDED + HOUR)), UNKNOWN_HEAT, LANDED + HOUR);
        assertThat(pin(LANDED + HOUR)).isEqualTo(Pin.FREE);
    }

    @Test
    void onAServerThatNothingElseCanHelpItEnds() {
        moveAndLand(steering, R, A, B, T0);
        steering.endRest(Set.of(A));
        assertThat(pin(LANDED + HOUR)).as("it has left that one").isEqualTo(Pin.RESTING);
        steering.endRest(Set.of(B));
        assertThat(pin(LANDED + HOUR)).isEqualTo(Pin.FREE);
    }

    @Test
    void aMoveOfTheStockBalancerNeedsNone() {
        steering.runStarted(T0);
        steering.plannedByStock(R, TABLE, A, B, T0);
        Steps.land(steering, R, B, LANDED);
        assertThat(pin(LANDED + HOUR)).isEqualTo(Pin.FREE);
    }

    @Test
    void theNextMasterKnows() {
        moveAndLand(steering, R, A, B, T0);
        Steering next = new Steering(config(A_DAY));
        next.restore(steering.encode(LANDED + HOUR), LANDED + HOUR);
        assertThat(next.pins(LANDED + HOUR)).containsEntry(R, Pin.RESTING);
    }
}
