// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import io.hearth.bench.value.RateMeter.TriedRate;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import java.util.List;
import java.util.Optional;

/**
 * What was measured where a balancer has moved the regions.
 *
 * @param balancer who moved them
 * @param balancing what moving them took; absent where nobody did
 * @param nominalPerSecond what all servers together can answer in a second
 * @param maxOverMean of requests, by how often each region is asked and where it is served
 * @param rates what was tried, in the order of the tries
 * @param highestPerSecond the highest rate that was held; 0 where none was
 * @param atSixty latencies at 60 % of what all servers together can answer
 * @param idle the least share of the machine's processors that had nothing to do in any of it, 0 to 1
 * @param failed requests that failed in all of it
 */
public record LayoutResult(
        Balancer balancer,
        Optional<BalancingResult> balancing,
        int nominalPerSecond,
        double maxOverMean,
        List<TriedRate> rates,
        double highestPerSecond,
        LatencySummary atSixty,
        double idle,
        long failed) {

    public LayoutResult {
        rates = List.copyOf(rates);
    }

    /** Who decides where regions are served. */
    public enum Balancer {
        /** All regions are asked alike, and nobody moves any. */
        CONTROL("even load"),
        STOCK("stock"),
        /** With weights for requests and for store files, and without a limit of steps. */
        STOCK_TUNED("stock, tuned"),
        HEARTH("Hearth");

        private final String description;

        Balancer(String description) {
            this.description = description;
        }

        /** What a table calls it. */
        public String description() {
            return description;
        }
    }

    /**
     * @param firstMoves regions that the first run that moved any has moved
     * @param moves regions that all runs have moved
     * @param latencies of half the load while it ran
     * @param idle the least share of the machine's processors that had nothing to do during one of the runs, 0 to 1
     */
    public record BalancingResult(int firstMoves, int moves, LatencySummary latencies, double idle) {

        /** Whether the latencies say nothing: they are those of a busy machine, on which the balancer itself may be at work. */
        boolean onBusyMachine() {
            return idle < MachineCheck.LEAST_IDLE;
        }
    }
}
