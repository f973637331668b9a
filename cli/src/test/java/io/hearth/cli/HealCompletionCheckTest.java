// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static io.hearth.cli.HealFixtures.move;
import static io.hearth.cli.HealFixtures.plan;
import static io.hearth.cli.HealFixtures.region;
import static io.hearth.cli.HealFixtures.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.HealCompletionCheck.HealResult;
import io.hearth.healer.lock.HealerLockManager.LockState;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.plan.MovePlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class HealCompletionCheckTest {

    private static final ServedRegion REMOTE = region("r1", "a1", 40, 100);
    private static final BlockMove MOVE = move(REMOTE, 1, 60);

    private final HealProgress progress = new HealProgress(1.0);
    private final HealCompletionCheck check = new HealCompletionCheck(options(false, false));
    private final HealCompletionCheck dryJudge = new HealCompletionCheck(options(true, false));
    private LockState lock = LockState.HELD;
    private Optional<String> problem = Optional.empty();

    @Test
    void homeIsDone() {
        assertThat(check(0)).isEmpty();
        progress.observed(snapshot(region("r1", "a1", 100, 100)));

        assertThat(check(1)).contains(new HealResult(ExitCode.DONE, "locality is 1.0000"));
    }

    @Test
    void movesThatAreVerifiedAreDone() {
        progress.observed(snapshot(REMOTE));
        assertThat(check(0)).isEmpty();
        progress.planned(REMOTE, plan(40, 100, Map.of(), MOVE), List.of(MOVE));
        assertThat(check(HealCompletionCheck.QUIET_MS)).isEmpty();
        assertThat(check(3 * HealCompletionCheck.QUIET_MS)).as("a move is open").isEmpty();
        progress.ended(MOVE, MoveState.VERIFIED);

        assertThat(check(3 * HealCompletionCheck.QUIET_MS + 1))
                .contains(new HealResult(ExitCode.DONE, "locality is 1.0000"));
    }

    @Test
    void whatCanNotBeDoneNowEndsItWithReasons() {
        progress.observed(snapshot(REMOTE));
        progress.planned(REMOTE, plan(40, 100, Map.of(SkipReason.NO_DATANODE_ON_HOST, 3L), MOVE), List.of(MOVE));
        progress.ended(MOVE, MoveState.FAILED);
        assertThat(check(0)).isEmpty();

        assertThat(check(HealCompletionCheck.QUIET_MS))
                .contains(new HealResult(
                        ExitCode.INCOMPLETE,
                        "locality is 0.4000 and no more can be done now; moves not verified: 1; blocks that stay: 3"
                                + " no_datanode_on_host"));
    }

    @Test
    void anotherHealerIsNamedAtOnce() {
        lock = LockState.HELD_BY_OTHER;
        problem = Optional.of("HMaster of hbase on host1, since 2026-11-21T19:30:00Z");

        assertThat(check(0))
                .contains(new HealResult(
                        ExitCode.ANOTHER_HEALER_ACTIVE,
                        "another healer works on this cluster: HMaster of hbase on host1, since 2026-11-21T19:30:00Z"));
    }

    @Test
    void aMissingPrivilegeEndsItAtOnce() {
        lock = LockState.REFUSED;
        problem = Optional.of("append to /hbase/.hearth/healer.lock is not permitted");
        assertThat(check(0))
                .contains(new HealResult(
                        ExitCode.NOT_PERMITTED, "append to /hbase/.hearth/healer.lock is not permitted"));

        progress.privilegeMissing("no block keys");
        assertThat(check(0)).contains(new HealResult(ExitCode.NOT_PERMITTED, "no replica can be moved: no block keys"));
    }

    @Test
    void whoDoesNotAnswerIsWaitedForAMinute() {
        assertThat(check(0)).isEmpty();
        assertThat(check(HealCompletionCheck.QUIET_MS))
                .contains(new HealResult(
                        ExitCode.UNREACHABLE, "the master gives no report of its servers; its log may say why"));
        progress.nameNodeFailed("no route");
        assertThat(check(HealCompletionCheck.QUIET_MS))
                .contains(new HealResult(ExitCode.UNREACHABLE, "the NameNode can't be asked for blocks: no route"));
        lock = LockState.UNKNOWN;
        problem = Optional.of("no route");
        assertThat(check(HealCompletionCheck.QUIET_MS))
                .contains(
                        new HealResult(ExitCode.UNREACHABLE, "nobody can say whether another healer works: no route"));
    }

    @Test
    void aTableThatHBaseDoesNotShowIsAMissingPermission() {
        String why = "HBase shows no descriptor of t: ADMIN or CREATE on it is missing";
        progress.nameNodeFailed(why);
        assertThat(check(0)).isEmpty();
        assertThat(check(HealCompletionCheck.QUIET_MS)).contains(new HealResult(ExitCode.NOT_PERMITTED, why));
    }

    /** As NameNodeCalls tells it; a dry run takes no lock, by which a heal learns of it. */
    @Test
    void filesThatMayNotBeListedAreAMissingPermission() {
        progress.nameNodeFailed("org.apache.hadoop.security.AccessControlException: Permission denied: user=ops,"
                + " access=EXECUTE, inode=\"/hbase\":hbase:hbase:drwx------");
        assertThat(check(0)).isEmpty();
        assertThat(check(HealCompletionCheck.QUIET_MS))
                .contains(new HealResult(
                        ExitCode.NOT_PERMITTED,
                        "HBase's files can't be listed: Permission denied: user=ops, access=EXECUTE,"
                                + " inode=\"/hbase\":hbase:hbase:drwx------"));
    }

    /** Broken (any plan clears it): the exit code goes by which region was listed last. */
    @Test
    void aTableThatHBaseDoesNotShowIsSaidAlsoWhereOthersAreHealed() {
        String why = "HBase shows no descriptor of hidden: ADMIN or CREATE on it is missing";
        progress.nameNodeFailed(why);
        progress.planned(REMOTE, plan(40, 100, Map.of(), MOVE), List.of(MOVE));
        progress.ended(MOVE, MoveState.FAILED);
        assertThat(check(0)).isEmpty();
        assertThat(check(HealCompletionCheck.QUIET_MS)).contains(new HealResult(ExitCode.NOT_PERMITTED, why));
    }

    @Test
    void anEmptyScopeIsAWrongArgument() {
        progress.observed(snapshot());

        assertThat(check(0))
                .contains(new HealResult(
                        ExitCode.USAGE,
                        "nothing to heal: no such region is open, or HEARTH_HEAL is off for its table"));
    }

    @Test
    void aDryRunEndsWhenAllIsTold() {
        progress.observed(snapshot(REMOTE, region("r2", "a1", 0, 10)));
        MovePlan plan = plan(40, 100, Map.of(SkipReason.ALREADY_LOCAL, 5L), MOVE);
        progress.planned(REMOTE, plan, List.of());
        assertThat(dryJudge.check(progress, LockState.IDLE, Optional.empty(), 0))
                .isEmpty();
        ServedRegion second = region("r2", "a1", 0, 10);
        progress.planned(second, plan(0, 10, Map.of(), move(second, 2, 10)), List.of());

        assertThat(dryJudge.check(progress, LockState.IDLE, Optional.empty(), 1))
                .contains(new HealResult(ExitCode.DONE, "2 moves of 70 B would be made"));
    }

    @Test
    void aDryRunThatIsNotAnsweredSaysWhatItKnows() {
        progress.observed(snapshot(REMOTE));
        assertThat(dryJudge.check(progress, LockState.IDLE, Optional.empty(), 0))
                .isEmpty();

        assertThat(dryJudge.check(progress, LockState.IDLE, Optional.empty(), HealCompletionCheck.QUIET_MS))
                .contains(new HealResult(ExitCode.INCOMPLETE, "0 moves of 0 B would be made; regions not listed: 1"));
    }

    @Test
    void whereTheNameNodeIsAskedAReportIsNotEnough() {
        HealProgress all = new HealProgress(1.0, true);
        HealCompletionCheck asking = new HealCompletionCheck(options(false, true));
        ServedRegion reportedLocal = region("r1", "a1", 100, 100);
        all.observed(snapshot(reportedLocal));
        assertThat(asking.check(all, LockState.IDLE, Optional.empty(), 0)).isEmpty();

        BlockMove move = move(reportedLocal, 1, 60);
        all.planned(reportedLocal, plan(40, 100, Map.of(), move), List.of(move));
        assertThat(asking.check(all, LockState.HELD, Optional.empty(), 1)).isEmpty();
        all.ended(move, MoveState.VERIFIED);
        assertThat(asking.check(all, LockState.HELD, Optional.empty(), 2))
                .contains(new HealResult(ExitCode.DONE, "locality is 1.0000"));
    }

    @Test
    void aDryRunThatAsksSaysWhatTheNameNodeSays() {
        HealProgress all = new HealProgress(1.0, true);
        HealCompletionCheck asking = new HealCompletionCheck(options(true, true));
        ServedRegion reportedLocal = region("r1", "a1", 100, 100);
        all.observed(snapshot(reportedLocal));
        assertThat(asking.check(all, LockState.IDLE, Optional.empty(), 0)).isEmpty();

        all.planned(reportedLocal, plan(40, 100, Map.of(), move(reportedLocal, 1, 60)), List.of());
        assertThat(asking.check(all, LockState.IDLE, Optional.empty(), 1))
                .contains(new HealResult(
                        ExitCode.DONE, "the NameNode says that locality is 0.4000, 1 moves of 60 B would be made"));
    }

    private static HealOptions options(boolean dryRun, boolean verifyAll) {
        return new HealOptions(Optional.empty(), 1.0, dryRun, verifyAll, OptionalLong.empty());
    }

    @Test
    void aHealThatHasNotSeenAllIsNotDone() {
        HealResult done = new HealResult(ExitCode.DONE, "locality is 1.0000");
        HealResult failed = new HealResult(ExitCode.UNREACHABLE, "no route");

        assertThat(HealCompletionCheck.asFarAsSeen(done, 0)).isEqualTo(done);
        assertThat(HealCompletionCheck.asFarAsSeen(failed, 7)).isEqualTo(failed);
        assertThat(HealCompletionCheck.asFarAsSeen(done, 7))
                .isEqualTo(new HealResult(
                        ExitCode.INCOMPLETE,
                        "locality is 1.0000; regions not seen, whose RegionServers have not answered: 7"));
        assertThat(HealCompletionCheck.asFarAsSeen(HealCompletionCheck.NOTHING_TO_HEAL, 7)
                        .code())
                .isEqualTo(ExitCode.INCOMPLETE);
    }

    private Optional<HealResult> check(long nowMs) {
        return check.check(progress, lock, problem, nowMs);
    }
}
