// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import java.util.Collection;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * How uneven a load lies over servers: the largest share divided by the average one.
 *
 * <p>1 is even, the number of servers is "all of it on one". The measure has no unit: it is the same
 * for requests per second and per hour. Without any load there is no skew to speak of, and none is
 * given.
 */
public final class LoadSkew {

    private LoadSkew() {}

    /** Largest over average; empty where there is no server or no load. */
    public static OptionalDouble maxOverMean(Collection<Double> loads) {
        double sum = 0;
        double max = 0;
        for (double load : loads) {
            if (load < 0 || Double.isNaN(load)) {
                throw new IllegalArgumentException("A load is a number of 0 or more, not " + load + ".");
            }
            sum += load;
            max = Math.max(max, load);
        }
        return sum == 0 ? OptionalDouble.empty() : OptionalDouble.of(max * loads.size() / sum);
    }

    /**
     * Largest over average of what the servers of the later picture were asked between the two. Empty besides while regions move, because
     * what one was asked before it left is in no report, and where a server has not reported in both.
     *
     * @param load a server's load by its rates, such as its writes per second
     */
    public static OptionalDouble between(
            ClusterLoadReport before, ClusterLoadReport after, ToDoubleFunction<ServerRates> load) {
        Collection<ServerRates> rates = ServerRates.between(before, after).values();
        boolean isSteady = rates.size() == after.serversByHost().size()
                && rates.stream().allMatch(server -> server.arrivedRegions() == 0);
        return isSteady ? maxOverMean(rates.stream().map(load::applyAsDouble).toList()) : OptionalDouble.empty();
    }
}
