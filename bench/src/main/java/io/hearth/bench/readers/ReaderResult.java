// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import java.util.Locale;

/**
 * What the readers of one run met. Immutable.
 *
 * <p>The local share is {@code 1 - RemoteBytesRead / BytesRead} by the DataNodes' own counters, while no replica is copied. Values that
 * no DataNode read count as short-circuit, as a lower bound. HBase's {@code localBytesRead} adds up a stream only when its region
 * closes, and HDFS's client knows the figure only inside its process.
 *
 * @param moves what was moved under the table
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
        BlockMoves moves,
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
     * The moves under the table.
     *
     * @param blocks how many blocks were moved
     * @param areHealers whether Hearth's healer moved them, which spares readers; a test does not
     * @param stalling how many of the healer's moves could stall a reader ({@link StallingMoves})
     */
    public record BlockMoves(int blocks, boolean areHealers, int stalling) {}

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
                moves, blocks, quiet, moving, localShareBefore, localShareAfter, shortCircuitAfter, said, reopened);
    }

    /** The figures beside the thresholds of readers that are set up like this. */
    public ThresholdReport thresholds(ReaderSetup setup) {
        ThresholdReport report = new ThresholdReport();
        report.add(
                Figure.of("", "blocks moved", moves.blocks, "").atLeast(blocks, moves.blocks == blocks),
                "only " + moves.blocks + " of " + blocks + " blocks moved");
        report.add(Figure.of("", "regions opened again", reopened, "").none(), reopened + " regions were opened again");
        report.add(Figure.of("", "reads", (double) moving.reads, ""));
        report.add(Figure.of("", "failed", (double) moving.failed, ""));
        long failed = quiet.failed + moving.failed;
        report.add(Figure.of("", "failed, quiet ones too", (double) failed, "").none(), failed + " reads failed");
        if (moves.areHealers) {
            report.add(
                    Figure.of("", "moves that could stall a reader", moves.stalling, "")
                            .none(),
                    moves.stalling
                            + " moves could stall a reader: every DataNode where it looks for some block had just"
                            + " given up a replica of that file");
        }
        waits(report, setup);
        shares(report, setup);
        failovers(report, setup);
        if (streams.isKnown()) {
            report.add(Figure.of("", "RegionServer's own count", streams.total / 1e6, "MB"));
            report.add(Figure.of("", "RegionServer's own count, local", 100 * streams.localShare(), "%"));
            report.add(
                    Figure.of("", "RegionServer's own count, short circuit", 100 * streams.shortCircuitShare(), "%"));
        }
        return report;
    }

    private void waits(ThresholdReport report, ReaderSetup setup) {
        Figure stalls = Figure.of("", "stalls", moving.stalls, "");
        report.add(setup == ReaderSetup.DEFAULT ? stalls : stalls.none(), moving.stalls + " stalls");
        report.add(Figure.of("", "above 100 ms", moving.above100, ""));
        report.add(Figure.of("", "above 100 ms, quiet", quiet.above100, ""));
        report.add(Figure.of("", "above 250 ms", moving.above250, ""));
        report.add(Figure.of("", "above 250 ms, quiet", quiet.above250, ""));
        Figure met = Figure.of("", "above 250 ms in a failover", moving.above250Met, "");
        report.add(
                setup == ReaderSetup.DEFAULT ? met : met.none(),
                moving.above250Met + " reads above 250 ms met a failover or a stall");
        report.add(Figure.of("", "worst", moving.worstMillis, "ms"));
        report.add(Figure.of("", "worst, quiet", quiet.worstMillis, "ms"));
    }

    private void shares(ThresholdReport report, ReaderSetup setup) {
        report.add(Figure.of("", "local bytes, before", 100 * localShareBefore, "%"));
        Figure after = Figure.of("", "local bytes, after", 100 * localShareAfter, "%");
        report.add(
                setup == ReaderSetup.DEFAULT ? after : after.atLeast(100 * LOCAL_SHARE, localShareAfter >= LOCAL_SHARE),
                String.format(Locale.ROOT, "%.1f %% of the bytes read at the end are local", 100 * localShareAfter));
        Figure past = Figure.of("", "short circuit", 100 * shortCircuitAfter, "%");
        report.add(
                setup == ReaderSetup.HEARTH_SHORT_CIRCUIT
                        ? past.atLeast(100 * LOCAL_SHARE, shortCircuitAfter >= LOCAL_SHARE)
                        : past.atMost(100 - 100 * LOCAL_SHARE, shortCircuitAfter <= 1 - LOCAL_SHARE),
                String.format(
                        Locale.ROOT,
                        "%.1f %% of the bytes read at the end came past the DataNodes",
                        100 * shortCircuitAfter));
    }

    private void failovers(ThresholdReport report, ReaderSetup setup) {
        Figure failovers = Figure.of("", "failovers", moving.failovers, "");
        report.add(
                setup == ReaderSetup.HEARTH_WITH_JAR ? failovers.none() : failovers, moving.failovers + " failovers");
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
