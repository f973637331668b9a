// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * One report of one RegionServer. Immutable.
 *
 * @param reportTimeMs when the report was made, in milliseconds since 1970 by the server's clock
 * @param regions every region that was open there
 */
public record ServerReport(ServerId server, long reportTimeMs, List<RegionReport> regions) {

    public ServerReport {
        regions = List.copyOf(regions);
    }

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

    /**
     * What a region's name says of where the region came from. Immutable.
     *
     * @param startKey the first row of the region, one char for each byte (ISO 8859-1), so that strings are ordered as HBase
     *     orders rows
     * @param regionIdMs HBase's region id: when the region was made, in milliseconds since 1970 by the master's clock; the two
     *     daughters of one split share it
     */
    public record RegionNameInfo(String startKey, long regionIdMs) {}

    /**
     * What a RegionServer says of one region in each {@link LoadDimension}: how far a counter has come since the region was opened
     * there, or a size in bytes. Immutable.
     */
    public static final class ReportedLoad {

        private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

        /** 0 in each dimension. */
        public static final ReportedLoad NONE = new ReportedLoad(new long[DIMENSIONS.length]);

        private final long[] values;

        private ReportedLoad(long[] values) {
            this.values = values;
        }

        public static ReportedLoad of(ToLongFunction<LoadDimension> valueOf) {
            long[] values = new long[DIMENSIONS.length];
            for (LoadDimension dimension : DIMENSIONS) {
                values[dimension.ordinal()] = valueOf.applyAsLong(dimension);
            }
            return new ReportedLoad(values);
        }

        /** The same with this value in this dimension. */
        public ReportedLoad with(LoadDimension dimension, long value) {
            long[] changed = values.clone();
            changed[dimension.ordinal()] = value;
            return new ReportedLoad(changed);
        }

        public long get(LoadDimension dimension) {
            return values[dimension.ordinal()];
        }

        /** How fast the counters, which were here so long before, have risen. */
        Rates ratesSince(long[] counters, long elapsedMs) {
            return Rates.between(counters, values, elapsedMs);
        }

        /** Whether a counter is below what it was here. */
        boolean hasFallenFrom(long[] counters) {
            for (int counter = 0; counter < counters.length; counter++) {
                if (values[counter] < counters[counter]) {
                    return true;
                }
            }
            return false;
        }

        /** Puts the counters, which come first of all dimensions, there, one after another. */
        void putCounters(byte[] packed) {
            for (int counter = 0; counter < Rates.COUNTERS; counter++) {
                PackedNumbers.putLong(packed, counter * Long.BYTES, values[counter]);
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof ReportedLoad load && Arrays.equals(values, load.values);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(values);
        }

        @Override
        public String toString() {
            return Arrays.toString(values);
        }
    }

    /**
     * One look at the cluster: the reports that are read in it, and every server that is there. A live server without a report in it
     * counts by the last one that was read. Immutable.
     *
     * @param newReports at most one report of each live server
     * @param reportMsByServer when each live server made its last report, read or not, in milliseconds by that server's clock
     */
    public record ReportBatch(List<ServerReport> newReports, Map<ServerId, Long> reportMsByServer) {

        public ReportBatch {
            newReports = List.copyOf(newReports);
            reportMsByServer = Map.copyOf(reportMsByServer);
        }

        /** A look that reads the last report of every live server, whether it was read before or not. */
        public static ReportBatch ofAll(Collection<ServerReport> reports) {
            return new ReportBatch(
                    List.copyOf(reports),
                    reports.stream().collect(Collectors.toMap(ServerReport::server, ServerReport::reportTimeMs)));
        }

        /** Every server that is there. */
        public Set<ServerId> live() {
            return reportMsByServer.keySet();
        }
    }
}
