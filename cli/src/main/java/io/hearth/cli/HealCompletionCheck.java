// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.heal.CachedTableDescriptors;
import io.hearth.common.config.HumanFormat;
import io.hearth.healer.lock.HealerLockManager.LockState;
import io.hearth.healer.model.SkipReason;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.security.AccessControlException;

/** Says whether a heal is over. Not thread-safe. */
final class HealCompletionCheck {

    /** Regions are listed again after 10 and 30 seconds; what nothing came of then is left. */
    static final long QUIET_MS = 60_000;

    /** No region is in what is to be healed. */
    static final HealResult NOTHING_TO_HEAL = new HealResult(
            ExitCode.USAGE, "nothing to heal: no such region is open, or HEARTH_HEAL is off for its table");

    private final HealOptions options;
    private int changes = -1;
    private long quietSinceMs;

    HealCompletionCheck(HealOptions options) {
        this.options = options;
    }

    /**
     * The end, if this is one.
     *
     * @param problem who has the lock, or why it is not to be had
     */
    Optional<HealResult> check(HealProgress progress, LockState lock, Optional<String> problem, long nowMs) {
        if (progress.changes() != changes) {
            changes = progress.changes();
            quietSinceMs = nowMs;
        }
        boolean isQuiet = nowMs - quietSinceMs >= QUIET_MS;
        return obstacle(progress, lock, problem.orElse(""), isQuiet)
                .or(() -> progress.hasSeenAll() ? end(progress.stats(), isQuiet) : Optional.empty());
    }

    private static Optional<HealResult> obstacle(
            HealProgress progress, LockState lock, String problem, boolean isQuiet) {
        if (progress.privilegeMissing().isPresent()) {
            return result(
                    ExitCode.NOT_PERMITTED,
                    "no replica can be moved: " + progress.privilegeMissing().get());
        }
        if (lock == LockState.HELD_BY_OTHER) {
            return result(ExitCode.ANOTHER_HEALER_ACTIVE, "another healer works on this cluster: " + problem);
        }
        if (lock == LockState.REFUSED) {
            return result(ExitCode.NOT_PERMITTED, problem);
        }
        if (!isQuiet) {
            return Optional.empty();
        }
        if (lock == LockState.UNKNOWN) {
            return result(ExitCode.UNREACHABLE, "nobody can say whether another healer works: " + problem);
        }
        if (progress.nameNodeFailure().isPresent()) {
            return notListed(progress.nameNodeFailure().get());
        }
        return progress.hasObserved()
                ? Optional.empty()
                : result(ExitCode.UNREACHABLE, "the master gives no report of its servers; its log may say why");
    }

    private static Optional<HealResult> notListed(String why) {
        if (why.startsWith(AccessControlException.class.getName())) {
            return result(ExitCode.NOT_PERMITTED, "HBase's files can't be listed: " + Main.oneLine(why));
        }
        return why.startsWith(CachedTableDescriptors.NOT_SHOWN)
                ? result(ExitCode.NOT_PERMITTED, why)
                : result(ExitCode.UNREACHABLE, "the NameNode can't be asked for blocks: " + why);
    }

    private Optional<HealResult> end(HealStats now, boolean isQuiet) {
        if (now.regions() == 0) {
            return Optional.of(NOTHING_TO_HEAL);
        }
        if (options.dryRun()) {
            return dryRunEnd(now, isQuiet);
        }
        if (now.openMoves() > 0) {
            return Optional.empty();
        }
        if (options.isReached(now)) {
            return result(ExitCode.DONE, "locality is " + HumanFormat.share(now.locality()));
        }
        return isQuiet
                ? result(
                        ExitCode.INCOMPLETE,
                        "locality is " + HumanFormat.share(now.locality()) + " and no more can be done now" + left(now))
                : Optional.empty();
    }

    private Optional<HealResult> dryRunEnd(HealStats now, boolean isQuiet) {
        if (now.unlistedRegions() > now.regionsCompacting() && !isQuiet) {
            return Optional.empty();
        }
        String would = (options.verifyAll()
                        ? "the NameNode says that locality is " + HumanFormat.share(now.locality()) + ", "
                        : "")
                + now.advisedMoves() + " moves of " + HumanFormat.bytes(now.advisedBytes()) + " would be made"
                + left(now);
        return now.unlistedRegions() > now.regionsCompacting()
                ? result(ExitCode.INCOMPLETE, would)
                : result(ExitCode.DONE, would);
    }

    /** What is left and why. */
    private static String left(HealStats now) {
        String reasons = now.skippedBlocks().entrySet().stream()
                .map(HealCompletionCheck::words)
                .collect(Collectors.joining(", "));
        return (now.regionsCompacting() > 0 ? "; compactions run on " + now.regionsCompacting() + " regions" : "")
                + (now.unlistedRegions() > now.regionsCompacting()
                        ? "; regions not listed: " + (now.unlistedRegions() - now.regionsCompacting())
                        : "")
                + (now.failedMoves() > 0 ? "; moves not verified: " + now.failedMoves() : "")
                + (reasons.isEmpty() ? "" : "; blocks that stay: " + reasons);
    }

    private static String words(Map.Entry<SkipReason, Long> skippedBlocks) {
        return skippedBlocks.getValue() + " " + skippedBlocks.getKey().name().toLowerCase(Locale.ROOT);
    }

    private static Optional<HealResult> result(ExitCode code, String line) {
        return Optional.of(new HealResult(code, line));
    }

    /** The same, unless it says that all is done, or nothing to do, though some regions' servers have not answered. */
    static HealResult asFarAsSeen(HealResult result, int unseenRegions) {
        boolean isNothing = result.equals(NOTHING_TO_HEAL);
        if (unseenRegions == 0 || !isNothing && result.code() != ExitCode.DONE) {
            return result;
        }
        return new HealResult(
                ExitCode.INCOMPLETE,
                (isNothing ? "nothing to heal elsewhere" : result.line())
                        + "; regions not seen, whose RegionServers have not answered: " + unseenRegions);
    }

    /**
     * How a heal ended. Immutable.
     *
     * @param line why, in one line for a person
     */
    record HealResult(ExitCode code, String line) {}
}
