// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.share;

import java.util.stream.DoubleStream;

/**
 * The regions of so much load that wherever they are, some server has several of them. Of the {@code k n + 1} regions with most
 * load some of {@code n} servers has {@code k + 1}, and so at least what the least of them have together. Collects loads, in any
 * unit, and is asked once. Not thread-safe.
 *
 * <p>Source: the lower bounds of M. Dell'Amico and S. Martello, <i>Optimal scheduling of tasks on identical parallel
 * processors</i>, ORSA Journal on Computing 7 (1995).
 */
public final class PackingLowerBound {

    /** More of them exceed a mean load by less than a sixteenth. */
    private static final int MAX_REGIONS = 16;

    private final int servers;
    private final double least;
    private final DoubleStream.Builder loads = DoubleStream.builder();

    /**
     * What a server has at least.
     *
     * @param load of that server, in the unit of the regions' loads; 0 where there are no regions of such load
     * @param together how many regions make it: 1 is the hottest region alone
     */
    public record Bound(double load, int together) {}

    /** @param meanPerServer of the load of all regions; what is little beside it is left out */
    public PackingLowerBound(int servers, double meanPerServer) {
        this.servers = servers;
        this.least = meanPerServer / MAX_REGIONS;
    }

    public void add(double load) {
        if (load > least) {
            loads.add(load);
        }
    }

    /** The most that can be said of all that were added. */
    public Bound least() {
        double[] sorted = loads.build().sorted().toArray();
        Bound most = new Bound(0, 0);
        for (int together = 1; (together - 1) * servers < sorted.length; together++) {
            int coldest = sorted.length - 1 - (together - 1) * servers;
            double load = 0;
            for (int region = coldest; region < coldest + together; region++) {
                load += sorted[region];
            }
            most = load > most.load ? new Bound(load, together) : most;
        }
        return most;
    }
}
