// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.healer.metrics.HealLimit;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;

/**
 * Where the blocks of a heal spent their time, in seconds, the mean of a block: by Little's law what a queue held over time, divided by what passed
 * through it. Immutable.
 *
 * @param planned from when healing was asked for until moves were planned: it was listed
 * @param waiting until its move was started: for a place, or for bytes
 * @param copying until the NameNode had the new replica
 * @param confirming until the old one was gone
 * @param limit what kept moves from starting for longest, by the healer's word
 */
public record HealBreakdown(double planned, double waiting, double copying, double confirming, HealLimit limit) {

    /** Nothing was healed. */
    static final HealBreakdown NONE = new HealBreakdown(0, 0, 0, 0, HealLimit.NOTHING_WAITS);

    /** Adds up what is seen of a heal. Not thread-safe. */
    static final class Observation {

        private double remoteSeconds;
        private double waitingSeconds;
        private double excessSeconds;
        private double plannedSeconds;
        private int blocks;
        private boolean isPlanned;
        private final Map<HealLimit, Double> secondsByLimit = new EnumMap<>(HealLimit.class);

        /**
         * Takes in what was seen at the end of a time.
         *
         * @param seconds how long it was
         * @param remote blocks that are not local
         * @param waiting moves that are planned and not started
         * @param excess blocks with more replicas than wanted
         */
        void add(double seconds, int remote, int waiting, int excess, HealLimit limit) {
            blocks = Math.max(blocks, remote);
            isPlanned |= waiting > 0 || remote < blocks;
            remoteSeconds += seconds * remote;
            excessSeconds += seconds * excess;
            waitingSeconds += seconds * Math.min(waiting, remote);
            plannedSeconds += isPlanned ? 0 : seconds;
            secondsByLimit.merge(limit, seconds, Double::sum);
        }

        HealBreakdown result() {
            if (blocks == 0) {
                return NONE;
            }
            double waiting = waitingSeconds / blocks;
            return new HealBreakdown(
                    plannedSeconds,
                    waiting,
                    Math.max(0, remoteSeconds / blocks - plannedSeconds - waiting),
                    excessSeconds / blocks,
                    secondsByLimit.entrySet().stream()
                            .filter(time -> time.getKey() != HealLimit.NOTHING_WAITS && time.getKey() != HealLimit.HELD)
                            .max(Comparator.comparingDouble(Map.Entry::getValue))
                            .map(Map.Entry::getKey)
                            .orElse(HealLimit.NOTHING_WAITS));
        }
    }
}
