// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.crash;

import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import io.hearth.testkit.measure.BlockSnapshot;
import io.hearth.testkit.measure.FsckReport;
import java.util.Locale;

/**
 * What a heal after a crash came to. Immutable.
 *
 * @param regions of the server that died
 * @param nonLocalBytes of these regions and of those that had to make room, where they arrived
 * @param verifiedBytes that the healer moved and verified
 * @param healMs from the first arrival of a region until the last byte is local, in milliseconds
 * @param locality of the table at the end, 0 to 1
 * @param blocks the table's blocks at the end against those before the crash
 */
public record CrashResult(
        int regions,
        long bandwidthBytesPerSecond,
        long nonLocalBytes,
        long verifiedBytes,
        long healMs,
        double locality,
        BlockSnapshot.Comparison blocks,
        FsckReport fsck) {

    private static final double BYTES_THRESHOLD = 1.02;
    private static final double TIME_THRESHOLD = 1.3;

    /** Verified bytes for each byte that was away. */
    public double bytesRatio() {
        return (double) verifiedBytes / nonLocalBytes;
    }

    /** The heal's time against bytes over allowed bandwidth. */
    public double timeRatio() {
        return healMs / (nonLocalBytes * 1_000.0 / bandwidthBytesPerSecond);
    }

    /** The figures beside their thresholds. */
    public ThresholdReport thresholds() {
        ThresholdReport report = new ThresholdReport();
        add(report, "regions of the killed server", regions, "");
        add(report, "bandwidth", (double) bandwidthBytesPerSecond, "bytes/s");
        add(report, "remote at first", (double) nonLocalBytes, "bytes");
        add(report, "time until all is local", healMs / 1_000.0, "s");
        add(report, "verified", (double) verifiedBytes, "bytes");
        report.add(
                Figure.of("", "locality", locality, "").atLeast(1, !(locality < 1)),
                text("locality is %.4f, below 1", locality));
        report.add(
                Figure.of("", "verified / remote at first", bytesRatio(), "x")
                        .atMost(BYTES_THRESHOLD, !(bytesRatio() > BYTES_THRESHOLD)),
                text("verified bytes are %.3f x those that were remote, above %.2f", bytesRatio(), BYTES_THRESHOLD));
        report.add(
                Figure.of("", "time / (bytes / bandwidth)", timeRatio(), "x")
                        .atMost(TIME_THRESHOLD, !(timeRatio() > TIME_THRESHOLD)),
                text("it takes %.2f x bytes / bandwidth, above %.1f", timeRatio(), TIME_THRESHOLD));
        report.add(
                Figure.of("", "fsck says HEALTHY", fsck.healthy() ? 1 : 0, "").atLeast(1, fsck.healthy()),
                "fsck does not say HEALTHY");
        add(report, "blocks compared", blocks.kept(), "");
        report.add(
                Figure.of("", "blocks that span fewer racks than before", blocks.racksLost(), "")
                        .none(),
                text("%d blocks span fewer racks than before", blocks.racksLost()));
        report.add(
                Figure.of("", "blocks that have not exactly their replication", blocks.notAtReplication(), "")
                        .none(),
                text("%d blocks have not exactly their replication", blocks.notAtReplication()));
        return report;
    }

    private static void add(ThresholdReport report, String figure, double value, String unit) {
        report.add(Figure.of("", figure, value, unit));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
