package io.hearth.cli;

import io.hearth.healing.lock.LockState;
import io.hearth.healing.model.SkipReason;
import io.hearth.operate.view.Sizes;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says whether a heal is over. Not thread-safe. */
final class HealJudge {

    /** Regions are looked at again after 10 and 30 seconds; what nothing came of then is left. */
    static final long QUIET_MS = 60_000;

    /** No region is in what is to be healed. */
    static final Verdict NOTHING_TO_HEAL = new Verdict(
            ExitCode.WRONG_ARGUMENT, "nothing to heal: no such region is open, or HEARTH_HEAL is off for its table");

    private final HealOrders orders;
    private int changes = -1;
    private long quietSinceMs;

    HealJudge(HealOrders orders) {
        this.orders = orders;
    }

    /**
     * The end, if this is one.
     *
     * @param trouble who has the lock, or why it is not to be had
     */
    Optional<Verdict> judge(HealProgress progress, LockState lock, Optional<String> trouble, long nowMs) {
        if (progress.changes() != changes) {
            changes = progress.changes();
            quietSinceMs = nowMs;
        }
        boolean isQuiet = nowMs - quietSinceMs >= QUIET_MS;
        return obstacle(progress, lock, trouble.orElse(""), isQuiet)
                .or(() -> progress.hasSeenAll() ? end(progress.standing(), isQuiet) : Optional.empty());
    }

    private static Optional<Verdict> obstacle(HealProgress progress, LockState lock, String trouble, boolean isQuiet) {
        if (progress.privilegeMissing().isPresent()) {
            return verdict(
                    ExitCode.NOT_PERMITTED,
                    "no replica can be moved: " + progress.privilegeMissing().get());
        }
        if (lock == LockState.ELSEWHERE) {
            return verdict(ExitCode.ANOTHER_WORKS, "another healer works on this cluster: " + trouble);
        }
        if (lock == LockState.REFUSED) {
            return verdict(ExitCode.NOT_PERMITTED, trouble);
        }
        if (!isQuiet) {
            return Optional.empty();
        }
        if (lock == LockState.UNKNOWN) {
            return verdict(ExitCode.UNREACHABLE, "nobody can say whether another healer works: " + trouble);
        }
        if (progress.nameNodeFailure().isPresent()) {
            return verdict(
                    ExitCode.UNREACHABLE,
                    "the NameNode can't be asked for blocks: "
                            + progress.nameNodeFailure().get());
        }
        return progress.hasLooked()
                ? Optional.empty()
                : verdict(ExitCode.UNREACHABLE, "the master gives no report of its servers; its log may say why");
    }

    private Optional<Verdict> end(Standing now, boolean isQuiet) {
        if (now.regions() == 0) {
            return Optional.of(NOTHING_TO_HEAL);
        }
        if (orders.dryRun()) {
            return dryRunEnd(now, isQuiet);
        }
        if (now.openMoves() > 0) {
            return Optional.empty();
        }
        if (orders.isReached(now)) {
            return verdict(ExitCode.DONE, "locality is " + Sizes.share(now.locality()));
        }
        return isQuiet
                ? verdict(
                        ExitCode.INCOMPLETE,
                        "locality is " + Sizes.share(now.locality()) + " and no more can be done now" + left(now))
                : Optional.empty();
    }

    private Optional<Verdict> dryRunEnd(Standing now, boolean isQuiet) {
        if (now.regionsToLookAt() > now.regionsCompacting() && !isQuiet) {
            return Optional.empty();
        }
        String would = (orders.asksNameNode()
                        ? "by the NameNode's word locality is " + Sizes.share(now.locality()) + ", "
                        : "")
                + now.advisedMoves() + " moves of " + Sizes.bytes(now.advisedBytes()) + " would be made" + left(now);
        return now.regionsToLookAt() > now.regionsCompacting()
                ? verdict(ExitCode.INCOMPLETE, would)
                : verdict(ExitCode.DONE, would);
    }

    /** What is left and why. */
    private static String left(Standing now) {
        String reasons = now.staying().entrySet().stream().map(HealJudge::words).collect(Collectors.joining(", "));
        return (now.regionsCompacting() > 0 ? "; compactions run on " + now.regionsCompacting() + " regions" : "")
                + (now.regionsToLookAt() > now.regionsCompacting()
                        ? "; regions not looked at: " + (now.regionsToLookAt() - now.regionsCompacting())
                        : "")
                + (now.failedMoves() > 0 ? "; moves not verified: " + now.failedMoves() : "")
                + (reasons.isEmpty() ? "" : "; blocks that stay: " + reasons);
    }

    private static String words(Map.Entry<SkipReason, Long> staying) {
        return staying.getValue() + " " + staying.getKey().name().toLowerCase(Locale.ROOT);
    }

    private static Optional<Verdict> verdict(ExitCode code, String line) {
        return Optional.of(new Verdict(code, line));
    }
}
