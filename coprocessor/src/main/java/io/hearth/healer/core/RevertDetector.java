// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.core.HealerServices.StoreFiles;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.RegionFiles.FileRead;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.move.TrackedMove;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.verify.VerifiedMoves;
import io.hearth.healer.verify.VerifiedMoves.Missing;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads along what the NameNode answers to the planner, so that moves which somebody undid after they had been verified
 * are noticed without a further listing. Not thread-safe.
 */
final class RevertDetector implements StoreFiles {

    private final StoreFiles storeFiles;
    private final DataNodeTracker dataNodes;
    private final VerifiedMoves verified = new VerifiedMoves();
    private Optional<RegionFiles> lastFiles = Optional.empty();

    RevertDetector(StoreFiles storeFiles, DataNodeTracker dataNodes) {
        this.storeFiles = storeFiles;
        this.dataNodes = dataNodes;
    }

    @Override
    public Observed<RegionFiles> list(ServedRegion region, long nowMs) {
        lastFiles = Optional.empty();
        Observed<RegionFiles> listed = storeFiles.list(region, nowMs);
        lastFiles = listed.ifKnown();
        return listed;
    }

    @Override
    public int prepare(List<ServedRegion> regions, long nowMs) {
        return storeFiles.prepare(regions, nowMs);
    }

    VerifiedMoves verified() {
        return verified;
    }

    /** The verified moves that the listing of this region, just made, shows to be undone. */
    List<BlockMove> revertedAfterVerify(ServedRegion region, long nowMs) {
        List<Missing> missing = lastFiles
                .map(files -> verified.takeMissing(
                        files.files().stream().map(FileRead::file).toList(),
                        region.server().host()))
                .orElse(List.of());
        return missing.stream()
                .filter(gone -> wereHealthy(
                        Stream.concat(Stream.of(gone.move().target().id()), gone.holders().stream()),
                        gone.verifiedMs(),
                        nowMs))
                .map(Missing::move)
                .toList();
    }

    /** Whether a move that was not verified was reverted though both its ends were well since it was planned. */
    boolean wasReverted(TrackedMove ended, long nowMs) {
        BlockMove move = ended.move();
        return ended.state() == MoveState.REVERTED
                && wereHealthy(Stream.of(move.target().id(), move.source().id()), ended.plannedMs(), nowMs);
    }

    /**
     * Whether these DataNodes and their volumes were well since then, by what the NameNode says now: a list from before the
     * replica went could not tell.
     */
    private boolean wereHealthy(Stream<DataNode.Id> nodes, long sinceMs, long nowMs) {
        return dataNodes.noOlderThan(1, nowMs) instanceof Observed.Known
                && nodes.allMatch(node -> dataNodes.health().isHealthySince(node, sinceMs));
    }
}
