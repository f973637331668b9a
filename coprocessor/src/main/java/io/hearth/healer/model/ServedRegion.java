// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Optional;

/**
 * A region that is open on a server, as the master sees it. A region in transition, splitting or offline is not served.
 * Immutable; ordered by region.
 *
 * @param reported what its server last said of its locality; empty where this server has not reported it yet
 * @param compaction what its server last said of compactions of it
 */
public record ServedRegion(
        EncodedRegionName region,
        TableId table,
        HealRank rank,
        TableHealingMode mode,
        ServerId server,
        Optional<ReportedLocality> reported,
        Compaction compaction)
        implements Comparable<ServedRegion> {

    /** A region of whose compactions nobody has said anything. */
    public ServedRegion(
            EncodedRegionName region,
            TableId table,
            HealRank rank,
            TableHealingMode mode,
            ServerId server,
            Optional<ReportedLocality> reported) {
        this(region, table, rank, mode, server, reported, Compaction.UNKNOWN);
    }

    @Override
    public int compareTo(ServedRegion other) {
        return region.compareTo(other.region);
    }

    /** What comes before what, whatever it is worth: regions are healed by rank first, and by benefit within a rank. */
    public enum HealRank {
        /** hbase:meta. */
        META,
        /** Another system table. */
        SYSTEM,
        /** A user table with {@code HEARTH_HEAL} = first. */
        FIRST,
        /** Any other user table. */
        USER
    }

    /** What a table asks of healing. */
    public enum TableHealingMode {
        /** Its regions are never healed. */
        OFF,
        /** Its regions are healed in their turn. */
        ON,
        /** Its regions are healed before those of other user tables. */
        FIRST
    }

    /**
     * What a RegionServer reports of a region's blocks: the bytes that have a replica on its host, and all bytes. It lags behind
     * the truth: stock RegionServers compute it when they open a file, and compute it again only under two settings that are off by
     * default. Immutable.
     *
     * @param localBytes at least 0, at most {@code totalBytes}
     */
    public record ReportedLocality(long localBytes, long totalBytes) {

        public ReportedLocality {
            totalBytes = Math.max(0, totalBytes);
            localBytes = Math.min(Math.max(0, localBytes), totalBytes);
        }

        /** Local bytes per byte, 1 only if every byte is local. A region without bytes is local anywhere. */
        public double ratio() {
            return totalBytes == 0 ? 1.0 : (double) localBytes / totalBytes;
        }

        public long nonLocalBytes() {
            return totalBytes - localBytes;
        }
    }
}
