// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

/**
 * What a RegionServer counts about itself, from its {@code /jmx} page; since it started where nothing else is said. Immutable.
 *
 * @param localBytesRead read from replicas on the same host
 * @param shortCircuitBytesRead those of them that were read without the DataNode
 * @param meanFlushBytes the mean of the last flushes, by HBase's histogram; 0 where there was none
 * @param compactionQueue compactions that wait just now
 * @param hedgedReads second requests that a hedged read has sent
 * @param hedgedWins those of them that were faster than the first
 */
public record ServerCounters(
        long localBytesRead,
        long shortCircuitBytesRead,
        long flushes,
        long meanFlushBytes,
        long compactionQueue,
        long hedgedReads,
        long hedgedWins) {}
