// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

/**
 * What a RegionServer reports of a region's blocks: the bytes that have a replica on its host, and all bytes. It lags behind
 * the truth: stock RegionServers compute it when they open a file, and look again only under two settings that are off by
 * default. Immutable.
 *
 * @param localBytes at least 0, at most {@code totalBytes}
 */
public record ReportedLocality(long localBytes, long totalBytes) {

    public ReportedLocality {
        totalBytes = Math.max(0, totalBytes);
        localBytes = Math.min(Math.max(0, localBytes), totalBytes);
    }

    /** Local bytes per byte, 1 only if every byte is local. A region without bytes is at home anywhere. */
    public double ratio() {
        return totalBytes == 0 ? 1.0 : (double) localBytes / totalBytes;
    }

    public long nonLocalBytes() {
        return totalBytes - localBytes;
    }
}
