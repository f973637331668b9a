// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.RegionFiles.FilePart;
import io.hearth.healer.model.RegionFiles.FileRead;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.plan.PlacementRule.RackRule;
import io.hearth.healer.plan.PlacementRule.UpgradeDomainRule;
import io.hearth.healer.plan.PlanRequest.SharedFileReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * DataNodes, store files, and regions that read them, several of them the same file. Moves change where replicas are; the
 * rest stays.
 *
 * @param factor the upgrade domain factor
 */
record ClusterModel(List<DataNode> nodes, SortedMap<String, StoreFile> fileByPath, List<Region> regions, int factor) {

    /** A region on a host and what it reads: for each path the part. */
    record Region(
            EncodedRegionName id,
            String host,
            Optional<String> previousHost,
            SortedMap<String, FilePart> parts,
            long budgetBytes) {}

    ClusterModel {
        nodes = new ArrayList<>(nodes);
        fileByPath = new TreeMap<>(fileByPath);
    }

    ClusterModel copy() {
        return new ClusterModel(nodes, fileByPath, regions, factor);
    }

    PlacementRule rule() {
        return new RackRule().and(new UpgradeDomainRule(factor));
    }

    MovePlan plan(Region region, Predicate<BlockId> underWay) {
        return new BlockMovePlanner(rule()).plan(request(region, underWay));
    }

    PlanRequest request(Region region, Predicate<BlockId> underWay) {
        return new PlanRequest(
                region.id(),
                region.host(),
                new RegionFiles(reads(region), Map.of(), false),
                DataNodes.of(nodes),
                others(region),
                region.previousHost(),
                underWay,
                region.budgetBytes());
    }

    List<FileRead> reads(Region region) {
        List<FileRead> reads = new ArrayList<>();
        region.parts().forEach((path, part) -> reads.add(new FileRead(file(path), part, false, new TreeMap<>())));
        return reads;
    }

    Map<String, List<SharedFileReader>> others(Region self) {
        Map<String, List<SharedFileReader>> others = new HashMap<>();
        for (String path : self.parts().keySet()) {
            for (Region region : regions) {
                FilePart part = region.parts().get(path);
                if (part != null && !region.id().equals(self.id())) {
                    others.computeIfAbsent(file(path).name(), name -> new ArrayList<>())
                            .add(new SharedFileReader(region.host(), part));
                }
            }
        }
        return others;
    }

    StoreFile file(String path) {
        return Objects.requireNonNull(fileByPath.get(path));
    }

    /** The NameNode's end of a move that went well; the target has less room then, and the source more. */
    void apply(BlockMove move) {
        nodes.replaceAll(node -> node.id().equals(move.target().id())
                ? withRoom(node, -move.lengthBytes())
                : node.id().equals(move.source().id()) ? withRoom(node, move.lengthBytes()) : node);
        StoreFile file = file(move.filePath());
        fileByPath.put(
                file.path(),
                file.withBlocks(file.blocks().stream()
                        .map(block -> block.block().equals(move.block()) ? after(block, move) : block)
                        .toList()));
    }

    private static DataNode withRoom(DataNode node, long moreBytes) {
        return new DataNode(
                node.id(),
                node.host(),
                node.ipAddress(),
                node.rack(),
                node.state(),
                node.upgradeDomain(),
                node.usedShare(),
                node.freeBytes().isPresent()
                        ? OptionalLong.of(node.freeBytes().getAsLong() + moreBytes)
                        : OptionalLong.empty());
    }

    static BlockReplicas after(BlockReplicas block, BlockMove move) {
        List<Replica> replicas = new ArrayList<>(block.replicas());
        replicas.removeIf(replica -> replica.node().id().equals(move.source().id()));
        replicas.add(new Replica(move.target(), move.storageType()));
        return new BlockReplicas(block.block(), block.lengthBytes(), replicas, block.corrupt());
    }

    /** The bytes that a region reads and that are on its host. */
    long localBytes(Region region) {
        long local = 0;
        for (FileRead read : reads(region)) {
            long offset = 0;
            for (BlockReplicas block : read.file().blocks()) {
                boolean reads = read.part()
                        .covers(offset, block.lengthBytes(), read.file().lengthBytes());
                local += reads && block.isLocalTo(region.host()) ? block.lengthBytes() : 0;
                offset += block.lengthBytes();
            }
        }
        return local;
    }

    /** Every block, by its id. */
    Map<BlockId, BlockReplicas> blocks() {
        Map<BlockId, BlockReplicas> blocks = new TreeMap<>();
        fileByPath.values().forEach(file -> file.blocks().forEach(block -> blocks.put(block.block(), block)));
        return blocks;
    }

    /** The same world told in another order. */
    ClusterModel shuffled(Random random) {
        SortedMap<String, StoreFile> files = new TreeMap<>();
        fileByPath.forEach((path, file) -> files.put(
                path,
                file.withBlocks(file.blocks().stream()
                        .map(block -> new BlockReplicas(
                                block.block(),
                                block.lengthBytes(),
                                shuffled(block.replicas(), random),
                                block.corrupt()))
                        .toList())));
        return new ClusterModel(shuffled(nodes, random), files, shuffled(regions, random), factor);
    }

    static <T> List<T> shuffled(List<T> items, Random random) {
        List<T> copy = new ArrayList<>(items);
        Collections.shuffle(copy, random);
        return copy;
    }
}
