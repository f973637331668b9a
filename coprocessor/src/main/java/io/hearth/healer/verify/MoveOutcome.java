// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.verify.MoveVerifier.PendingVerification;
import java.util.Optional;

/**
 * How a move stands, from where the NameNode says that the block's replicas are.
 *
 * <p>After a copy the NameNode lists one holder too many until the source's replica is deleted, which takes seconds; the hint
 * which one to delete is advice, and the one deleted can be the new one. So nothing but the wanted number of holders with
 * the target among them, on enough racks, is healed.
 *
 * <p>A NameNode that has just started lists those holders alone whose block reports it has read, so that too few holders say
 * nothing, and as many as wanted say that the new replica was deleted only if they go on saying so.
 */
public enum MoveOutcome {
    /** Not settled: more holders than wanted, the new replica not known yet, or racks or replicas short for now. */
    PENDING,
    /** A replica at the target, as many replicas as wanted, on at least as many racks as before. */
    VERIFIED,
    /** The block is whole without the target's replica, lastingly: it was there and was deleted, or it never came to be known. */
    REVERTED,
    /** The file or the block does not exist any more. */
    BLOCK_DELETED,
    /**
     * The time allowed is over, and the NameNode's last answer does not say; or the replica went for another reason: the NameNode was
     * away or failed over, the file's replication was changed, or the block was a replica short meanwhile.
     */
    INCONCLUSIVE;

    /** As long as a NameNode stays in safe mode after the last report that it needs (dfs.namenode.safemode.extension). */
    static final long MISSING_MS = 30_000;

    /**
     * How the move stands by this answer.
     *
     * @param file the file as the NameNode knows it now
     * @param wasAtTarget whether an earlier answer listed the target among the holders
     * @param missingMs for how long answers have said that the move {@link #isMissing}
     * @param isLast whether the time allowed is over, so that a move is not pending any more
     */
    static MoveOutcome of(
            PendingVerification pending, StoreFile file, boolean wasAtTarget, long missingMs, boolean isLast) {
        BlockMove move = pending.move();
        Optional<BlockReplicas> block = find(move, file);
        if (block.isEmpty()) {
            return BLOCK_DELETED;
        }
        if (isAtTarget(move, file)
                && block.get().counted().replicas().size() == file.replication()
                && block.get().counted().racks() >= move.racks()) {
            return VERIFIED;
        }
        if (missingMs >= MISSING_MS && (wasAtTarget || (pending.copied() && isLast))) {
            return REVERTED;
        }
        return isLast ? INCONCLUSIVE : PENDING;
    }

    /**
     * Whether the block has all the replicas and racks that it should have, and none at the target. After {@code setrep} the
     * NameNode deletes what it likes best, and nobody undoes the move.
     */
    static boolean isMissing(BlockMove move, StoreFile file) {
        return file.replication() == move.replication()
                && !isAtTarget(move, file)
                && find(move, file)
                        .map(BlockReplicas::counted)
                        .filter(block -> block.replicas().size() == file.replication())
                        .filter(block -> block.racks() >= move.racks())
                        .isPresent();
    }

    /** Whether it has more replicas than it should have. */
    static boolean isInExcess(BlockMove move, StoreFile file) {
        return find(move, file)
                .filter(block -> block.counted().replicas().size() > file.replication())
                .isPresent();
    }

    /** Whether it has fewer replicas than it should have. Who undoes a move takes none without giving another. */
    static boolean isShort(BlockMove move, StoreFile file) {
        return find(move, file)
                .filter(block -> block.counted().replicas().size() < file.replication())
                .isPresent();
    }

    static boolean isAtTarget(BlockMove move, StoreFile file) {
        return find(move, file)
                .filter(block -> block.isHeldBy(move.target().id()))
                .isPresent();
    }

    private static Optional<BlockReplicas> find(BlockMove move, StoreFile file) {
        return file.blocks().stream()
                .filter(block -> block.block().sameBlock(move.block()))
                .findFirst();
    }
}
