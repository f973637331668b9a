// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.crash;

import io.hearth.testkit.measure.BlockSnapshot;
import io.hearth.testkit.measure.FsckReport;
import java.util.ArrayList;
import java.util.List;
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

    /** The thresholds that do not hold, each in one sentence with the number and the threshold. */
    public List<String> violations() {
        List<String> violations = new ArrayList<>();
        violation(violations, locality < 1, "locality is %.4f, below 1", locality);
        violation(
                violations,
                bytesRatio() > BYTES_THRESHOLD,
                "verified bytes are %.3f x those that were remote, above %.2f",
                bytesRatio(),
                BYTES_THRESHOLD);
        violation(
                violations,
                timeRatio() > TIME_THRESHOLD,
                "it takes %.2f x bytes / bandwidth, above %.1f",
                timeRatio(),
                TIME_THRESHOLD);
        violation(violations, !fsck.healthy(), "fsck does not say HEALTHY");
        violation(violations, blocks.racksLost() > 0, "%d blocks span fewer racks than before", blocks.racksLost());
        violation(
                violations,
                blocks.notAtReplication() > 0,
                "%d blocks have not exactly their replication",
                blocks.notAtReplication());
        return violations;
    }

    private static void violation(List<String> violations, boolean missed, String format, Object... values) {
        if (missed) {
            violations.add(String.format(Locale.ROOT, format, values));
        }
    }
}
