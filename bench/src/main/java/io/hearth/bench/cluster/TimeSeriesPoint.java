// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

/**
 * A value at a time.
 *
 * @param seconds since the event
 */
public record TimeSeriesPoint(double seconds, double value) {}
