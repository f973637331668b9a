// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import org.apache.hadoop.hbase.ServerName;

/** What the master knows of which life of a region a server serves. */
@FunctionalInterface
public interface OpenSeqNumSource {

    /** Nobody is asked. */
    OpenSeqNumSource UNKNOWN = (server, encodedName) -> RegionReport.UNKNOWN;

    /**
     * The sequence number with which the master has this region open on this server, or {@link RegionReport#UNKNOWN} where
     * it has it elsewhere or not as open (while it is opening there the server may report it already, and the number is
     * that of its last life). Must be quick: it is called for every region.
     */
    long of(ServerName server, String encodedName);

    /** The same for a caller that asks about so many regions now: the master's states may be read once for all of them. */
    default OpenSeqNumSource forMany(int regions) {
        return this;
    }
}
