// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.StoreFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The last {@value #KEPT} moves that the NameNode has confirmed, to find those that somebody reverts: the replica that was moved
 * to a region's host is gone when the region is listed again on the same host, the block has as many replicas as before, the
 * file's replication is the same, and the DataNode, its volumes and every DataNode that holds the block now were well all the
 * time. Any other end of a replica is HDFS doing its work: a failed disk, {@code setrep}, a region that moved on, or a DataNode
 * that was dead and came back with the block, so that the NameNode had one replica too many. Not thread-safe.
 */
public final class VerifiedMoves {

    static final int KEPT = 10_000;

    /**
     * A move that was confirmed and whose replica is gone.
     *
     * @param verifiedMs when it was confirmed
     * @param holders the DataNodes that hold the block now
     */
    public record Missing(BlockMove move, long verifiedMs, List<DataNode.Id> holders) {

        public Missing {
            holders = List.copyOf(holders);
        }
    }

    private record Verified(BlockMove move, long atMs) {}

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
    public List<Missing> takeMissing(List<StoreFile> files, String host) {
        List<Missing> missing = new ArrayList<>();
        for (StoreFile file : files) {
            for (BlockReplicas block : file.blocks()) {
                Verified known = verifiedByBlock.get(block.block());
                if (known != null && isMissing(known.move(), block, host)) {
                    verifiedByBlock.remove(block.block());
                    if (file.replication() == known.move().replication()) {
                        missing.add(new Missing(
                                known.move(),
                                known.atMs(),
                                block.replicas().stream()
                                        .map(replica -> replica.node().id())
                                        .toList()));
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
