// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode.StorageType;
import java.util.List;

/**
 * One replica of one block changes its DataNode: the target copies the block from a proxy, then the source's replica is
 * deleted. Immutable.
 *
 * @param region the region for whose sake it moves
 * @param filePath the store file
 * @param storageType the storage of the source's replica, which the new replica gets as well
 * @param source the DataNode that gives its replica up
 * @param proxies the DataNodes to copy from, best first, at least one
 * @param target the DataNode on the host of the region's server
 * @param replication the number of replicas that the block has before and must have afterwards
 * @param racks the number of racks that hold the block before; no fewer may hold it afterwards
 */
public record BlockMove(
        EncodedRegionName region,
        String filePath,
        BlockId block,
        long lengthBytes,
        StorageType storageType,
        DataNode source,
        List<DataNode> proxies,
        DataNode target,
        int replication,
        int racks) {

    public BlockMove {
        proxies = List.copyOf(proxies);
        if (proxies.isEmpty()) {
            throw new IllegalArgumentException("A move of " + block + " needs a DataNode to copy from.");
        }
    }

    /** The DataNode to copy from at this attempt (the first is 0): the next one each time, in a circle. */
    public DataNode proxy(int attempt) {
        return proxies.get(attempt % proxies.size());
    }

    @Override
    public String toString() {
        return block + " (" + lengthBytes + " bytes of " + filePath + ") to " + target + " instead of " + source;
    }
}
