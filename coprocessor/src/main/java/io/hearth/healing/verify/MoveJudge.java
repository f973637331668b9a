package io.hearth.healing.verify;

import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.BlockReplicas;
import io.hearth.healing.model.StoreFile;
import java.util.Optional;

/**
 * Says how a move stands from where the NameNode says the block's replicas are. Pure.
 *
 * <p>After a copy the NameNode lists one holder too many until the giver's replica is deleted, which takes seconds; the hint
 * which one to delete is advice, and the one deleted can be the new one. So nothing but the wanted number of holders with
 * the target among them, on enough racks, is healed.
 */
final class MoveJudge {

    private MoveJudge() {}

    /**
     * @param file the file as the NameNode knows it now
     * @param wasAtTarget whether an earlier answer listed the target among the holders
     */
    static Verdict judge(OpenMove open, StoreFile file, boolean wasAtTarget) {
        BlockMove move = open.move();
        Optional<BlockReplicas> block = find(move, file);
        if (block.isEmpty()) {
            return Verdict.GONE;
        }
        int holders = block.get().replicas().size();
        if (isAtTarget(move, file)) {
            boolean settled = holders == file.replication() && block.get().racks() >= move.racks();
            return settled ? Verdict.HEALED : Verdict.PENDING;
        }
        return wasAtTarget && holders <= file.replication() ? Verdict.BOUNCED : Verdict.PENDING;
    }

    /**
     * What a move is called that is still pending when its time is over.
     *
     * @param nameNodeKnows whether the NameNode answered the last question about the file
     */
    static Verdict outOfTime(OpenMove open, boolean nameNodeKnows, boolean wasAtTarget) {
        boolean neverCame = open.copied() && nameNodeKnows && !wasAtTarget;
        return neverCame ? Verdict.BOUNCED : Verdict.INCONCLUSIVE;
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
