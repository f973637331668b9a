package io.hearth.healing.loop;

import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.healing.metrics.HealingMetrics;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.verify.BounceBook;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;

/**
 * Backs off from moves that somebody undoes, and pulls the brake where there are too many. After an hour in which none was undone
 * the alarm ends by itself, and healing goes at a quarter of its pace for another hour. Not thread-safe.
 */
final class Bounces {

    static final long CALM_MS = 3_600_000;

    private final BounceBook book = new BounceBook();
    private final HealSwitch brake;
    private final HealingMetrics metrics;
    private final Logger log;
    private boolean alarmed;

    Bounces(HealSwitch brake, HealingMetrics metrics, Logger log) {
        this.brake = brake;
        this.metrics = metrics;
        this.log = log;
    }

    /** A move was undone before it was verified. */
    void bounced(BlockMove move, HealingConfig config, long nowMs) {
        book.bounced(move, nowMs);
        int most = config.conduct().bouncesPerHour();
        if (alarmed) {
            brake.troubled(nowMs);
        } else if (most > 0 && book.withinHour(nowMs) >= most) {
            alarmed = true;
            metrics.add(HealingCounter.BOUNCE_ALARMS, 1);
            String what = most + " moves were undone by the NameNode or the HDFS Balancer within an hour, the last one "
                    + move;
            brake.raiseAlarm(what);
            brake.troubled(nowMs);
            log.error(
                    "Healing has STOPPED: {}. Find out who moves them: the HDFS Balancer, or a placement policy that the"
                            + " master's configuration does not name. After an hour in which no move is undone it goes on"
                            + " at a quarter of its pace. To resume at once, run bin/hearth resume, or set"
                            + " hearth.heal.enabled to false, update_config, set it to true, update_config;"
                            + " hearth.heal.bounces.per.hour is the limit.",
                    what);
        }
    }

    /** Moves were undone after they had been verified. */
    void undone(List<BlockMove> moves, HealingConfig config, long nowMs) {
        metrics.add(HealingCounter.BLOCKS_UNDONE, moves.size());
        moves.forEach(move -> bounced(move, config, nowMs));
    }

    /** Those of these moves that nobody undid lately. */
    List<BlockMove> withoutThoseUndoneLately(List<BlockMove> moves, long nowMs) {
        List<BlockMove> kept = new ArrayList<>(moves);
        kept.removeIf(move -> book.isBackedOff(move, nowMs));
        metrics.add(HealingCounter.BLOCKS_HELD_BACK, moves.size() - kept.size());
        return kept;
    }

    /** Ends an alarm after an hour of calm, and starts to count anew once somebody has resumed. */
    void tick(long nowMs) {
        Optional<String> alarm = brake.alarm();
        alarmed |= alarm.isPresent();
        if (alarm.isPresent() && brake.troubledMs().isEmpty()) {
            // Left by an earlier master: nobody knows for how long it has been calm.
            brake.troubled(nowMs);
        } else if (alarm.isPresent() && nowMs - brake.troubledMs().orElse(nowMs) >= CALM_MS) {
            brake.liftAlarm(nowMs + CALM_MS);
            metrics.add(HealingCounter.ALARMS_LIFTED, 1);
            log.warn(
                    "Healing goes on by itself, at a quarter of its pace for an hour: no move was undone for an hour after"
                            + " the alarm ({}).",
                    alarm.get());
        }
        if (alarmed && brake.alarm().isEmpty()) {
            alarmed = false;
            book.forgetCount();
        }
        metrics.set(HealingGauge.SLOW_AFTER_ALARM, brake.isSlow(nowMs) ? 1 : 0);
    }
}
