// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeadlineTest {

    private long nanos = 7_000_000_000L;

    @Test
    void aSearchMayTakeSoLongFromNowOnAndOverStaysOver() {
        Deadline deadline = Deadline.after(5, () -> nanos);
        assertThat(deadline.isOver()).isFalse();
        nanos += 4_999_999;
        assertThat(deadline.isOver()).isFalse();
        nanos++;
        assertThat(deadline.isOver()).isTrue();
        nanos -= 1_000_000;
        assertThat(deadline.isOver()).as("whatever the clock says").isTrue();
    }

    @Test
    void noTimeIsOverAtOnceAndNeverIsNever() {
        assertThat(Deadline.after(0, () -> nanos).isOver()).isTrue();
        assertThat(Deadline.never().isOver()).isFalse();
    }
}
