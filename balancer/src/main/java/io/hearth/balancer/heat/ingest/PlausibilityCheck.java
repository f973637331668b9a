// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import io.hearth.balancer.heat.ingest.RegionCounters.RegionSample;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What no server can have done. One absurd counter would be the load of the whole cluster, and everybody else's would vanish beside
 * it for as many half-lives as it has bits too many.
 */
public final class PlausibilityCheck {

    /**
     * More reads or writes of one region in a second than any RegionServer serves of all: the best that is published is some
     * hundred thousand calls, and a call of many rows counts each of them. A false counter below it fades like any load.
     */
    public static final double MOST_REQUESTS_PER_SECOND = 2_000_000;

    /** More bytes of store files than any region has: 1 PiB. */
    public static final long MOST_STORE_BYTES = 1L << 50;

    /** More bytes of memstore than any region has: 1 TiB. */
    public static final long MOST_MEMSTORE_BYTES = 1L << 40;

    private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

    private PlausibilityCheck() {}

    /** Whether a counter can have risen like that, by rate; not where the difference is below 0, as after an overflow. */
    public static boolean isPossible(RegionSample sample) {
        if (sample.hasRate()) {
            for (LoadDimension dimension : DIMENSIONS) {
                if (dimension.isCounter() && !isPossibleRate(sample.perSecond().get(dimension))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether a region can have so many reads or writes a second. */
    public static boolean isPossibleRate(double requestsPerSecond) {
        return requestsPerSecond >= 0 && requestsPerSecond <= MOST_REQUESTS_PER_SECOND;
    }

    /** Whether a region can be as large as this report says. */
    public static boolean hasPossibleSizes(RegionReport report) {
        for (LoadDimension dimension : DIMENSIONS) {
            long value = report.load().get(dimension);
            if (!dimension.isCounter() && (value < 0 || value > most(dimension))) {
                return false;
            }
        }
        return report.nonLocalShare() >= 0 && report.nonLocalShare() <= 1;
    }

    private static long most(LoadDimension size) {
        return size == LoadDimension.MEMSTORE ? MOST_MEMSTORE_BYTES : MOST_STORE_BYTES;
    }

    /** What is said of each of these dimensions; before the last stands this. */
    private static String list(
            Predicate<LoadDimension> which, Function<LoadDimension, String> text, String beforeLast) {
        List<String> texts = Arrays.stream(DIMENSIONS).filter(which).map(text).toList();
        int last = texts.size() - 1;
        return String.join(", ", texts.subList(0, last)) + (last > 0 ? beforeLast : "") + texts.get(last);
    }

    /** What is wrong, and what is done about it, as one sentence; empty where nothing is. */
    public static Optional<String> problem(ServerId server, RegionReport report, RegionSample sample) {
        if (!isPossible(sample)) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "%s reports %s of region %s of %s in %d ms; a region has 0 to %.0f a second. What it did in that time is"
                            + " not counted",
                    server,
                    list(
                            LoadDimension::isCounter,
                            counter ->
                                    sample.perSecond().requestsIn(counter, sample.elapsedMs()) + " " + counter.label(),
                            " and "),
                    report.region(),
                    report.table(),
                    sample.elapsedMs(),
                    MOST_REQUESTS_PER_SECOND));
        }
        return hasPossibleSizes(report)
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%s reports %s and a share of %s not local of region %s of %s; allowed are %s and 0 to 1. What was"
                                + " known of its size holds",
                        server,
                        list(
                                dimension -> !dimension.isCounter(),
                                size -> report.load().get(size) + " bytes of " + size.label(),
                                ", "),
                        report.nonLocalShare(),
                        report.region(),
                        report.table(),
                        list(dimension -> !dimension.isCounter(), size -> "0 to " + most(size), ", ")));
    }
}
