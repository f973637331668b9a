package io.hearth.healing.plan;

import io.hearth.healing.model.BlockReplicas;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodeId;
import io.hearth.healing.model.FilePart;
import io.hearth.healing.model.FileRead;
import io.hearth.healing.model.StoreFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One file while its plan is made: who else reads it, and how often each DataNode gave and copied so far. */
final class FileDraft {

    /** A block and the offset of its first byte. */
    record Place(BlockReplicas block, long offsetBytes) {}

    private final StoreFile file;
    private final FilePart part;
    private final List<OtherReader> others;
    private final long fileBytes;
    private final Map<DataNodeId, Integer> givenByNode = new HashMap<>();
    private final Map<DataNodeId, Integer> copiedByNode = new HashMap<>();

    FileDraft(FileRead read, List<OtherReader> others) {
        this.file = read.file();
        this.part = read.part();
        this.others = others;
        this.fileBytes = file.lengthBytes();
    }

    StoreFile file() {
        return file;
    }

    /** The blocks that the region reads, in the order of the file. */
    List<Place> blocks() {
        List<Place> places = new ArrayList<>();
        long offsetBytes = 0;
        for (BlockReplicas block : file.blocks()) {
            if (part.covers(offsetBytes, block.lengthBytes(), fileBytes)) {
                places.add(new Place(block, offsetBytes));
            }
            offsetBytes += block.lengthBytes();
        }
        return places;
    }

    /** Whether another region that reads this block is served on this DataNode's host. */
    boolean isNeededOn(DataNode node, Place place) {
        for (OtherReader other : others) {
            if (node.isOn(other.host())
                    && other.part().covers(place.offsetBytes(), place.block().lengthBytes(), fileBytes)) {
                return true;
            }
        }
        return false;
    }

    int givenBy(DataNodeId node) {
        return givenByNode.getOrDefault(node, 0);
    }

    /** The order in which holders are copied from: the target's rack first, then those that copied least of this file. */
    Comparator<DataNode> proxyOrder(DataNode target) {
        return Comparator.comparingInt((DataNode holder) -> holder.rack().equals(target.rack()) ? 0 : 1)
                .thenComparingInt(holder -> copiedByNode.getOrDefault(holder.id(), 0))
                .thenComparing(Comparator.naturalOrder());
    }

    void noteMove(DataNode giver, DataNode proxy) {
        givenByNode.merge(giver.id(), 1, Integer::sum);
        copiedByNode.merge(proxy.id(), 1, Integer::sum);
    }
}
