// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.healer.move.TrackedMove.MoveState;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TrackedMoveTest {

    @Test
    void anIllegalChangeFails() {
        assertThatThrownBy(() -> MoveState.COPIED.to(MoveState.RUNNING))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("A move can't change from COPIED to RUNNING.");
    }

    @ParameterizedTest
    @EnumSource(MoveState.class)
    void everyStateIsReachedAndLeadsToAnEnd(MoveState state) {
        assertThat(reachable(MoveState.PLANNED)).contains(state);
        assertThat(reachable(state)).anyMatch(MoveState::isEnd);
    }

    @ParameterizedTest
    @EnumSource(MoveState.class)
    void nothingIsCalledHealedWithoutTheNameNodesWord(MoveState state) {
        if (state.successors().contains(MoveState.VERIFIED)) {
            assertThat(state.awaitsNameNode()).isTrue();
        }
    }

    @Test
    void onlyTheNameNodeKnowsOfTheseTwo() {
        assertThat(MoveState.values())
                .filteredOn(MoveState::awaitsNameNode)
                .containsExactly(MoveState.TIMED_OUT, MoveState.COPIED);
        assertThat(MoveState.values())
                .filteredOn(MoveState::holdsSlots)
                .containsExactly(MoveState.RUNNING, MoveState.TIMED_OUT);
    }

    private static Set<MoveState> reachable(MoveState from) {
        Set<MoveState> seen = EnumSet.of(from);
        Deque<MoveState> open = new ArrayDeque<>(seen);
        while (!open.isEmpty()) {
            for (MoveState next : open.poll().successors()) {
                if (seen.add(next)) {
                    open.add(next);
                }
            }
        }
        return seen;
    }
}
