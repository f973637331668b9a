// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

/**
 * How a command of {@code bin/hearth} ends, for scripts: also those of the modules testkit and bench. docs/operate.md has the
 * table.
 */
public enum ExitCode {
    /** What was asked for holds; every threshold and expectation does. */
    DONE(0),
    /** Something is left that can't be done now, or a threshold or expectation does not hold; the last lines say what and why. */
    INCOMPLETE(1),
    /** A wrong argument, nothing is there that it names, or the machine lacks something: nothing was begun. */
    USAGE(2),
    /** Another healer works on this cluster. */
    ANOTHER_HEALER_ACTIVE(3),
    /** HBase or HDFS can't be asked. */
    UNREACHABLE(4),
    /** A login or a privilege is missing. */
    NOT_PERMITTED(5),
    /** What is asked for is Hearth's in the master, and it is not there. */
    NOT_INSTALLED(6),
    /** The plan is of the past: nothing was moved. */
    STALE_PLAN(7),
    /** The machine has too much else to do for what was measured to say anything. */
    MACHINE_BUSY(8),
    /** Ended from outside, as by Ctrl-C. */
    INTERRUPTED(130);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
