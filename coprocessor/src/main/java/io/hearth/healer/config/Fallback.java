// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.config;

/** What is done for a region whose blocks can't be moved. */
public enum Fallback {
    /** Nothing. */
    NONE("none"),
    /** Its worst column families are major-compacted, which writes all their bytes anew, on the server's own host. */
    MAJOR_COMPACT("major-compact");

    private final String text;

    Fallback(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
