// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.log;

import org.jspecify.annotations.Nullable;

/**
 * Makes a name that somebody else chose safe to print: control characters, line and paragraph separators and invisible formatting
 * characters become {@code ?}, so that it can neither begin a line of a log or a file, nor steer a terminal, nor look like another
 * name. Names of tables and regions have none of them; those of users, and of hosts that a
 * process itself gives, may. Pure.
 */
public final class PrintableName {

    private static final char REPLACEMENT = '?';

    private PrintableName() {}

    /** The name with every unsafe character replaced by {@code ?}; {@code nobody} if there is no name. */
    public static String of(@Nullable String name) {
        if (name == null) {
            return "nobody";
        }
        if (name.codePoints().allMatch(PrintableName::isPrinted)) {
            return name;
        }
        StringBuilder line = new StringBuilder(name.length());
        name.codePoints().forEach(point -> line.appendCodePoint(isPrinted(point) ? point : REPLACEMENT));
        return line.toString();
    }

    private static boolean isPrinted(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
