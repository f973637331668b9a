package io.hearth.healing.hdfs;

import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.BlockReplicas;
import io.hearth.healing.model.Replica;
import io.hearth.healing.model.StorageType;
import io.hearth.healing.model.StoreFile;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/** Turns HDFS's located file statuses into store files, and notes the DataNodes that they mention. */
final class LocatedFiles {

    private final DataNodeBook book;

    LocatedFiles(DataNodeBook book) {
        this.book = book;
    }

    StoreFile storeFile(String path, HdfsLocatedFileStatus status) {
        LocatedBlocks blocks = status.getLocatedBlocks();
        boolean complete = !blocks.isUnderConstruction() && blocks.isLastBlockComplete();
        return new StoreFile(
                path,
                status.getReplication(),
                status.getErasureCodingPolicy() != null,
                complete || blocks.getLocatedBlocks().isEmpty(),
                blocks.getLocatedBlocks().stream().map(this::blockReplicas).toList());
    }

    private BlockReplicas blockReplicas(LocatedBlock located) {
        List<Replica> replicas = new ArrayList<>();
        for (DatanodeInfoWithStorage location : located.getLocations()) {
            replicas.add(new Replica(book.note(location), storageType(location.getStorageType())));
        }
        return new BlockReplicas(blockId(located.getBlock()), located.getBlockSize(), replicas, located.isCorrupt());
    }

    private static BlockId blockId(ExtendedBlock block) {
        return new BlockId(block.getBlockPoolId(), block.getBlockId(), block.getGenerationStamp());
    }

    private static StorageType storageType(org.apache.hadoop.fs.StorageType type) {
        return StorageType.valueOf(type.name());
    }
}
