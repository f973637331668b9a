// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.report;

import java.util.OptionalDouble;

/**
 * One stretch of healing: what was away from home and what was moved until nothing was.
 *
 * @param title what had moved the regions
 * @param regions regions that had a block away from home
 * @param localityBefore locality of all regions concerned before, 0 to 1
 * @param localityAfter locality of the same regions at the end, 0 to 1
 * @param nonLocalBlocks blocks without a replica on the host that serves them, before
 * @param nonLocalBytes their bytes
 * @param blocksMoved moves that Hearth verified with the NameNode
 * @param bytesMoved their bytes
 * @param durationMs from the first look to the last
 */
public record HealSummary(
        String title,
        int regions,
        double localityBefore,
        double localityAfter,
        int nonLocalBlocks,
        long nonLocalBytes,
        long blocksMoved,
        long bytesMoved,
        long durationMs) {

    /** Bytes moved over bytes that were not local; empty where none were. */
    public OptionalDouble movedOverNonLocal() {
        return nonLocalBytes == 0 ? OptionalDouble.empty() : OptionalDouble.of(bytesMoved / (double) nonLocalBytes);
    }
}
