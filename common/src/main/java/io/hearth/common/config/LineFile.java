// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import io.hearth.common.log.PrintableName;
import java.util.ArrayList;
import java.util.List;

/** Reads a text that has one thing a line, empty lines, and remarks behind {@code #}. A line that can't be used is left out. Stateless. */
public final class LineFile {

    private LineFile() {}

    /** Takes a line. */
    public interface LineReader {

        /**
         * Takes this line.
         *
         * @param line without its remark and without blanks around it; never empty
         * @param number from 1 on
         * @throws LineException if it can't be used
         */
        void take(String line, int number) throws LineException;
    }

    /** A line that can't be used; the message says what it must be. */
    public static final class LineException extends Exception {

        private static final long serialVersionUID = 1;

        /** An exception with this message. */
        public LineException(String message) {
            super(message);
        }
    }

    /**
     * Reads all lines.
     *
     * @param name of the file, to be named in problems
     * @return the problems, a printable line each
     */
    public static List<String> read(String text, String name, LineReader reader) {
        List<String> problems = new ArrayList<>();
        int number = 0;
        for (String whole : text.split("\\R", -1)) {
            number++;
            String line = whole.replaceFirst("#.*", "").strip();
            if (line.isEmpty()) {
                continue;
            }
            try {
                reader.take(line, number);
            } catch (LineException wrong) {
                problems.add(PrintableName.of(name + ", line " + number + ": " + wrong.getMessage()
                        + ". This line is left out, the others hold."));
            }
        }
        return problems;
    }
}
