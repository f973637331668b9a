// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.config.HealingSettings.HealingConfig;
import java.time.Clock;
import java.util.Optional;

/** Why no move may start just now. */
enum PauseReason {
    SWITCHED_OFF("healing was switched off"),
    PAUSED("healing was paused"),
    ALARMED("too many moves were reverted"),
    BRAKED("an SLO watch brakes"),
    OUTSIDE_WINDOWS("the time for healing is over"),
    ADVICE_ONLY("healing only gives advice"),
    LOCK_NOT_HELD("another healer works on this cluster, or nobody can say whether one does");

    private final String why;

    PauseReason(String why) {
        this.why = why;
    }

    String why() {
        return why;
    }

    /** Whether plans are made nevertheless. */
    boolean plans() {
        return this == ADVICE_ONLY;
    }

    /**
     * The first of these that holds; empty where moves may start.
     *
     * @param isBraked whether the lease of an SLO watch is in force
     */
    static Optional<PauseReason> now(HealingConfig config, PauseSwitch pauseSwitch, boolean isBraked, Clock wallClock) {
        if (!config.enabled()) {
            return Optional.of(SWITCHED_OFF);
        }
        if (config.policy().paused() || pauseSwitch.paused().isPresent()) {
            return Optional.of(PAUSED);
        }
        if (pauseSwitch.alarm().isPresent()) {
            return Optional.of(ALARMED);
        }
        if (isBraked) {
            return Optional.of(BRAKED);
        }
        if (!config.policy().windows().isOpenAt(wallClock.instant(), wallClock.getZone())) {
            return Optional.of(OUTSIDE_WINDOWS);
        }
        return switch (config.policy().mode()) {
            case ACT -> Optional.empty();
            case ADVISE -> Optional.of(ADVICE_ONLY);
        };
    }
}
