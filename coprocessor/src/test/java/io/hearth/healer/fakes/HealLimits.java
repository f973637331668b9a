// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.fakes;

import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.MoveExecutor.DataNodeLimits;
import io.hearth.healer.move.MoveExecutor.NodeLimits;

/** Limits of moves for tests, whose DataNodes allow more than any test needs. */
public final class HealLimits {

    private HealLimits() {}

    /** The same for each DataNode: so many moves, and as many bytes per second, 0 for no limit. */
    public static NodeLimits dataNodes(int moves, long bytesPerSecond) {
        return new SameForAll(new DataNodeLimits(moves, bytesPerSecond));
    }

    /** Equal ones are the same limits. */
    private record SameForAll(DataNodeLimits limits) implements NodeLimits {

        @Override
        public DataNodeLimits apply(DataNode node) {
            return limits;
        }
    }

    /** What a DataNode of a test allows. */
    public static DataNodeLimits unlimited(DataNode node) {
        return new DataNodeLimits(1_000, 1L << 40);
    }

    /** So many moves in the cluster and at a DataNode, and as many bytes per second in the cluster; 0 for no limit. */
    public static HealLimitConfig of(int clusterMoves, int dataNodeMoves, long clusterBytesPerSecond) {
        return new HealLimitConfig(0, dataNodeMoves, 0, clusterBytesPerSecond, clusterMoves, 0.02, 50);
    }
}
