// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.system.ProcessTable.ProcessId;
import java.util.Optional;

/**
 * How one process of the cluster is.
 *
 * @param daemon which one
 * @param process its identity; absent if it was never started
 * @param condition in one word
 * @param detail in a few more words
 */
public record DaemonHealth(Daemon daemon, Optional<ProcessId> process, Condition condition, String detail) {

    /** From well to gone. */
    public enum Condition {
        /** It does its part in the cluster. */
        SERVING,
        /** It runs and does not do its part: not yet, or not any more. */
        NOT_SERVING,
        /** It was stopped by a signal and can go on. */
        FROZEN,
        /** There is no such process. */
        DEAD
    }
}
