// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import site.ycsb.generator.CounterGenerator;
import site.ycsb.generator.HotspotIntegerGenerator;
import site.ycsb.generator.NumberGenerator;
import site.ycsb.generator.ScrambledZipfianGenerator;
import site.ycsb.generator.SkewedLatestGenerator;
import site.ycsb.generator.UniformLongGenerator;

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

    /** Which rows are asked for how often: YCSB's generators, with its constants. */
    public enum KeyDistribution {
        /** All of them alike. */
        UNIFORM,
        /** A few very often, anywhere in the table (Zipf 0.99). */
        ZIPFIAN,
        /** Those that were inserted last most often. */
        LATEST,
        /** Most requests for one part of the table. */
        HOTSPOT;

        /**
         * A source of row numbers from 0. YCSB's generators draw from {@link java.util.concurrent.ThreadLocalRandom}, which takes no seed: what
         * is hot is the same each time, the order of the requests is not.
         *
         * @param rows rows that were loaded
         * @param inserted counts the rows that were inserted since, from {@code rows} on
         * @param hotRows the share of the rows that {@link #HOTSPOT} is for
         * @param hotRequests the share of the requests that it gets
         */
        NumberGenerator rows(long rows, CounterGenerator inserted, double hotRows, double hotRequests) {
            return switch (this) {
                case UNIFORM -> new UniformLongGenerator(0, rows - 1);
                case ZIPFIAN -> new ScrambledZipfianGenerator(rows);
                case LATEST -> new SkewedLatestGenerator(inserted);
                case HOTSPOT -> new HotspotIntegerGenerator(0, rows - 1, hotRows, hotRequests);
            };
        }
    }
}
