// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb.stream;

/**
 * One value of one series at one time.
 *
 * @param metric which metric, from 0
 * @param host which of the hosts that report it, from 0
 * @param timestampMs milliseconds since 1970
 * @param value a whole number from 0 to 999,999
 */
public record DataPoint(int metric, int host, long timestampMs, long value) {}
