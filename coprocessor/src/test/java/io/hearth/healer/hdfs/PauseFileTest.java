// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.core.PauseSwitch.PauseState;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PauseFileTest {

    @Test
    void whatIsWrittenIsReadBack() {
        PauseState state = new PauseState(
                Optional.of("by ops: upgrade"),
                Optional.of("50 moves were reverted"),
                Optional.of(Instant.parse("2026-11-28T06:00:00.250Z")));

        assertThat(PauseFile.text(state))
                .isEqualTo(
                        "paused by ops: upgrade\nalarm 50 moves were reverted\nslow-until 2026-11-28T06:00:00.250Z\n");
        assertThat(PauseFile.state(PauseFile.text(state))).isEqualTo(state);
        assertThat(PauseFile.state("")).isEqualTo(PauseState.NONE);
    }

    /** A reason is a person's own words. */
    @Test
    void noReasonForgesAnAlarm() {
        PauseState forged =
                new PauseState(Optional.of("by bob: x\nalarm all is lost"), Optional.empty(), Optional.empty());

        assertThat(PauseFile.text(forged)).isEqualTo("paused by bob: x?alarm all is lost\n");
        assertThat(PauseFile.state(PauseFile.text(forged)).alarm()).isEmpty();
    }

    @Test
    void aTimeThatIsNoneTakesNothingElseWithIt() {
        PauseState state = PauseFile.state("paused by ops\nslow-until tomorrow\n");

        assertThat(state).isEqualTo(new PauseState(Optional.of("by ops"), Optional.empty(), Optional.empty()));
    }

    /** Anybody who may write the file may have written it. */
    @Test
    void whatIsReadSteersNoTerminal() {
        assertThat(PauseFile.state("paused by bob: \u001b[2Jx\n").paused()).contains("by bob: ?[2Jx");
    }
}
