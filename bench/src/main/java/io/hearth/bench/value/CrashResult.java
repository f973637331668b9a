// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import io.hearth.bench.value.LayoutResult.Balancer;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * What clients saw of a server's death.
 *
 * @param balancer of the cluster
 * @param inTime the share of the requests due in each second since the kill that were answered in time, 0 to 1
 * @param maxOverMean of requests over the servers that are left, at the end
 * @param idle the least share of the machine's processors that had nothing to do between two runs of the balancer since the kill, 0 to 1
 * @param failed requests that failed in all of it
 */
public record CrashResult(Balancer balancer, List<Double> inTime, double maxOverMean, double idle, long failed) {

    /** A share that is held for so many seconds is there to stay. */
    static final int HELD_SECONDS = 5;

    public CrashResult {
        inTime = List.copyOf(inTime);
    }

    /** Seconds from the kill until this share of the requests is answered in time, {@value #HELD_SECONDS} seconds in a row; empty where that never was. */
    OptionalInt secondsUntil(double share) {
        return IntStream.rangeClosed(0, inTime.size() - HELD_SECONDS)
                .filter(from ->
                        inTime.subList(from, from + HELD_SECONDS).stream().allMatch(held -> held >= share))
                .findFirst();
    }
}
