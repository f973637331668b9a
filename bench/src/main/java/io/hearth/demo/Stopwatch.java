// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

/** Milliseconds since it was made, from a clock that never goes back. Thread-safe. */
final class Stopwatch {
    private final long startNanos = System.nanoTime();

    long elapsedMs() {
        return (System.nanoTime() - startNanos) / 1_000_000;
    }
}
