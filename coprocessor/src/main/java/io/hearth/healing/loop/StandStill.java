package io.hearth.healing.loop;

import io.hearth.healing.config.HealingConfig;
import java.time.Clock;
import java.util.Optional;

/** Why no move may start just now. */
enum StandStill {
    SWITCHED_OFF("healing was switched off"),
    PAUSED("healing was paused"),
    ALARMED("too many moves were undone"),
    OUTSIDE_WINDOWS("the time for healing is over"),
    ADVICE_ONLY("healing only gives advice"),
    NOT_ITS_TURN("another healer works on this cluster, or nobody can say whether one does");

    private final String why;

    StandStill(String why) {
        this.why = why;
    }

    String why() {
        return why;
    }

    /** Whether plans are made nevertheless. */
    boolean plans() {
        return this == ADVICE_ONLY;
    }

    /** The first of these that holds; empty where moves may start. */
    static Optional<StandStill> now(HealingConfig config, HealSwitch brake, Clock wallClock) {
        if (!config.enabled()) {
            return Optional.of(SWITCHED_OFF);
        }
        if (config.conduct().paused() || brake.paused().isPresent()) {
            return Optional.of(PAUSED);
        }
        if (brake.alarm().isPresent()) {
            return Optional.of(ALARMED);
        }
        if (!config.conduct().windows().isOpenAt(wallClock.instant(), wallClock.getZone())) {
            return Optional.of(OUTSIDE_WINDOWS);
        }
        return switch (config.conduct().mode()) {
            case ACT -> Optional.empty();
            case ADVISE -> Optional.of(ADVICE_ONLY);
        };
    }
}
