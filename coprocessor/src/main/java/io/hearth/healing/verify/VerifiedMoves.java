package io.hearth.healing.verify;

import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.BlockReplicas;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodes;
import io.hearth.healing.model.ServiceState;
import io.hearth.healing.model.StoreFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last {@value #KEPT} moves that the NameNode has confirmed, to find those that were undone later: when a region is listed
 * again on the same host, its block has all its replicas, and the one that was moved there is gone though its DataNode is in
 * service. A replica that went with its DataNode or with a region that moved on is no bounce. Not thread-safe.
 */
public final class VerifiedMoves {

    static final int KEPT = 10_000;

    private final Map<BlockId, BlockMove> moveByBlock = new LinkedHashMap<>();

    public void verified(BlockMove move) {
        moveByBlock.remove(move.block());
        moveByBlock.put(move.block(), move);
        if (moveByBlock.size() > KEPT) {
            moveByBlock.remove(moveByBlock.keySet().iterator().next());
        }
    }

    /** A further move of the block was begun: what came before does not count any more. */
    public void forget(BlockId block) {
        moveByBlock.remove(block);
    }

    /** The moves to this host that a fresh listing of a region's files shows to be undone, each told once. */
    public List<BlockMove> undone(List<StoreFile> files, String host, DataNodes nodes) {
        List<BlockMove> undone = new ArrayList<>();
        for (StoreFile file : files) {
            for (BlockReplicas block : file.blocks()) {
                BlockMove move = moveByBlock.get(block.block());
                if (move != null && isUndone(move, file, block, host, nodes)) {
                    moveByBlock.remove(block.block());
                    undone.add(move);
                }
            }
        }
        return undone;
    }

    private static boolean isInService(@Nullable DataNode target) {
        return target != null && target.state() == ServiceState.IN_SERVICE;
    }

    private static boolean isUndone(BlockMove move, StoreFile file, BlockReplicas block, String host, DataNodes nodes) {
        return move.target().isOn(host)
                && isInService(nodes.byId().get(move.target().id()))
                && block.replicas().size() >= file.replication()
                && !block.isHeldBy(move.target().id());
    }
}
