// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LockStateTest {

    @Test
    void aHolderOnlyGivesItUp() {
        assertThat(LockState.HELD.successors()).containsExactly(LockState.IDLE);
        assertThatThrownBy(() -> LockState.HELD.to(LockState.HELD_BY_OTHER))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The lock can't change from HELD to HELD_BY_OTHER.");
    }

    @ParameterizedTest
    @EnumSource
    void stayingIsLegalAndAnyOtherMayTakeItOrStopWanting(LockState state) {
        assertThat(state.to(state)).isEqualTo(state);
        if (state != LockState.HELD) {
            assertThat(state.successors()).isEqualTo(EnumSet.complementOf(EnumSet.of(state)));
        }
    }
}
