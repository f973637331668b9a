// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import io.hearth.testkit.load.Arrivals.Spacing;
import site.ycsb.generator.CounterGenerator;
import site.ycsb.generator.HotspotIntegerGenerator;
import site.ycsb.generator.NumberGenerator;
import site.ycsb.generator.ScrambledZipfianGenerator;
import site.ycsb.generator.SkewedLatestGenerator;
import site.ycsb.generator.UniformLongGenerator;
import site.ycsb.generator.ZipfianGenerator;

/**
 * What a load consists of.
 *
 * @param workload the kinds of requests
 * @param distribution of the rows that are asked for
 * @param hotRows the share of the rows that a hot spot is for, 0 to 1
 * @param hotRequests the share of the requests that it gets, 0 to 1
 * @param rate of the requests, which are sent when they are due whether or not earlier ones were answered
 * @param multigets the share of the gets that are sent as multigets, 0 to 1
 * @param cacheBlocks whether RegionServers keep in memory what is read
 * @param seed of the choice of operations, of the values that are written, and of what is drawn for regions and for times
 */
public record LoadProfile(
        Workload workload,
        KeyDistribution distribution,
        double hotRows,
        double hotRequests,
        Rate rate,
        double multigets,
        boolean cacheBlocks,
        long seed) {

    /** Rows that one multiget asks for. */
    static final int ROWS_OF_A_MULTIGET = 10;

    /** The longest scan, in rows; as long as in YCSB, each length from 1 on is as likely. */
    static final int LONGEST_SCAN = 100;

    /**
     * How many requests there are a second.
     *
     * @param from at the start
     * @param to at the end of the ramp, and from then on
     * @param rampSeconds how long it grows, or falls; 0 if it does not
     * @param spacing how far apart they are
     */
    public record Rate(double from, double to, double rampSeconds, Spacing spacing) {

        /** The same all the time, and the same time from each to the next. */
        public static Rate steady(double perSecond) {
            return new Rate(perSecond, perSecond, 0, Spacing.STEADY);
        }

        Arrivals arrivals(long seed) {
            return Arrivals.ramp(from, to, rampSeconds, spacing, seed);
        }
    }

    /** Which rows are asked for how often: YCSB's generators, with its constants. */
    public enum KeyDistribution {
        /** All of them alike. */
        UNIFORM,
        /** A few very often, anywhere in the table (Zipf 0.99). */
        ZIPFIAN,
        /** A few very often, the first rows of one region (Zipf 0.99). */
        ORDERED_ZIPFIAN,
        /** The rows of a few regions very often (Zipf 0.99 over regions), within a region all alike. */
        ZIPFIAN_REGIONS,
        /** Each region as often as a lognormal draw with a sigma of 1 says, within a region all rows alike. */
        LOGNORMAL_REGIONS,
        /** Those that were inserted last most often. */
        LATEST,
        /** Most requests for one part of the table. */
        HOTSPOT;

        /**
         * A source of row numbers from 0. YCSB's generators draw from {@link java.util.concurrent.ThreadLocalRandom}, which takes no seed: what
         * is hot is the same each time, the order of the requests is not.
         *
         * @param rows rows that were loaded
         * @param regions in which they are, as many in each
         * @param inserted counts the rows that were inserted since, from {@code rows} on
         * @param hotRows the share of the rows that {@link #HOTSPOT} is for
         * @param hotRequests the share of the requests that it gets
         * @param seed of what is drawn for regions
         */
        NumberGenerator rows(
                long rows, int regions, CounterGenerator inserted, double hotRows, double hotRequests, long seed) {
            return switch (this) {
                case UNIFORM -> new UniformLongGenerator(0, rows - 1);
                case ZIPFIAN -> new ScrambledZipfianGenerator(rows);
                case ORDERED_ZIPFIAN -> new ZipfianGenerator(rows);
                case ZIPFIAN_REGIONS -> RegionWeights.zipf(regions, rows, seed);
                case LOGNORMAL_REGIONS -> RegionWeights.lognormal(regions, rows, seed);
                case LATEST -> new SkewedLatestGenerator(inserted);
                case HOTSPOT -> new HotspotIntegerGenerator(0, rows - 1, hotRows, hotRequests);
            };
        }
    }
}
