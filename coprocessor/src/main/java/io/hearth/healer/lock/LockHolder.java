// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.lock;

import io.hearth.common.log.PrintableName;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * A healer by the word that it leaves with the lock. Immutable.
 *
 * @param program what it runs as: {@code HMaster}, {@code healer-run} or {@code healer-daemon}; no blanks
 * @param user as HDFS knows it; no blanks
 * @param host where it runs; no blanks
 * @param since when it took the lock
 */
public record LockHolder(String program, String user, String host, Instant since) {

    private static final int FIELDS = 4;

    /** For a person: {@code healer-run of ops on host1, since 2026-11-21T19:30:00Z}. */
    @Override
    public String toString() {
        return program + " of " + user + " on " + host + ", since " + since;
    }

    /** The word that is left with the lock. */
    public String label() {
        return String.join(" ", program, user, host, since.toString());
    }

    /** The holder that left this word; empty where it is none of ours. */
    public static Optional<LockHolder> ofLabel(String label) {
        String[] fields = label.split(" ", -1);
        if (fields.length != FIELDS) {
            return Optional.empty();
        }
        try {
            return Optional.of(new LockHolder(
                    PrintableName.of(fields[0]),
                    PrintableName.of(fields[1]),
                    PrintableName.of(fields[2]),
                    Instant.parse(fields[3])));
        } catch (DateTimeException foreign) {
            return Optional.empty();
        }
    }
}
