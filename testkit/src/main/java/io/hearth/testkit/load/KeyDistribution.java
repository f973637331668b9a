// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import site.ycsb.generator.CounterGenerator;
import site.ycsb.generator.HotspotIntegerGenerator;
import site.ycsb.generator.NumberGenerator;
import site.ycsb.generator.ScrambledZipfianGenerator;
import site.ycsb.generator.SkewedLatestGenerator;
import site.ycsb.generator.UniformLongGenerator;

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
