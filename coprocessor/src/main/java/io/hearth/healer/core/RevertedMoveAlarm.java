// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.verify.RevertedMoves;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;

/**
 * Backs off from moves that somebody undoes, and stops healing where there are too many. After an hour in which none was undone
 * the alarm ends by itself, and healing goes at a quarter of its pace for another hour. Not thread-safe.
 */
final class RevertedMoveAlarm {

    static final long REVERT_FREE_MS = 3_600_000;
    private static final Duration SLOW = Duration.ofHours(1);

    private final RevertedMoves revertedMoves = new RevertedMoves();
    private final PauseSwitch pauseSwitch;
    private final Clock wallClock;
    private final HealingMetrics metrics;
    private final Logger log;
    private boolean alarmed;

    /** @param wallClock tells the end of the slow hour, which the next master may have to keep */
    RevertedMoveAlarm(PauseSwitch pauseSwitch, Clock wallClock, HealingMetrics metrics, Logger log) {
        this.pauseSwitch = pauseSwitch;
        this.wallClock = wallClock;
        this.metrics = metrics;
        this.log = log;
    }

    /** A move was verified. */
    void verified(BlockMove move, long nowMs) {
        revertedMoves.verified(move, nowMs);
    }

    /** A move was undone before it was verified. */
    void reverted(BlockMove move, HealingConfig config, long nowMs) {
        revertedMoves.reverted(move, nowMs);
        int most = config.policy().maxRevertedMovesPerHour();
        if (alarmed) {
            pauseSwitch.noteRevert(nowMs);
        } else if (most > 0 && revertedMoves.withinHour(nowMs) >= most) {
            alarmed = true;
            metrics.add(HealingCounter.REVERT_ALARMS, 1);
            String what = most + " moves were reverted by the NameNode or the HDFS Balancer within an hour, the last"
                    + " one " + move;
            pauseSwitch.raiseAlarm(what);
            pauseSwitch.noteRevert(nowMs);
            log.error(
                    "Healing has STOPPED: {}. Find out who moves them: the HDFS Balancer, or a placement policy that the"
                            + " master's configuration does not name. After an hour in which no move is reverted it"
                            + " goes on at a quarter of its pace. To resume at once, run bin/hearth healer resume, or set"
                            + " hearth.heal.enabled to false, update_config, set it to true, update_config;"
                            + " hearth.heal.max.reverted.moves.per.hour is the limit.",
                    what);
        }
    }

    /** Moves were undone after they had been verified. */
    void revertedAfterVerify(List<BlockMove> moves, HealingConfig config, long nowMs) {
        metrics.add(HealingCounter.BLOCKS_REVERTED_AFTER_VERIFY, moves.size());
        moves.forEach(move -> reverted(move, config, nowMs));
    }

    /** Those of these moves that nobody undid lately. */
    List<BlockMove> withoutBackedOff(List<BlockMove> moves, long nowMs) {
        List<BlockMove> kept = new ArrayList<>(moves);
        kept.removeIf(move -> revertedMoves.isBackedOff(move, nowMs));
        metrics.add(HealingCounter.BLOCKS_BACKED_OFF, moves.size() - kept.size());
        return kept;
    }

    /** Ends an alarm after an hour of calm, and starts to count anew once somebody has resumed. */
    void tick(long nowMs) {
        Optional<String> alarm = pauseSwitch.alarm();
        alarmed |= alarm.isPresent();
        if (alarm.isPresent() && pauseSwitch.lastRevertMs().isEmpty()) {
            // Left by an earlier master: nobody knows for how long it has been calm.
            pauseSwitch.noteRevert(nowMs);
        } else if (alarm.isPresent() && nowMs - pauseSwitch.lastRevertMs().orElse(nowMs) >= REVERT_FREE_MS) {
            pauseSwitch.clearAlarm(wallClock.instant().plus(SLOW));
            metrics.add(HealingCounter.ALARMS_CLEARED, 1);
            log.warn(
                    "Healing goes on by itself, at a quarter of its pace for an hour: no move was reverted for an hour"
                            + " after the alarm ({}).",
                    alarm.get());
        }
        if (alarmed && pauseSwitch.alarm().isEmpty()) {
            alarmed = false;
            revertedMoves.forgetCount();
        }
        pauseSwitch.endSlowness(wallClock.instant(), SLOW);
        metrics.set(HealingGauge.SLOW_AFTER_ALARM, pauseSwitch.isSlow() ? 1 : 0);
    }
}
