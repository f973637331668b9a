// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The form in which a command prints what it has found. */
public enum OutputFormat {
    /** For a person. */
    TABLE,
    /** One document or one line for each event. */
    JSON,
    /** RFC 4180 with a line of names first; only of commands that print rows. */
    CSV;

    /** The format of this name, in small letters alone; empty where there is none. */
    public static Optional<OutputFormat> of(String name) {
        return Arrays.stream(values())
                .filter(format -> format.toString().equals(name))
                .findFirst();
    }

    /** What is wrong with a name that no format has. */
    public static String refused(String name) {
        return "'" + name + "' is none of " + String.join(", ", names());
    }

    /** All of them as they are written on the command line. */
    public static List<String> names() {
        return Arrays.stream(values()).map(OutputFormat::toString).toList();
    }

    /** As it is written on the command line: {@code table}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
