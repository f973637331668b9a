// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

/** Reads and writes of a region, per second. Immutable. */
record Rates(double readsPerSecond, double writesPerSecond) {

    static final Rates NONE = new Rates(0, 0);

    static Rates of(long reads, long writes, long elapsedMs) {
        return new Rates(reads * 1000.0 / elapsedMs, writes * 1000.0 / elapsedMs);
    }

    /** The mean of this and a newer one which has this share in it. */
    Rates towards(Rates newer, double share) {
        return new Rates(
                readsPerSecond + (newer.readsPerSecond - readsPerSecond) * share,
                writesPerSecond + (newer.writesPerSecond - writesPerSecond) * share);
    }

    Rates plus(Rates other) {
        return new Rates(readsPerSecond + other.readsPerSecond, writesPerSecond + other.writesPerSecond);
    }

    double total() {
        return readsPerSecond + writesPerSecond;
    }

    Rates times(double factor) {
        return new Rates(readsPerSecond * factor, writesPerSecond * factor);
    }
}
