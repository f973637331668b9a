// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.log.RateLimitedLogger;
import io.hearth.healer.core.PauseSwitch.PauseState;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a pause or an alarm for the next master: takes up what was left before anything starts, and writes each change down
 * soon after. A change that can't be written holds here all the same and is tried again. Used by one thread.
 */
public final class PausePersister {

    private static final Logger LOG = LoggerFactory.getLogger(PausePersister.class);
    private static final long AGAIN_MS = 10_000;

    private final PauseSwitch pauseSwitch;
    private final PauseStore store;
    private final RateLimitedLogger rateLimitedLogger = new RateLimitedLogger(LOG);
    private PauseState kept = PauseState.NONE;
    private boolean restored;
    private long notBeforeMs = Long.MIN_VALUE;

    public PausePersister(PauseSwitch pauseSwitch, PauseStore store) {
        this.pauseSwitch = pauseSwitch;
        this.store = store;
    }

    /**
     * Takes up what an earlier master has left; after that it does nothing.
     *
     * @throws IOException if nobody can say what that is: then nothing may start
     */
    public void restore() throws IOException {
        if (!restored) {
            kept = store.load();
            pauseSwitch.restore(kept);
            restored = true;
            kept.paused().ifPresent(why -> LOG.warn("Healing stays paused, as under the master before: {}", why));
            kept.alarm().ifPresent(what -> LOG.warn("Healing stays stopped, as under the master before: {}", what));
        }
    }

    /** Writes the position down if it has changed. */
    public void persist(long nowMs) {
        PauseState now = pauseSwitch.state();
        if (restored && !now.equals(kept) && nowMs >= notBeforeMs) {
            try {
                store.save(now);
                kept = now;
            } catch (IOException | RuntimeException failure) {
                notBeforeMs = nowMs + AGAIN_MS;
                rateLimitedLogger.warn(
                        "pause",
                        "A pause or alarm of healing, or its end, could not be kept for the next master: " + failure,
                        nowMs);
            }
        }
    }

    /** Where a pause or an alarm outlives the process. */
    public interface PauseStore {

        /** What was kept last; released where nothing is kept. */
        PauseState load() throws IOException;

        void save(PauseState state) throws IOException;
    }
}
