// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.TableId;
import java.util.Optional;

/**
 * What a RegionServer says of one of its regions, and what the master says of the same. Immutable.
 *
 * @param nameInfo where the region came from; empty for a region replica and where the name does not say
 * @param openSeqNum the sequence number with which the master has the region open on this server: it names the life of the
 *     counters; {@link #UNKNOWN} where the master does not have it as open there, or nobody was asked
 * @param load counters since the region was opened there, and sizes in bytes (HBase reports whole megabytes)
 * @param nonLocalShare share of the store files' bytes that have no replica on the server, 0 to 1; 0 where that is unknown
 */
public record RegionReport(
        EncodedRegionName region,
        TableId table,
        Optional<RegionNameInfo> nameInfo,
        long openSeqNum,
        ReportedLoad load,
        double nonLocalShare) {

    /** The open sequence number is not known. */
    public static final long UNKNOWN = -1;

    /** A region of which no more is known than its reads, writes and store size. */
    public RegionReport(
            EncodedRegionName region, TableId table, long readRequests, long writeRequests, long storeBytes) {
        this(
                region,
                table,
                Optional.empty(),
                UNKNOWN,
                ReportedLoad.NONE
                        .with(LoadDimension.READS, readRequests)
                        .with(LoadDimension.WRITES, writeRequests)
                        .with(LoadDimension.STORE_SIZE, storeBytes),
                0);
    }
}
