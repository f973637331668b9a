// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.testkit.command.Commands;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** How many requests failed, and why the first of them did. Thread-safe. */
final class FailureCount {

    private final AtomicLong count = new AtomicLong();
    private final AtomicReference<String> first = new AtomicReference<>();

    void add(Throwable failure) {
        count.incrementAndGet();
        first.compareAndSet(null, Commands.firstLine(failure));
    }

    long count() {
        return count.get();
    }

    /** {@code 0}, or how many and why. */
    String summary() {
        return count.get() == 0 ? "0" : count.get() + ", the first: " + first.get();
    }
}
