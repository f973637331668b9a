// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.lock;

import io.hearth.common.log.PrintableName;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * The one thing of a cluster that no two healers can hold at a time. A holder that dies loses it. Asked by the healing loop's
 * thread alone; the answers come from outside of the process and may take long. Never throws.
 */
public interface HealerLock {

    /** How long it stays with a holder that is not heard of any more. */
    long LEASE_MS = 60_000;

    /** A lock that nobody else wants. */
    HealerLock UNCONTESTED = new HealerLock() {
        @Override
        public LockResult take(LockHolder self) {
            return new LockResult.Held();
        }

        @Override
        public LockResult confirm() {
            return new LockResult.Held();
        }

        @Override
        public void release() {}
    };

    /** Takes it if it is free, and leaves this word with it. Answers with anything but {@link LockResult.Lost}. */
    LockResult take(LockHolder self);

    /** Renews it and makes sure that it is held; asked by its holder: held, lost or unknown. */
    LockResult confirm();

    /** Gives it back, or what is left of it after it was lost. */
    void release();

    /** What came of asking for the lock, or after it. Immutable. */
    sealed interface LockResult {

        /** It is ours, and nobody else's for {@link HealerLock#LEASE_MS} from the moment of the question. */
        record Held() implements LockResult {}

        /** It is another's. */
        record HeldBy(LockHolder holder) implements LockResult {}

        /** It was ours, and is not any more: it was not renewed for too long, or somebody took it away. */
        record Lost(String why) implements LockResult {}

        /** The user may not have it. */
        record Refused(String why) implements LockResult {}

        /** Nobody could say. */
        record Unknown(String why) implements LockResult {}
    }

    /**
     * A healer by the word that it leaves with the lock. Immutable.
     *
     * @param program what it runs as: {@code HMaster}, {@code healer-run} or {@code healer-daemon}; no blanks
     * @param user as HDFS knows it; no blanks
     * @param host where it runs; no blanks
     * @param since when it took the lock
     */
    record LockHolder(String program, String user, String host, Instant since) {

        /** The version of the form; a label without one is of version 1. */
        static final int VERSION = 1;

        private static final int FIELDS = 4;

        /** For a person: {@code healer-run of ops on host1, since 2026-11-21T19:30:00Z}. */
        @Override
        public String toString() {
            return program + " of " + user + " on " + host + ", since " + since;
        }

        /** The word that is left with the lock. */
        public String label() {
            return String.join(" ", program, user, host, since.toString(), "v" + VERSION);
        }

        /** The holder that left this word, of which a newer version may have left more; empty where it is none of ours. */
        public static Optional<LockHolder> ofLabel(String label) {
            String[] fields = label.split(" ", -1);
            if (fields.length < FIELDS) {
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
}
