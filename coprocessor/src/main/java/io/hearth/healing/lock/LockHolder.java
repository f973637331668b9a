package io.hearth.healing.lock;

import io.hearth.balancer.log.OneLine;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * A healer by the word that it leaves with the lock. Immutable.
 *
 * @param program what it runs as: {@code HMaster}, {@code heal} or {@code healer}; no blanks
 * @param user as HDFS knows it; no blanks
 * @param host where it runs; no blanks
 * @param since when it took the lock
 */
public record LockHolder(String program, String user, String host, Instant since) {

    private static final int WORDS = 4;

    /** For a person: {@code heal of ops on host1, since 2026-11-21T19:30:00Z}. */
    @Override
    public String toString() {
        return program + " of " + user + " on " + host + ", since " + since;
    }

    /** The word that is left with the lock. */
    public String word() {
        return String.join(" ", program, user, host, since.toString());
    }

    /** The holder that left this word; empty where it is none of ours. */
    public static Optional<LockHolder> ofWord(String word) {
        String[] words = word.split(" ", -1);
        if (words.length != WORDS) {
            return Optional.empty();
        }
        try {
            return Optional.of(new LockHolder(
                    OneLine.of(words[0]), OneLine.of(words[1]), OneLine.of(words[2]), Instant.parse(words[3])));
        } catch (DateTimeException foreign) {
            return Optional.empty();
        }
    }
}
