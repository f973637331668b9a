package io.hearth.web.hbase;

import java.util.Locale;
import java.util.Optional;

/** What an operator may ask for; the name in a path is that of the constant, with hyphens. */
public enum PageAction {
    PAUSE_HEALING,
    RESUME_HEALING,
    HEAL,
    LIFT_PIN,
    ADVISE,
    ACT;

    String path() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Optional<PageAction> of(String path) {
        for (PageAction action : values()) {
            if (action.path().equals(path)) {
                return Optional.of(action);
            }
        }
        return Optional.empty();
    }
}
