// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.config;

import java.util.Locale;

/** What comes of a plan. */
public enum HealingMode {
    /** Its moves are made. */
    ACT,
    /** It is counted, logged and shown, and nothing moves. */
    ADVISE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
