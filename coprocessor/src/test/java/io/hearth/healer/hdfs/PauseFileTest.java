// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.core.PauseSwitch.PauseState;
import io.hearth.healer.hdfs.PauseFile.NewerFile;
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

        assertThat(PauseFile.text(state, Optional.empty()))
                .isEqualTo(
                        "version 1\npaused by ops: upgrade\nalarm 50 moves were reverted\nslow-until 2026-11-28T06:00:00.250Z\n");
        assertThat(PauseFile.state(PauseFile.text(state, Optional.empty()))).isEqualTo(state);
        assertThat(PauseFile.state("")).isEqualTo(PauseState.NONE);
    }

    /** A reason is a person's own words. */
    @Test
    void noReasonForgesAnAlarm() {
        PauseState forged =
                new PauseState(Optional.of("by bob: x\nalarm all is lost"), Optional.empty(), Optional.empty());

        assertThat(PauseFile.text(forged, Optional.empty()))
                .isEqualTo("version 1\npaused by bob: x?alarm all is lost\n");
        assertThat(PauseFile.state(PauseFile.text(forged, Optional.empty())).alarm())
                .isEmpty();
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

    /** As of a version that stops single tables, too. */
    @Test
    void ofANewerVersionsFileWhatIsKnownHoldsAndTheRestIsLeftAsItIs() {
        String text = "version 3\npaused by ops: upgrade\nstopped-table ns:t by ops\nalarm-level 2\n";
        NewerFile newer = NewerFile.of(text).orElseThrow();

        assertThat(PauseFile.state(text).paused()).contains("by ops: upgrade");
        assertThat(newer.message())
                .isEqualTo(
                        "healer.paused was written by a newer version of Hearth (its form is 3, and 1 is known here): what this"
                                + " version knows of it holds, and 2 lines more are left as they are.");
        assertThat(PauseFile.text(PauseState.NONE, Optional.of(newer)))
                .isEqualTo("version 3\nstopped-table ns:t by ops\nalarm-level 2\n");
        assertThat(PauseFile.text(PauseFile.state(text), Optional.of(newer)))
                .isEqualTo("version 3\npaused by ops: upgrade\nstopped-table ns:t by ops\nalarm-level 2\n");
    }

    @Test
    void aFileOfThisVersionOrOfOneBeforeHasNothingNewer() {
        assertThat(NewerFile.of("paused by ops\n")).isEmpty();
        assertThat(NewerFile.of("version 1\npaused by ops\n")).isEmpty();
        assertThat(NewerFile.of("version soon\nwhatever\n")).isEmpty();
    }
}
