// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

import java.util.Optional;

/**
 * What somebody was asked for: the value, or why it could not be had, in a few words for a person. Immutable.
 *
 * @param <T> what was asked for
 */
public sealed interface ProbeResult<T> {

    /** It was said. */
    record Known<T>(T value) implements ProbeResult<T> {}

    /** It could not be had. */
    record Unknown<T>(String why) implements ProbeResult<T> {}

    static <T> ProbeResult<T> known(T value) {
        return new Known<>(value);
    }

    static <T> ProbeResult<T> unknown(String why) {
        return new Unknown<>(why);
    }

    /** The value if it is known. */
    default Optional<T> ifKnown() {
        return this instanceof Known<T> known ? Optional.of(known.value()) : Optional.empty();
    }

    /** Why it is not known; empty if it is. */
    default Optional<String> whyUnknown() {
        return this instanceof Unknown<T> unknown ? Optional.of(unknown.why()) : Optional.empty();
    }
}
