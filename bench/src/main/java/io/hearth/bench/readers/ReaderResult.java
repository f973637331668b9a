// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the readers of one run met. Immutable.
 *
 * <p>The local share is {@code 1 - RemoteBytesRead / BytesRead} by the DataNodes' own counters, while no replica is copied. Values that
 * no DataNode read count as short-circuit, as a lower bound. HBase's {@code localBytesRead} adds up a stream only when its region
 * closes, and HDFS's client knows the figure only inside its process.
 *
 * @param blocksMoved how many blocks were moved under the table
 * @param blocks how many it has
 * @param quiet while nothing moved
 * @param moving from the first move until every stream could have learnt of the last one
 * @param localShareBefore the local share of the bytes read before the moves
 * @param localShareAfter the same at the end
 * @param shortCircuitAfter the share of the bytes read at the end that no DataNode was asked for
 * @param streams what the RegionServer said of the table's streams when they were closed, after all else
 * @param reopened how many regions were opened again meanwhile
 */
public record ReaderResult(
        int blocksMoved,
        int blocks,
        Phase quiet,
        Phase moving,
        double localShareBefore,
        double localShareAfter,
        double shortCircuitAfter,
        StreamReadStatistics streams,
        int reopened) {

    /** The local share at the end that has to be reached. */
    static final double LOCAL_SHARE = 0.98;

    /**
     * The reads of one phase.
     *
     * @param above250Met those above 250 ms during which a stream lost a replica
     */
    public record Phase(
            long reads,
            long failed,
            int above100,
            int above250,
            int above250Met,
            double worstMillis,
            int failovers,
            int stalls) {}

    ReaderResult with(StreamReadStatistics said) {
        return new ReaderResult(
                blocksMoved,
                blocks,
                quiet,
                moving,
                localShareBefore,
                localShareAfter,
                shortCircuitAfter,
                said,
                reopened);
    }

    /** Which thresholds do not hold for readers that are set up like this. */
    public List<String> violations(ReaderSetup setup) {
        List<String> violations = new ArrayList<>();
        require(violations, blocksMoved == blocks, "only " + blocksMoved + " of " + blocks + " blocks moved");
        require(violations, reopened == 0, reopened + " regions were opened again");
        require(violations, quiet.failed + moving.failed == 0, (quiet.failed + moving.failed) + " reads failed");
        if (setup != ReaderSetup.DEFAULT) {
            require(violations, moving.stalls == 0, moving.stalls + " stalls");
            require(
                    violations,
                    moving.above250Met == 0,
                    moving.above250Met + " reads above 250 ms met a failover or a stall");
            require(
                    violations,
                    localShareAfter >= LOCAL_SHARE,
                    String.format(
                            Locale.ROOT, "%.1f %% of the bytes read at the end are local", 100 * localShareAfter));
        }
        String shortCircuit = String.format(
                Locale.ROOT, "%.1f %% of the bytes read at the end came past the DataNodes", 100 * shortCircuitAfter);
        require(
                violations,
                setup == ReaderSetup.HEARTH_SHORT_CIRCUIT
                        ? shortCircuitAfter >= LOCAL_SHARE
                        : shortCircuitAfter <= 1 - LOCAL_SHARE,
                shortCircuit);
        if (setup == ReaderSetup.HEARTH_WITH_JAR) {
            require(violations, moving.failovers == 0, moving.failovers + " failovers");
        }
        return violations;
    }

    private static void require(List<String> violations, boolean holds, String otherwise) {
        if (!holds) {
            violations.add(otherwise);
        }
    }

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
}
