// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.testkit.measure.ClusterLoadReport;
import io.hearth.testkit.measure.ServerRates;
import java.io.IOException;
import java.util.SortedMap;

/** What each server served over some seconds in which no region moved, or after a few attempts in which some did. */
public final class SteadyRates {
    private static final long WINDOW_MS = 10_000;
    private static final int ATTEMPTS = 3;

    private SteadyRates() {}

    /** Who has the latest reports. */
    @FunctionalInterface
    public interface ReportSource {
        ClusterLoadReport latest() throws IOException;
    }

    /** Watches for a while. */
    public static SortedMap<String, ServerRates> take(ReportSource reports) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            ClusterLoadReport before = reports.latest();
            Thread.sleep(WINDOW_MS);
            SortedMap<String, ServerRates> ratesByHost = ServerRates.between(before, reports.latest());
            boolean steady = ratesByHost.values().stream().allMatch(rates -> rates.arrivedRegions() == 0);
            if (steady || attempt == ATTEMPTS) {
                return ratesByHost;
            }
        }
    }
}
