package io.hearth.procs;

import io.hearth.procs.layout.Member;
import io.hearth.procs.system.ProcessId;
import java.util.Optional;

/**
 * How one process of the cluster is.
 *
 * @param member which one
 * @param process its identity; absent if it was never started
 * @param condition in one word
 * @param detail in a few more words
 */
public record MemberHealth(Member member, Optional<ProcessId> process, Condition condition, String detail) {

    /** From well to gone. */
    public enum Condition {
        /** It does its part in the cluster. */
        SERVES,
        /** It runs and does not do its part: not yet, or not any more. */
        RUNS,
        /** It was stopped by a signal and can go on. */
        FROZEN,
        /** There is no such process. */
        DEAD
    }
}
