package io.hearth.healer.verify;

import io.hearth.healer.model.BlockId;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.StoreFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The last {@value #KEPT} moves that the NameNode has confirmed, to find those that somebody reverts: the replica that was moved
 * to a region's host is gone when the region is listed again on the same host, the block has as many replicas as before, the
 * file's replication is the same, and the DataNode and its volumes were well all the time. Any other end of a replica (a failed
 * disk, a DataNode that died and came back, {@code setrep}, a region that moved on) is HDFS doing its work. Not thread-safe.
 */
public final class VerifiedMoves {

    static final int KEPT = 10_000;

    /**
     * A move that was confirmed.
     *
     * @param atMs when it was
     */
    public record Verified(BlockMove move, long atMs) {}

    private final Map<BlockId, Verified> verifiedByBlock = new LinkedHashMap<>();

    public void verified(BlockMove move, long nowMs) {
        verifiedByBlock.remove(move.block());
        verifiedByBlock.put(move.block(), new Verified(move, nowMs));
        if (verifiedByBlock.size() > KEPT) {
            verifiedByBlock.remove(verifiedByBlock.keySet().iterator().next());
        }
    }

    /** A further move of the block was begun: what came before does not count any more. */
    public void forget(BlockId block) {
        verifiedByBlock.remove(block);
    }

    /**
     * The moves to this host whose replica is gone by a fresh listing of a region's files, though nothing is said of the files
     * that would explain it; each is told once. Whether they were reverted the DataNodes' health has to say, by a list that is
     * no older than the listing.
     */
    public List<Verified> takeMissing(List<StoreFile> files, String host) {
        List<Verified> missing = new ArrayList<>();
        for (StoreFile file : files) {
            for (BlockReplicas block : file.blocks()) {
                Verified known = verifiedByBlock.get(block.block());
                if (known != null && isMissing(known.move(), block, host)) {
                    verifiedByBlock.remove(block.block());
                    if (file.replication() == known.move().replication()) {
                        missing.add(known);
                    }
                }
            }
        }
        return missing;
    }

    private static boolean isMissing(BlockMove move, BlockReplicas block, String host) {
        return move.target().isOn(host)
                && block.replicas().size() >= move.replication()
                && !block.isHeldBy(move.target().id());
    }
}
