// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.core.HealerServices.StoreFiles;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.RegionFiles.FileRead;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.move.TrackedMove;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.spi.FileBlocks;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.verify.VerifiedMoves;
import io.hearth.healer.verify.VerifiedMoves.Missing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads along what the NameNode answers to the planner, so that moves which somebody undid after they had been verified
 * are noticed without a further listing. Where moves seem undone, the active NameNode is asked for their files: a listing can come from
 * an observer, which may hear of a replica later. Not thread-safe.
 */
final class RevertDetector implements StoreFiles {

    private final StoreFiles storeFiles;
    private final FileBlocks active;
    private final DataNodeTracker dataNodes;
    private final VerifiedMoves verified = new VerifiedMoves();
    private Optional<RegionFiles> lastFiles = Optional.empty();

    /** @param active asks the active NameNode */
    RevertDetector(StoreFiles storeFiles, FileBlocks active, DataNodeTracker dataNodes) {
        this.storeFiles = storeFiles;
        this.active = active;
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
        List<Missing> unexplained = missing.stream()
                .filter(gone -> wereHealthy(
                        Stream.concat(Stream.of(gone.move().target().id()), gone.holders().stream()),
                        gone.verifiedMs(),
                        nowMs))
                .toList();
        return unexplained.isEmpty() ? List.of() : confirmed(unexplained);
    }

    /** Those that the active NameNode says are undone. The others stay verified, those of files that it knows nothing of as well. */
    private List<BlockMove> confirmed(List<Missing> unexplained) {
        List<String> paths = lastFiles.stream()
                .flatMap(files -> files.files().stream())
                .map(FileRead::file)
                .filter(file -> file.blocks().stream().anyMatch(block -> isOneOf(unexplained, block)))
                .map(StoreFile::path)
                .toList();
        List<BlockReplicas> now = active.locateAll(paths).stream()
                .flatMap(file -> file.ifKnown().stream())
                .flatMap(file -> file.blocks().stream())
                .toList();
        List<BlockMove> undone = new ArrayList<>();
        for (Missing gone : unexplained) {
            boolean isUndone = now.stream()
                    .filter(block -> block.block().equals(gone.move().block()))
                    .anyMatch(block -> !block.isHeldBy(gone.move().target().id()));
            if (isUndone) {
                undone.add(gone.move());
            } else {
                verified.verified(gone.move(), gone.verifiedMs());
            }
        }
        return undone;
    }

    private static boolean isOneOf(List<Missing> moves, BlockReplicas block) {
        return moves.stream().anyMatch(gone -> gone.move().block().equals(block.block()));
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
