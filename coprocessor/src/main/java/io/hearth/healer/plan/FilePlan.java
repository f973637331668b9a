// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.RegionFiles.FilePart;
import io.hearth.healer.model.RegionFiles.FileRead;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.plan.PlanRequest.SharedFileReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One file while its plan is made: who else reads it, and how often each DataNode gave and copied so far. */
final class FilePlan {

    /** A block and the offset of its first byte. */
    record BlockAtOffset(BlockReplicas block, long offsetBytes) {}

    private final StoreFile file;
    private final FilePart part;
    private final List<SharedFileReader> others;
    private final long fileBytes;
    private final Map<DataNode.Id, Integer> takenByNode = new HashMap<>();
    private final Map<DataNode.Id, Integer> copiedByNode = new HashMap<>();

    FilePlan(FileRead read, List<SharedFileReader> others) {
        this.file = read.file();
        this.part = read.part();
        this.others = others;
        this.fileBytes = file.lengthBytes();
    }

    StoreFile file() {
        return file;
    }

    /** The blocks that the region reads, in the order of the file. */
    List<BlockAtOffset> blocks() {
        List<BlockAtOffset> blocksAt = new ArrayList<>();
        long offsetBytes = 0;
        for (BlockReplicas block : file.blocks()) {
            if (part.covers(offsetBytes, block.lengthBytes(), fileBytes)) {
                blocksAt.add(new BlockAtOffset(block, offsetBytes));
            }
            offsetBytes += block.lengthBytes();
        }
        return blocksAt;
    }

    /** Whether another region that reads this block is served on this DataNode's host. */
    boolean isNeededOn(DataNode node, BlockAtOffset blockAt) {
        for (SharedFileReader other : others) {
            if (node.isOn(other.host())
                    && other.part()
                            .covers(blockAt.offsetBytes(), blockAt.block().lengthBytes(), fileBytes)) {
                return true;
            }
        }
        return false;
    }

    int takenFrom(DataNode.Id node) {
        return takenByNode.getOrDefault(node, 0);
    }

    /** The order in which holders are copied from: the target's rack first, then those that copied least of this file. */
    int compareProxies(DataNode one, DataNode other, DataNode target) {
        int order =
                Boolean.compare(!one.rack().equals(target.rack()), !other.rack().equals(target.rack()));
        order = order != 0
                ? order
                : Integer.compare(copiedByNode.getOrDefault(one.id(), 0), copiedByNode.getOrDefault(other.id(), 0));
        return order != 0 ? order : one.compareTo(other);
    }

    void noteMove(DataNode source, DataNode proxy) {
        takenByNode.merge(source.id(), 1, Integer::sum);
        copiedByNode.merge(proxy.id(), 1, Integer::sum);
    }
}
