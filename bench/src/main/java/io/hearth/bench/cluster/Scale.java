// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import java.util.Map;
import java.util.Set;

/**
 * How large and how long a run is.
 *
 * @param hosts at the start; one more is added
 * @param regions of the table
 * @param megabytes of values in it
 * @param perSecond requests of clients a second, a fifth of them multigets
 * @param warmUpSeconds of load before anything is measured, and of reads from a RegionServer that has just been started
 * @param quietSeconds that are measured before and after each event
 * @param limitSeconds that locality, or evenness, is waited for after each event
 * @param rounds of regions that come to a host without their blocks
 * @param latencyMs the round trip between two racks; 0 for what the machine has
 * @param settings lines of site files, over all others, in every variant
 * @param stages that are run; the others are left out
 */
public record Scale(
        int hosts,
        int regions,
        int megabytes,
        int perSecond,
        int warmUpSeconds,
        int quietSeconds,
        int limitSeconds,
        int rounds,
        double latencyMs,
        Map<String, String> settings,
        Set<BenchmarkStage> stages) {

    static final int RACKS = 2;

    /** The share of the requests that go to one server's regions under the hot spot. */
    static final double ACTIVITY_MIN_REQUESTS = 0.5;

    static final double MULTIGETS = 0.2;
    static final int VALUE_BYTES = 4_096;

    /** Megabytes of values for each DataNode where linearity is measured. */
    int linearityMegabytes() {
        return Math.max(1, megabytes / hosts / 10);
    }

    /** How often each size is healed there. */
    int linearityTimes() {
        return Math.max(1, rounds / 2 - 1);
    }

    /** The same with other stages alone. */
    public Scale of(Set<BenchmarkStage> others) {
        return with(regions, others);
    }

    /** The same with as many bytes in so many regions. */
    public Scale inRegions(int other) {
        return with(other, stages);
    }

    private Scale with(int ofRegions, Set<BenchmarkStage> ofStages) {
        return new Scale(
                hosts,
                ofRegions,
                megabytes,
                perSecond,
                warmUpSeconds,
                quietSeconds,
                limitSeconds,
                rounds,
                latencyMs,
                settings,
                ofStages);
    }

    public Scale {
        settings = Map.copyOf(settings);
        stages = Set.copyOf(stages);
    }

    /**
     * What is measured, in this order. A variant's cluster goes through the first two, another one of the same variant through the rounds of
     * the next two, and one of its own is for the last.
     */
    public enum BenchmarkStage {
        EVENTS("event"),
        HOT_SPOT("hot spot"),
        MOVED("rounds"),
        RETURNED("rounds back"),
        LINEARITY("linearity");

        private final String title;

        BenchmarkStage(String title) {
            this.title = title;
        }

        /** Whether it is rounds. */
        public boolean isRounds() {
            return this == MOVED || this == RETURNED;
        }

        /** What tables, pictures and bars call it. */
        public String title() {
            return title;
        }
    }
}
