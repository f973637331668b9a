// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.queue.ExponentialBackoff;

/**
 * What holds moves back. Immutable.
 *
 * @param concurrentMoves moves at a time in the cluster
 * @param concurrentMovesPerDataNode moves at a time in which one DataNode is the target; as many as proxy, and as source
 * @param bytesPerSecond bytes started per second in the cluster; 0 for no limit
 * @param moveTimeoutMs how long to wait for a DataNode's answer before the NameNode is asked how the move ended
 * @param listenMs how long to go on listening for a late answer; hanging up can make a DataNode give up a copy that it would
 *     have finished
 * @param attempts how often a move is tried before it has failed
 * @param plannedMs how long after it was planned a move may start; what it was planned from is too old then
 * @param retry the wait before a move is tried again
 * @param readerLocationsMaxAgeMs how old the block locations of an open reader can be
 */
public record MoveLimits(
        int concurrentMoves,
        int concurrentMovesPerDataNode,
        long bytesPerSecond,
        long moveTimeoutMs,
        long listenMs,
        int attempts,
        long plannedMs,
        ExponentialBackoff retry,
        long readerLocationsMaxAgeMs) {}
