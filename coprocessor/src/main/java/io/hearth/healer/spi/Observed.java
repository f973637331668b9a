// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.spi;

import java.util.Optional;

/**
 * The answer of a port: a value, the word that the thing asked for is gone, or the reason why nobody knows. Not knowing is
 * never an empty value. Immutable.
 *
 * @param <T> what was asked for
 */
public sealed interface Observed<T> {

    /** Somebody who knows said so. */
    record Known<T>(T value) implements Observed<T> {}

    /** It does not exist any more: an ordinary end for a file, a region or a table under load. */
    record Gone<T>() implements Observed<T> {}

    /** Nobody could say. */
    record Unknown<T>(UnknownReason reason, String detail) implements Observed<T> {}

    static <T> Observed<T> known(T value) {
        return new Known<>(value);
    }

    static <T> Observed<T> gone() {
        return new Gone<>();
    }

    static <T> Observed<T> unknown(UnknownReason reason, String detail) {
        return new Unknown<>(reason, detail);
    }

    /** The value if it is known. */
    default Optional<T> ifKnown() {
        return this instanceof Known<T> known ? Optional.of(known.value()) : Optional.empty();
    }

    /** Why nobody could say. */
    enum UnknownReason {
        /** The NameNode could not be asked or did not answer. */
        NAMENODE_FAILED,
        /** The HMaster's user may not ask. */
        NOT_PERMITTED,
        /** The NameNode answers, and about others it would: what was asked for can't be read. */
        UNREADABLE,
        /** The master is not active, or not yet. */
        MASTER_NOT_READY
    }
}
