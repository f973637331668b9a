// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.HealCompletionCheck.HealResult;
import io.hearth.healer.core.RequestedHeals.HealCounts;
import io.hearth.ui.model.PageInput.HealerStatus.State;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.junit.jupiter.api.Test;

class MasterHealCompletionCheckTest {

    private static final HealResult DONE = new HealResult(ExitCode.DONE, "locality is 1.0000");

    private final HealProgress progress = new HealProgress(1.0);
    private final MasterHealCompletionCheck check = new MasterHealCompletionCheck(1.0);
    private long nowMs = 1_000_000;

    MasterHealCompletionCheckTest() {
        progress.countByReports();
    }

    @Test
    void itIsOverWhenAllIsReportedAndTheLastMoveIsConfirmed() {
        reported(100);
        moves(1, 1);
        assertThat(check(State.ON)).isEmpty();
        nowMs += 3_000;
        moves(0, 0);

        assertThat(check(State.ON)).contains(DONE);
    }

    @Test
    void aMoveThatIsNeverConfirmedIsWaitedForTenSeconds() {
        reported(100);
        moves(1, 1);
        assertThat(check(State.ON)).isEmpty();
        nowMs += MasterHealCompletionCheck.CONFIRMED_WITHIN_MS - 1;
        assertThat(check(State.ON)).isEmpty();
        nowMs++;

        assertThat(check(State.ON)).contains(DONE);
    }

    /** Nobody will confirm it now, and what was asked for is there. */
    @Test
    void whatIsReachedIsDoneWhereHealingHasBeenPausedMeanwhile() {
        reported(100);
        moves(1, 1);

        assertThat(check(State.PAUSED)).contains(DONE);
    }

    /** The master heals every region that was asked for to the last block. */
    @Test
    void atALowerTargetMovesThatGoOnAreNotWaitedFor() {
        MasterHealCompletionCheck ofMost = new MasterHealCompletionCheck(0.9);
        reported(95);
        moves(40, 40);

        assertThat(ofMost.check(progress, healing(State.ON), nowMs))
                .contains(new HealResult(ExitCode.DONE, "locality is 0.9500"));
    }

    @Test
    void aMasterThatDoesNotKnowTheHealIsNotWaitedFor() {
        reported(100);
        progress.masterOpenMoves(7);

        assertThat(check(State.ON)).contains(DONE);
    }

    @Test
    void aHealerThatRestsEndsIt() {
        reported(30);
        moves(2, 2);

        assertThat(check(State.PAUSED))
                .contains(new HealResult(
                        ExitCode.INCOMPLETE, "locality is 0.3000, and the healer in the master is paused: by ops"));
        assertThat(check(State.WAITING).map(HealResult::code)).contains(ExitCode.ANOTHER_HEALER_ACTIVE);
    }

    /** Ours wait behind those of another heal, whose moves come and go. */
    @Test
    void aMasterThatIsAtWorkForOthersIsNotTakenForIdle() {
        reported(30);
        for (int minute = 0; minute < 30; minute++) {
            moves(0, minute % 2);
            assertThat(check(State.ON)).as("minute %d", minute).isEmpty();
            nowMs += HealCompletionCheck.QUIET_MS;
        }
        moves(0, 0);
        assertThat(check(State.ON)).as("it has just become idle").isEmpty();
        nowMs += HealCompletionCheck.QUIET_MS;

        assertThat(check(State.ON).map(HealResult::code)).contains(ExitCode.INCOMPLETE);
    }

    /** Nothing of it is away any more, and nothing of it was healed. */
    @Test
    void aTableThatWasDroppedIsNotCalledHealed() {
        reported(30);
        assertThat(check(State.ON)).isEmpty();
        progress.observed(HealFixtures.snapshot());
        assertThat(check(State.ON)).as("its region may be on its way").isEmpty();
        nowMs += HealCompletionCheck.QUIET_MS - 1;
        assertThat(check(State.ON)).isEmpty();
        nowMs++;

        assertThat(check(State.ON)).contains(HealCompletionCheck.NOTHING_TO_HEAL);
    }

    @Test
    void aRegionThatWasOnItsWayIsHealedWhereItLands() {
        progress.observed(HealFixtures.snapshot());
        assertThat(check(State.ON)).isEmpty();
        nowMs += HealCompletionCheck.QUIET_MS - 1;
        reported(100);
        assertThat(check(State.ON)).contains(DONE);
        progress.observed(HealFixtures.snapshot());
        nowMs += 2;

        assertThat(check(State.ON)).as("a minute from now").isEmpty();
    }

    private void reported(long localBytes) {
        progress.observed(HealFixtures.snapshot(HealFixtures.region("r", "a1", localBytes, 100)));
    }

    private void moves(int ofThisHeal, int ofTheMaster) {
        progress.masterOpenMoves(ofTheMaster);
        progress.masterCounts(Optional.of(new HealCounts("h", ofThisHeal, 0, 0, 0, OptionalLong.empty())));
    }

    private Optional<HealResult> check(State state) {
        return check.check(progress, healing(state), nowMs);
    }

    private static JsonObject healing(State state) {
        JsonObject healing = new JsonObject();
        healing.addProperty("state", state.name());
        healing.addProperty("stateText", state.text());
        healing.addProperty("why", "by ops");
        return healing;
    }
}
