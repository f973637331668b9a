// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

/**
 * What a load consists of.
 *
 * @param workload the kinds of requests
 * @param distribution of the rows that are asked for
 * @param hotRows the share of the rows that a hot spot is for, 0 to 1
 * @param hotRequests the share of the requests that it gets, 0 to 1
 * @param perSecond requests a second, sent when they are due whether or not earlier ones were answered
 * @param multigets the share of the gets that are sent as multigets, 0 to 1
 * @param cacheBlocks whether RegionServers keep in memory what is read
 * @param seed of the choice of operations and of the values that are written
 */
public record LoadProfile(
        Workload workload,
        KeyDistribution distribution,
        double hotRows,
        double hotRequests,
        double perSecond,
        double multigets,
        boolean cacheBlocks,
        long seed) {

    /** Rows that one multiget asks for. */
    static final int ROWS_OF_A_MULTIGET = 10;

    /** The longest scan, in rows; as long as in YCSB, each length from 1 on is as likely. */
    static final int LONGEST_SCAN = 100;
}
