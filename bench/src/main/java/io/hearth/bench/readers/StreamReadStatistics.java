// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

/**
 * What a RegionServer says of the streams that it has closed (HBase's {@code FSDataInputStreamWrapper}, which adds a stream's figures when
 * it is closed and not before): bytes over the whole life of each stream. Immutable.
 *
 * @param total all that were read
 * @param local from a DataNode of its own host, short-circuit reads included
 * @param shortCircuit without the DataNode
 */
public record StreamReadStatistics(long total, long local, long shortCircuit) {

    /** Nobody says: in a JVM with several RegionServers they share these figures. */
    static final StreamReadStatistics UNKNOWN = new StreamReadStatistics(0, 0, 0);

    boolean isKnown() {
        return total > 0;
    }

    StreamReadStatistics since(StreamReadStatistics earlier) {
        return new StreamReadStatistics(
                total - earlier.total, local - earlier.local, shortCircuit - earlier.shortCircuit);
    }

    double localShare() {
        return (double) local / total;
    }

    double shortCircuitShare() {
        return (double) shortCircuit / total;
    }
}
