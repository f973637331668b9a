// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.core.HealerServices.StoreFiles;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNodes;
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
 *
 * <p>Where the NameNode gives no report of DataNodes, a target that has died looks like one from which somebody takes replicas. So a move to
 * it counts as undone only if the NameNode names it as the holder of another block at that time, or within {@value #TO_BE_NAMED_MS} ms; the
 * region's next heal names it, if it lives.
 */
final class RevertDetector implements StoreFiles {

    private static final long TO_BE_NAMED_MS = 120_000;
    private static final long ASK_EVERY_MS = 10_000;

    /** A move that is undone, to a target of which nobody has said since that it lives. */
    private record Unproven(BlockMove move, long foundMs) {}

    private final StoreFiles storeFiles;
    private final FileBlocks active;
    private final DataNodeTracker dataNodes;
    private final VerifiedMoves verified = new VerifiedMoves();
    private final List<Unproven> unproven = new ArrayList<>();
    private long askedMs = Long.MIN_VALUE / 2;
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
        List<BlockMove> undone = new ArrayList<>();
        for (BlockMove move : undoneByLastListing(region, nowMs)) {
            if (isNamed(move.target(), nowMs)) {
                undone.add(move);
            } else {
                unproven.add(new Unproven(move, nowMs));
            }
        }
        return undone;
    }

    /** Whether the DataNode lives by the NameNode's report, or by the listing just made. */
    private boolean isNamed(DataNode target, long nowMs) {
        return dataNodes
                        .noOlderThan(1, nowMs)
                        .ifKnown()
                        .filter(DataNodes::isReport)
                        .isPresent()
                || lastFiles.stream()
                        .flatMap(files -> files.files().stream())
                        .flatMap(read -> read.file().blocks().stream())
                        .anyMatch(block -> block.isHeldBy(target.id()));
    }

    /** Those that an earlier listing showed to be undone, and whose target has been named since. */
    List<BlockMove> takeProven(long nowMs) {
        unproven.removeIf(found -> nowMs - found.foundMs() > TO_BE_NAMED_MS);
        if (unproven.isEmpty() || nowMs - askedMs < ASK_EVERY_MS) {
            return List.of();
        }
        askedMs = nowMs;
        List<BlockMove> proven = new ArrayList<>();
        dataNodes
                .noOlderThan(1, nowMs)
                .ifKnown()
                .ifPresent(now -> unproven.removeIf(found -> {
                    boolean isProven =
                            now.wasMentionedWithin(found.move().target().id(), nowMs - found.foundMs());
                    if (isProven) {
                        proven.add(found.move());
                    }
                    return isProven || now.isReport();
                }));
        return proven;
    }

    private List<BlockMove> undoneByLastListing(ServedRegion region, long nowMs) {
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
