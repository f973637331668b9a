// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import java.util.Locale;

/** The form in which a command prints what it has found. */
public enum OutputFormat {
    /** For a person. */
    TABLE,
    /** One document or one line for each event. */
    JSON,
    /** RFC 4180 with a line of names first; only of commands that print rows. */
    CSV;

    /** As it is written on the command line: {@code table}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
