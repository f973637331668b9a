// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.WaitingMoves.AdmissionDecision;
import io.hearth.healer.move.WaitingMoves.AdmissionDecision.DeferredForReaders;
import io.hearth.healer.move.WaitingMoves.AdmissionDecision.DeferredForSlot;
import io.hearth.healer.move.WaitingMoves.AdmissionDecision.DeferredUntil;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class WaitingMovesTest {

    private static final DeferredForSlot AT_A = slot("a");
    private static final DeferredForSlot AT_B = slot("b");
    private static final DeferredForReaders OF_F = new DeferredForReaders("/f");

    private final WaitingMoves waiting = new WaitingMoves();

    private static DeferredForSlot slot(String node) {
        return new DeferredForSlot(new MoveSlots.Slot(MoveSlots.MoveRole.TARGET, new DataNode.Id(node)));
    }

    private void defer(AdmissionDecision.Deferred reason, long... numbers) {
        for (long number : numbers) {
            waiting.add(number);
            waiting.defer(number, reason);
        }
    }

    /** Those whose turn it is, each taken out in its turn as if it had started. */
    private List<Long> started() {
        List<Long> started = new ArrayList<>();
        for (OptionalLong first = waiting.first(); first.isPresent(); first = waiting.first()) {
            started.add(first.getAsLong());
            waiting.remove(first.getAsLong());
        }
        return started;
    }

    @Test
    void whatWaitsIsAskedInItsOrder() {
        assertThat(waiting.first()).isEmpty();
        waiting.add(7);
        waiting.add(3);
        assertThat(waiting.first()).hasValue(3);
        assertThat(waiting.first()).as("it is left where it was").hasValue(3);
        assertThat(waiting.deferred()).isZero();
        assertThat(started()).containsExactly(3L, 7L);
    }

    @Test
    void oneThatIsHeldBackUntilThenIsAskedThen() {
        defer(new DeferredUntil(100), 1);
        defer(new DeferredUntil(50), 2);
        assertThat(waiting.first()).isEmpty();
        assertThat(waiting.deferred()).isEqualTo(2);
        waiting.advanceTo(49);
        assertThat(waiting.first()).isEmpty();
        waiting.advanceTo(50);
        assertThat(started()).containsExactly(2L);
        assertThat(waiting.deferred()).isEqualTo(1);
        waiting.advanceTo(1_000);
        assertThat(started()).containsExactly(1L);
        assertThat(waiting.deferred()).isZero();
    }

    @Test
    void oneThatDoesNotWaitAnyMoreIsNotWoken() {
        defer(new DeferredUntil(50), 1);
        defer(OF_F, 2, 3);
        defer(AT_A, 4);
        waiting.remove(1);
        waiting.remove(2);
        waiting.remove(4);
        waiting.advanceTo(50);
        waiting.slotReleased(AT_A.slot());
        waiting.readersRefreshed("/f");

        assertThat(started()).containsExactly(3L);
        assertThat(waiting.deferred()).isZero();
    }

    @Test
    void oneThatWasHeldBackAnewIsNotAskedAtItsFirstTime() {
        defer(new DeferredUntil(50), 1);
        waiting.retryAll();
        waiting.defer(1, new DeferredUntil(80));
        waiting.advanceTo(79);
        assertThat(waiting.first()).isEmpty();
        waiting.advanceTo(80);
        assertThat(waiting.first()).hasValue(1);
    }

    @Test
    void aFreePlaceWakesTheFirstThatWaitsForIt() {
        defer(AT_A, 5, 2, 9);
        defer(AT_B, 1);
        waiting.slotReleased(AT_A.slot());

        assertThat(waiting.first()).hasValue(2);
        assertThat(waiting.deferred()).isEqualTo(3);
        waiting.defer(2, AT_A);
        assertThat(waiting.first())
                .as("it was taken meanwhile: nobody else finds it free")
                .isEmpty();
        waiting.slotReleased(slot("c").slot());
        assertThat(waiting.first()).isEmpty();
    }

    @Test
    void aPlaceThatTheFirstDoesNotTakeIsTheNextOnes() {
        defer(AT_A, 1, 2, 3);
        waiting.slotReleased(AT_A.slot());
        waiting.defer(1, AT_B);
        assertThat(waiting.first()).as("1 waits for something else").hasValue(2);
        waiting.remove(2);
        assertThat(waiting.first()).as("2 started or was cancelled").hasValue(3);
        waiting.slotReleased(AT_B.slot());
        assertThat(started()).containsExactly(1L, 3L);
    }

    @Test
    void readersWhoRefreshedWakeAllOfTheirFile() {
        defer(OF_F, 4, 1);
        defer(new DeferredForReaders("/g"), 2);
        waiting.readersRefreshed("/f");
        assertThat(started()).containsExactly(1L, 4L);
        waiting.readersRefreshed("/f");
        assertThat(started()).isEmpty();
    }

    @Test
    void otherLimitsHaveEverybodyAskedAgain() {
        defer(OF_F, 4);
        defer(AT_A, 3, 2);
        defer(new DeferredUntil(50), 1);
        waiting.retryAll();

        assertThat(waiting.deferred()).isZero();
        assertThat(started()).containsExactly(1L, 2L, 3L, 4L);
        waiting.advanceTo(50);
        waiting.slotReleased(AT_A.slot());
        assertThat(waiting.first()).isEmpty();
    }
}
