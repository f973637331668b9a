// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

/**
 * A time from one moment to another, by {@link System#nanoTime}.
 *
 * @param toNanos exclusive
 */
public record NanoInterval(long fromNanos, long toNanos) {}
