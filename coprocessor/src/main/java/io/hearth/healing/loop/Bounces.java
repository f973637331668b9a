package io.hearth.healing.loop;

import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingMetrics;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.verify.BounceBook;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;

/** Backs off from moves that somebody undoes, and pulls the brake where there are too many. Not thread-safe. */
final class Bounces {

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
        if (most > 0 && !alarmed && book.withinHour(nowMs) >= most) {
            alarmed = true;
            metrics.add(HealingCounter.BOUNCE_ALARMS, 1);
            String what = most + " moves were undone by the NameNode or the HDFS Balancer within an hour, the last one "
                    + move;
            brake.raiseAlarm(what);
            log.error(
                    "Healing has STOPPED: {}. Find out who moves them: the HDFS Balancer, or a placement policy that the"
                            + " master's configuration does not name. To resume, set hearth.heal.enabled to false,"
                            + " update_config, set it to true, update_config; hearth.heal.bounces.per.hour is the limit.",
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

    /** Starts to count anew once somebody has resumed. */
    void tick() {
        if (alarmed && brake.alarm().isEmpty()) {
            alarmed = false;
            book.forgetCount();
        }
    }
}
