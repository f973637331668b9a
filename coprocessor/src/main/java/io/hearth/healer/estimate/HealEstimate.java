// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.estimate;

import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.model.DataNode;
import java.util.List;

/**
 * What a heal will take, from its first move to the NameNode's answer about the last one. Immutable.
 *
 * @param nameNodeCalls for listing and confirming
 * @param nameNodeMs the time of a handler that those calls take, in milliseconds
 * @param seconds until all moves are confirmed
 * @param limit what holds the heal back longest; {@link HealLimit#NOTHING_WAITS} where there is nothing to move
 * @param dataNodes those that take part, the busiest first
 */
public record HealEstimate(
        long bytes,
        int moves,
        long nameNodeCalls,
        long nameNodeMs,
        double seconds,
        HealLimit limit,
        List<DataNodeTime> dataNodes) {

    public HealEstimate {
        dataNodes = List.copyOf(dataNodes);
    }

    /**
     * What one DataNode has to do in a heal. Immutable.
     *
     * @param bytesIn what it receives
     * @param bytesOut what it sends
     * @param bytesPerSecond the most that healing takes of it, in and out together
     * @param seconds what it needs for them at least
     */
    public record DataNodeTime(DataNode node, long bytesIn, long bytesOut, long bytesPerSecond, double seconds) {}
}
