// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.log.RateLimitedLogger;
import io.hearth.healer.core.PauseSwitch.PauseState;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores a pause, an alarm and the slow hour after one for the next master: restores what was stored before any move starts, and stores
 * each change soon after it. A change that can't be stored holds in this master all the same, and storing it is tried again. Used by one thread.
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
     * Restores what an earlier master has stored; once that is done, further calls do nothing.
     *
     * @throws IOException if it can't be read: no move may start then
     */
    public void restore() throws IOException {
        if (!restored) {
            kept = store.load();
            pauseSwitch.restore(kept);
            restored = true;
            PauseState now = pauseSwitch.state();
            now.paused()
                    .filter(why -> kept.paused().filter(why::equals).isPresent())
                    .ifPresent(why -> LOG.warn("Healing stays paused, as under the master before: {}", why));
            now.alarm().ifPresent(what -> LOG.warn("Healing stays stopped, as under the master before: {}", what));
            now.slowUntil()
                    .ifPresent(end -> LOG.warn(
                            "Healing goes at a quarter of its pace until {} at the latest, as under the master before.",
                            end));
        }
    }

    /** Stores the state if it is another than the stored one. Never throws: whatever goes wrong is told, and tried again. */
    public void persist(long nowMs) {
        PauseState now = pauseSwitch.state();
        if (restored && !now.equals(kept) && nowMs >= notBeforeMs) {
            try {
                store.save(now);
                kept = now;
            } catch (Throwable failure) {
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

        /** The state that was stored last; {@link PauseState#NONE} if there is none. */
        PauseState load() throws IOException;

        void save(PauseState state) throws IOException;
    }
}
