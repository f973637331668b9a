// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import java.util.Locale;
import java.util.Optional;

/** What an operator may ask for; the name in a path is that of the constant, with hyphens. */
public enum AdminAction {
    PAUSE_HEALING,
    RESUME_HEALING,
    HEAL,
    REMOVE_PIN,
    ADVISE,
    ACT;

    String path() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Optional<AdminAction> of(String path) {
        for (AdminAction action : values()) {
            if (action.path().equals(path)) {
                return Optional.of(action);
            }
        }
        return Optional.empty();
    }
}
