// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.HealCompletionCheck.HealResult;
import io.hearth.cli.view.ViewText;
import io.hearth.common.config.HumanFormat;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.ui.model.PageInput.HealerStatus.State;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * Says when a heal by the healer in the master is over, by what the servers report and what the master says of its healer. It asks
 * nobody and has no clock: times are milliseconds of any one clock that does not go back. Not thread-safe.
 */
final class MasterHealCompletionCheck {

    /** In so long after the last report the NameNode has confirmed the move. */
    static final long CONFIRMED_WITHIN_MS = 10_000;

    private final double targetLocality;
    private Optional<HealStats> last = Optional.empty();
    private int lastMasterOpenMoves;
    private long lastChangeMs;
    private OptionalLong reachedMs = OptionalLong.empty();
    private OptionalLong noRegionsMs = OptionalLong.empty();

    MasterHealCompletionCheck(double targetLocality) {
        this.targetLocality = targetLocality;
    }

    /** Whether the servers report as much as is asked for, and each of them does. */
    boolean isReached(HealProgress progress) {
        return progress.stats().locality() >= targetLocality && progress.hasEveryReport();
    }

    /**
     * The end, if this is one.
     *
     * @param healing what the master says of its healer: {@code state}, {@code stateText}, {@code why}
     */
    Optional<HealResult> check(HealProgress progress, JsonObject healing, long nowMs) {
        HealStats now = progress.stats();
        boolean isQuiet = isQuiet(now, progress.masterOpenMoves().orElse(0), nowMs);
        if (now.regions() == 0) {
            return areGone(nowMs) ? Optional.of(HealCompletionCheck.NOTHING_TO_HEAL) : Optional.empty();
        }
        noRegionsMs = OptionalLong.empty();
        State state = State.valueOf(healing.get("state").getAsString());
        String locality = "locality is " + HumanFormat.share(now.locality()) + notReported(progress.localNotReported());
        // What has just become local is reported within a poll or two, or not before its region is reopened.
        if (isReached(progress)
                && !awaitsConfirmation(now.knowsMoves() ? now.openMoves() : 0, state, nowMs)
                && (now.regionsNotReported() == 0 || isQuiet)) {
            return Optional.of(new HealResult(ExitCode.DONE, locality));
        }
        if (state != State.ON) {
            return Optional.of(new HealResult(
                    state == State.WAITING ? ExitCode.ANOTHER_HEALER_ACTIVE : ExitCode.INCOMPLETE,
                    locality + ", and the healer in the master is "
                            + healing.get("stateText").getAsString()
                            + Optional.ofNullable(healing.get("why"))
                                    .map(why -> ": " + why.getAsString())
                                    .orElse("")));
        }
        return isQuiet
                ? Optional.of(new HealResult(
                        ExitCode.INCOMPLETE,
                        locality + " by the servers' reports, and the healer in the master has nothing to do;"
                                + " bin/hearth doctor says whether the reports are true, bin/hearth healer run --local why"
                                + " blocks stay"))
                : Optional.empty();
    }

    /** Whether the master has had no open moves, of this heal or another, and nothing has changed, for a minute. */
    private boolean isQuiet(HealStats now, int masterOpenMoves, long nowMs) {
        if (!Optional.of(now).equals(last) || masterOpenMoves != lastMasterOpenMoves) {
            last = Optional.of(now);
            lastMasterOpenMoves = masterOpenMoves;
            lastChangeMs = nowMs;
        }
        return masterOpenMoves == 0 && nowMs - lastChangeMs >= HealCompletionCheck.QUIET_MS;
    }

    /** Whether none of its regions was open for a minute: a table that was dropped, and no region that moves. */
    private boolean areGone(long nowMs) {
        if (noRegionsMs.isEmpty()) {
            noRegionsMs = OptionalLong.of(nowMs);
        }
        return nowMs - noRegionsMs.getAsLong() >= HealCompletionCheck.QUIET_MS;
    }

    /**
     * Whether the last moves are waited for, which the servers report before the NameNode has confirmed them. Below a target of 1 moves
     * go on when it is reached, and are not.
     */
    private boolean awaitsConfirmation(int openMoves, State state, long nowMs) {
        if (reachedMs.isEmpty()) {
            reachedMs = OptionalLong.of(nowMs);
        }
        return targetLocality >= 1
                && openMoves > 0
                && state == State.ON
                && nowMs - reachedMs.getAsLong() < CONFIRMED_WITHIN_MS;
    }

    /** With what makes their servers report it: a region that is reopened goes back to its server. */
    static String notReported(List<EncodedRegionName> regions) {
        return regions.isEmpty()
                ? ""
                : ViewText.regionsNotReportedWithCommand(
                        regions.size(), regions.get(0).encodedName());
    }
}
