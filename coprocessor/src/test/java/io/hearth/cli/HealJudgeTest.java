package io.hearth.cli;

import static io.hearth.cli.Healed.look;
import static io.hearth.cli.Healed.move;
import static io.hearth.cli.Healed.plan;
import static io.hearth.cli.Healed.region;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healing.execute.MoveState;
import io.hearth.healing.lock.LockState;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.model.SkipReason;
import io.hearth.healing.plan.MovePlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HealJudgeTest {

    private static final ServedRegion AWAY = region("r1", "a1", 40, 100);
    private static final BlockMove MOVE = move(AWAY, 1, 60);

    private final HealProgress progress = new HealProgress(1.0);
    private final HealJudge judge = new HealJudge(orders(false, false));
    private final HealJudge dryJudge = new HealJudge(orders(true, false));
    private LockState lock = LockState.HELD;
    private Optional<String> trouble = Optional.empty();

    @Test
    void homeIsDone() {
        assertThat(judge(0)).isEmpty();
        progress.looked(look(region("r1", "a1", 100, 100)));

        assertThat(judge(1)).contains(new Verdict(ExitCode.DONE, "locality is 1.0000"));
    }

    @Test
    void movesThatAreVerifiedAreDone() {
        progress.looked(look(AWAY));
        assertThat(judge(0)).isEmpty();
        progress.planned(AWAY, plan(40, 100, Map.of(), MOVE), List.of(MOVE));
        assertThat(judge(HealJudge.QUIET_MS)).isEmpty();
        assertThat(judge(3 * HealJudge.QUIET_MS)).as("a move is open").isEmpty();
        progress.ended(MOVE, MoveState.HEALED);

        assertThat(judge(3 * HealJudge.QUIET_MS + 1)).contains(new Verdict(ExitCode.DONE, "locality is 1.0000"));
    }

    @Test
    void whatCanNotBeDoneNowEndsItWithReasons() {
        progress.looked(look(AWAY));
        progress.planned(AWAY, plan(40, 100, Map.of(SkipReason.NO_DATANODE_ON_HOST, 3L), MOVE), List.of(MOVE));
        progress.ended(MOVE, MoveState.FAILED);
        assertThat(judge(0)).isEmpty();

        assertThat(judge(HealJudge.QUIET_MS))
                .contains(new Verdict(
                        ExitCode.INCOMPLETE,
                        "locality is 0.4000 and no more can be done now; moves not verified: 1; blocks that stay: 3"
                                + " no_datanode_on_host"));
    }

    @Test
    void anotherHealerIsNamedAtOnce() {
        lock = LockState.ELSEWHERE;
        trouble = Optional.of("HMaster of hbase on host1, since 2026-11-21T19:30:00Z");

        assertThat(judge(0))
                .contains(new Verdict(
                        ExitCode.ANOTHER_WORKS,
                        "another healer works on this cluster: HMaster of hbase on host1, since 2026-11-21T19:30:00Z"));
    }

    @Test
    void aMissingPrivilegeEndsItAtOnce() {
        lock = LockState.REFUSED;
        trouble = Optional.of("append to /hbase/.hearth/healer.lock is not permitted");
        assertThat(judge(0))
                .contains(new Verdict(ExitCode.NOT_PERMITTED, "append to /hbase/.hearth/healer.lock is not permitted"));

        progress.privilegeMissing("no block keys");
        assertThat(judge(0)).contains(new Verdict(ExitCode.NOT_PERMITTED, "no replica can be moved: no block keys"));
    }

    @Test
    void whoDoesNotAnswerIsWaitedForAMinute() {
        assertThat(judge(0)).isEmpty();
        assertThat(judge(HealJudge.QUIET_MS))
                .contains(new Verdict(
                        ExitCode.UNREACHABLE, "the master gives no report of its servers; its log may say why"));
        progress.nameNodeFailed("no route");
        assertThat(judge(HealJudge.QUIET_MS))
                .contains(new Verdict(ExitCode.UNREACHABLE, "the NameNode can't be asked for blocks: no route"));
        lock = LockState.UNKNOWN;
        trouble = Optional.of("no route");
        assertThat(judge(HealJudge.QUIET_MS))
                .contains(new Verdict(ExitCode.UNREACHABLE, "nobody can say whether another healer works: no route"));
    }

    @Test
    void anEmptyScopeIsAWrongArgument() {
        progress.looked(look());

        assertThat(judge(0))
                .contains(new Verdict(
                        ExitCode.WRONG_ARGUMENT,
                        "nothing to heal: no such region is open, or HEARTH_HEAL is off for its table"));
    }

    @Test
    void aDryRunEndsWhenAllIsTold() {
        progress.looked(look(AWAY, region("r2", "a1", 0, 10)));
        MovePlan plan = plan(40, 100, Map.of(SkipReason.ALREADY_LOCAL, 5L), MOVE);
        progress.planned(AWAY, plan, List.of());
        assertThat(dryJudge.judge(progress, LockState.IDLE, Optional.empty(), 0))
                .isEmpty();
        ServedRegion second = region("r2", "a1", 0, 10);
        progress.planned(second, plan(0, 10, Map.of(), move(second, 2, 10)), List.of());

        assertThat(dryJudge.judge(progress, LockState.IDLE, Optional.empty(), 1))
                .contains(new Verdict(ExitCode.DONE, "2 moves of 70 B would be made"));
    }

    @Test
    void aDryRunThatIsNotAnsweredSaysWhatItKnows() {
        progress.looked(look(AWAY));
        assertThat(dryJudge.judge(progress, LockState.IDLE, Optional.empty(), 0))
                .isEmpty();

        assertThat(dryJudge.judge(progress, LockState.IDLE, Optional.empty(), HealJudge.QUIET_MS))
                .contains(new Verdict(ExitCode.INCOMPLETE, "0 moves of 0 B would be made; regions not looked at: 1"));
    }

    @Test
    void whereTheNameNodeIsAskedAReportIsNotEnough() {
        HealProgress all = new HealProgress(1.0, true);
        HealJudge asking = new HealJudge(orders(false, true));
        ServedRegion reportedHome = region("r1", "a1", 100, 100);
        all.looked(look(reportedHome));
        assertThat(asking.judge(all, LockState.IDLE, Optional.empty(), 0)).isEmpty();

        BlockMove move = move(reportedHome, 1, 60);
        all.planned(reportedHome, plan(40, 100, Map.of(), move), List.of(move));
        assertThat(asking.judge(all, LockState.HELD, Optional.empty(), 1)).isEmpty();
        all.ended(move, MoveState.HEALED);
        assertThat(asking.judge(all, LockState.HELD, Optional.empty(), 2))
                .contains(new Verdict(ExitCode.DONE, "locality is 1.0000"));
    }

    @Test
    void aDryRunThatAsksSaysWhatTheNameNodeSays() {
        HealProgress all = new HealProgress(1.0, true);
        HealJudge asking = new HealJudge(orders(true, true));
        ServedRegion reportedHome = region("r1", "a1", 100, 100);
        all.looked(look(reportedHome));
        assertThat(asking.judge(all, LockState.IDLE, Optional.empty(), 0)).isEmpty();

        all.planned(reportedHome, plan(40, 100, Map.of(), move(reportedHome, 1, 60)), List.of());
        assertThat(asking.judge(all, LockState.IDLE, Optional.empty(), 1))
                .contains(new Verdict(
                        ExitCode.DONE, "by the NameNode's word locality is 0.4000, 1 moves of 60 B would be made"));
    }

    private static HealOrders orders(boolean dryRun, boolean asksNameNode) {
        return new HealOrders(Optional.empty(), 1.0, dryRun, asksNameNode);
    }

    private Optional<Verdict> judge(long nowMs) {
        return judge.judge(progress, lock, trouble, nowMs);
    }
}
