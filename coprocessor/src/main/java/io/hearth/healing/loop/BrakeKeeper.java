package io.hearth.healing.loop;

import io.hearth.balancer.log.RareLog;
import io.hearth.healing.loop.HealSwitch.Position;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a brake's position for the next master: takes up what was left before anything starts, and writes each change down
 * soon after. A change that can't be written holds here all the same and is tried again. Used by one thread.
 */
public final class BrakeKeeper {

    private static final Logger LOG = LoggerFactory.getLogger(BrakeKeeper.class);
    private static final long AGAIN_MS = 10_000;

    private final HealSwitch brake;
    private final BrakeStore store;
    private final RareLog rareLog = new RareLog(LOG);
    private Position kept = Position.RELEASED;
    private boolean takenUp;
    private long notBeforeMs = Long.MIN_VALUE;

    public BrakeKeeper(HealSwitch brake, BrakeStore store) {
        this.brake = brake;
        this.store = store;
    }

    /**
     * Takes up what an earlier master has left; after that it does nothing.
     *
     * @throws IOException if nobody can say what that is: then nothing may start
     */
    public void takeUp() throws IOException {
        if (!takenUp) {
            kept = store.load();
            brake.takeUp(kept);
            takenUp = true;
            kept.paused().ifPresent(why -> LOG.warn("Healing stays paused, as under the master before: {}", why));
            kept.alarm().ifPresent(what -> LOG.warn("Healing stays stopped, as under the master before: {}", what));
        }
    }

    /** Writes the position down if it has changed. */
    public void keep(long nowMs) {
        Position now = brake.position();
        if (takenUp && !now.equals(kept) && nowMs >= notBeforeMs) {
            try {
                store.save(now);
                kept = now;
            } catch (IOException | RuntimeException failure) {
                notBeforeMs = nowMs + AGAIN_MS;
                rareLog.warn(
                        "brake",
                        "A pause or alarm of healing, or its end, could not be kept for the next master: " + failure,
                        nowMs);
            }
        }
    }
}
