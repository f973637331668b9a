// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.SkipReason;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What to do for one region: the moves in the order of files and blocks, and how many blocks (or files) stay for which
 * reason. Immutable.
 *
 * @param localBytes bytes with a replica on the host of the region's server, according to the NameNode
 * @param totalBytes all bytes of the store files, or halves of them, that the region reads
 */
public record MovePlan(List<BlockMove> moves, Map<SkipReason, Long> skippedByReason, long localBytes, long totalBytes) {

    public MovePlan {
        moves = List.copyOf(moves);
        EnumMap<SkipReason, Long> skipped = new EnumMap<>(SkipReason.class);
        skipped.putAll(skippedByReason);
        skippedByReason = Collections.unmodifiableMap(skipped);
    }

    public long skipped(SkipReason reason) {
        return skippedByReason.getOrDefault(reason, 0L);
    }

    /** Whether some block stays only for now, so that the region has to be checked again. */
    public boolean hasRetryableSkips() {
        return skippedByReason.keySet().stream().anyMatch(reason -> !reason.permanent());
    }

    public long bytesToMove() {
        return moves.stream().mapToLong(BlockMove::lengthBytes).sum();
    }
}
