// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.fakes.Racks;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import io.hearth.healer.move.MoveExecutor.MoveAnswer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MoveObservationsTest {

    private static List<String> seen(Response response) {
        return MoveObservations.of(new MoveAnswer(Racks.node("a1"), Racks.node("b1"), response), 7).stream()
                .map(one -> one.observer() + " sees " + one.host() + " " + one.outcome())
                .toList();
    }

    @Test
    void ofAMoveThatWasMadeOrWasLateEachSaysSoOfTheOther() {
        assertThat(seen(Response.COPIED)).containsExactly("b1 sees a1 GOOD", "a1 sees b1 GOOD");
        assertThat(seen(Response.TIMED_OUT)).containsExactly("b1 sees a1 SLOW", "a1 sees b1 SLOW");
    }

    @Test
    void whoCanNotBeConnectedToFails() {
        assertThat(seen(Response.UNREACHABLE)).containsExactly("the healer sees a1 FAILED");
        assertThat(seen(Response.PROXY_UNREACHABLE)).containsExactly("the healer sees a1 GOOD", "a1 sees b1 FAILED");
    }

    @ParameterizedTest
    @EnumSource(names = {"ALREADY_THERE", "BUSY", "PROXY_BUSY", "REFUSED", "NOT_PERMITTED", "UNDER_WAY"})
    void whoAnswersAtAllIsThere(Response response) {
        assertThat(seen(response)).containsExactly("the healer sees a1 GOOD");
    }

    /** A file that a compaction has deleted fails a whole region's moves: no DataNode is to blame. */
    @Test
    void anotherFailureSaysNothing() {
        assertThat(seen(Response.FAILED)).isEmpty();
    }

    /** However many moves one slow or dead DataNode makes late for others, it is the one. */
    @ParameterizedTest
    @CsvSource({"TIMED_OUT, SUSPECT", "PROXY_UNREACHABLE, DEAD"})
    void theOneThatAllSufferFromIsFound(Response response, DataNodeState expected) {
        DataNodeStates states = new DataNodeStates();
        for (int second = 0; second < 40; second++) {
            for (String target : List.of("a1", "a2", "b1", "c1", "c2")) {
                states.take(
                        MoveObservations.of(
                                new MoveAnswer(Racks.node(target), Racks.node("b2"), response), second * 1_000L),
                        second * 1_000L);
            }
        }

        assertThat(states.unhealthy())
                .extracting(host -> host.host() + " " + host.state())
                .containsExactly("b2 " + expected);
    }
}
