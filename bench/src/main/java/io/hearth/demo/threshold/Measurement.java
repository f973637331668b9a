// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.threshold;

import java.util.OptionalDouble;

/** What was measured against a bar: a number, or the reason why there is none. */
public sealed interface Measurement {

    /** A number that was measured. */
    record Measured(double value) implements Measurement {}

    /** No number, and why: it never counts as a bar that holds. */
    record Unmeasured(String reason) implements Measurement {}

    static Measurement of(double value) {
        return new Measured(value);
    }

    static Measurement of(OptionalDouble value, String reasonIfAbsent) {
        return value.isPresent() ? new Measured(value.getAsDouble()) : new Unmeasured(reasonIfAbsent);
    }

    static Measurement missing(String reason) {
        return new Unmeasured(reason);
    }
}
