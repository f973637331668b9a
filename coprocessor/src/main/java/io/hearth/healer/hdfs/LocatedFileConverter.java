package io.hearth.healer.hdfs;

import io.hearth.healer.model.BlockId;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.Replica;
import io.hearth.healer.model.StoreFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/** Turns HDFS's located file statuses into store files, and notes the DataNodes that they mention. */
final class LocatedFileConverter {

    private final DataNodeCache cache;
    private final StoragePolicies policies;

    LocatedFileConverter(DataNodeCache cache, StoragePolicies policies) {
        this.cache = cache;
        this.policies = policies;
    }

    /** @throws IOException if the NameNode can't say what its storage policies are */
    StoreFile storeFile(String path, HdfsLocatedFileStatus status) throws IOException {
        LocatedBlocks blocks = status.getLocatedBlocks();
        boolean complete = !blocks.isUnderConstruction() && blocks.isLastBlockComplete();
        return new StoreFile(
                path,
                status.getReplication(),
                status.getErasureCodingPolicy() != null,
                complete || blocks.getLocatedBlocks().isEmpty(),
                policies.wantedTypes(status.getStoragePolicy(), status.getReplication()),
                status.getModificationTime(),
                blocks.getLocatedBlocks().stream().map(this::blockReplicas).toList());
    }

    private BlockReplicas blockReplicas(LocatedBlock located) {
        List<Replica> replicas = new ArrayList<>();
        // Hadoop 3.4 gives each location with its storage type, 3.2 does not; the two arrays go together in both.
        DatanodeInfo[] locations = located.getLocations();
        org.apache.hadoop.fs.StorageType[] types = located.getStorageTypes();
        for (int index = 0; index < locations.length; index++) {
            replicas.add(new Replica(cache.note(locations[index]), StoragePolicies.storageType(types[index])));
        }
        return new BlockReplicas(blockId(located.getBlock()), located.getBlockSize(), replicas, located.isCorrupt());
    }

    private static BlockId blockId(ExtendedBlock block) {
        return new BlockId(block.getBlockPoolId(), block.getBlockId(), block.getGenerationStamp());
    }
}
