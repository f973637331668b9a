// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.MoveAdmission.Deferred;
import io.hearth.healer.move.MoveAdmission.Link;
import io.hearth.healer.move.MoveAdmission.Link.LinkKind;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class WaitingMovesTest {

    private static final MoveSlots.Slot A = slot("a");
    private static final Deferred AT_A = Deferred.forSlot(A);
    private static final Deferred AT_B = Deferred.forSlot(slot("b"));
    private static final Deferred OF_F = Deferred.forReaders("/f");
    private static final Link LINK = new Link(LinkKind.DATANODE, "a");

    private final WaitingMoves waiting = new WaitingMoves();

    private static MoveSlots.Slot slot(String node) {
        return new MoveSlots.Slot(MoveSlots.MoveRole.TRANSFER, new DataNode.Id(node));
    }

    private void defer(Deferred reason, long... numbers) {
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
        defer(Deferred.until(100), 1);
        defer(Deferred.until(50), 2);
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
        defer(Deferred.until(50), 1);
        defer(OF_F, 2, 3);
        defer(AT_A, 4);
        waiting.remove(1);
        waiting.remove(2);
        waiting.remove(4);
        waiting.advanceTo(50);
        waiting.gateOpened(A);
        waiting.readersRefreshed("/f");

        assertThat(started()).containsExactly(3L);
        assertThat(waiting.deferred()).isZero();
    }

    @Test
    void oneThatWasHeldBackAnewIsNotAskedAtItsFirstTime() {
        defer(Deferred.until(50), 1);
        waiting.retryAll();
        waiting.defer(1, Deferred.until(80));
        waiting.advanceTo(79);
        assertThat(waiting.first()).isEmpty();
        waiting.advanceTo(80);
        assertThat(waiting.first()).hasValue(1);
    }

    @Test
    void aFreePlaceWakesTheFirstThatWaitsForIt() {
        defer(AT_A, 5, 2, 9);
        defer(AT_B, 1);
        waiting.gateOpened(A);

        assertThat(waiting.first()).hasValue(2);
        assertThat(waiting.deferred()).isEqualTo(3);
        waiting.defer(2, AT_A);
        assertThat(waiting.first())
                .as("it was taken meanwhile: nobody else finds it free")
                .isEmpty();
        waiting.gateOpened(slot("c"));
        assertThat(waiting.first()).isEmpty();
    }

    @Test
    void aPlaceThatTheFirstDoesNotTakeIsTheNextOnes() {
        defer(AT_A, 1, 2, 3);
        waiting.gateOpened(A);
        waiting.defer(1, AT_B);
        assertThat(waiting.first()).as("1 waits for something else").hasValue(2);
        waiting.remove(2);
        assertThat(waiting.first()).as("2 started or was cancelled").hasValue(3);
        waiting.gateOpened(slot("b"));
        assertThat(started()).containsExactly(1L, 3L);
    }

    @Test
    void aLinkOpensAtItsTimeForTheFirstAlone() {
        defer(Deferred.forBandwidth(LINK, 100), 1, 2);
        defer(Deferred.forBandwidth(LINK, 60), 3);
        assertThat(waiting.nextWakeUpMs()).as("the earliest that is said").hasValue(60);
        waiting.advanceTo(59);
        assertThat(waiting.first()).isEmpty();
        waiting.advanceTo(60);
        assertThat(waiting.first()).hasValue(1);
        waiting.defer(1, Deferred.forBandwidth(LINK, 200));
        assertThat(waiting.first()).as("it is closed: nobody else is asked").isEmpty();
        assertThat(waiting.nextWakeUpMs()).hasValue(200);
        waiting.advanceTo(200);
        waiting.remove(1);
        assertThat(waiting.first()).as("1 passed, and may have left it open").hasValue(2);
        waiting.remove(2);
        waiting.remove(3);
        assertThat(waiting.nextWakeUpMs()).isEmpty();
    }

    @Test
    void oneThatWaitsForAnyOfSeveralIsWokenByTheFirst() {
        Deferred any = Deferred.anyOf(List.of(AT_A, AT_B, Deferred.until(80), Deferred.forBandwidth(LINK, 90)));
        assertThat(any.untilMs()).isEqualTo(80);
        defer(any, 1, 2);
        defer(AT_B, 3);
        waiting.gateOpened(slot("b"));
        assertThat(waiting.first()).hasValue(1);
        waiting.defer(1, any);
        assertThat(waiting.first()).as("b is full again").isEmpty();
        waiting.gateOpened(A);
        waiting.defer(1, AT_B);
        assertThat(waiting.first()).as("a stays free for the next one").hasValue(2);
        waiting.remove(2);
        waiting.advanceTo(80);
        assertThat(waiting.first()).as("2 is gone, and 1 waits for b alone").isEmpty();
        waiting.gateOpened(slot("b"));
        assertThat(started()).containsExactly(1L, 3L);
        assertThat(waiting.deferred()).isZero();
    }

    @Test
    void readersWhoRefreshedWakeAllOfTheirFile() {
        defer(OF_F, 4, 1);
        defer(Deferred.forReaders("/g"), 2);
        waiting.readersRefreshed("/f");
        assertThat(started()).containsExactly(1L, 4L);
        waiting.readersRefreshed("/f");
        assertThat(started()).isEmpty();
    }

    @Test
    void otherLimitsHaveEverybodyAskedAgain() {
        defer(OF_F, 4);
        defer(AT_A, 3, 2);
        defer(Deferred.until(50), 1);
        waiting.retryAll();

        assertThat(waiting.deferred()).isZero();
        assertThat(started()).containsExactly(1L, 2L, 3L, 4L);
        waiting.advanceTo(50);
        waiting.gateOpened(A);
        assertThat(waiting.first()).isEmpty();
    }
}
