// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.RegionFiles.FilePart;
import io.hearth.healer.model.RegionFiles.FileRead;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.model.StoreFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What the planner should say, written down as the rules read, with no regard for speed and with none of the planner's code:
 * who gives each block up and who is copied from, or the reason why it stays.
 */
final class NaivePlanner {

    /** Who gives, and who is asked first for a copy. */
    record Pick(String source, String proxy) {}

    final Map<BlockId, Pick> pickByBlock = new LinkedHashMap<>();
    final Map<SkipReason, Long> skipped = new EnumMap<>(SkipReason.class);
    private final ClusterModel cluster;
    private final ClusterModel.Region region;
    private final Map<String, DataNode> nodeById = new HashMap<>();
    private final String nextBestNode;
    private long bytesLeft;
    private long bytesTaken;

    NaivePlanner(ClusterModel cluster, ClusterModel.Region region) {
        this.cluster = cluster;
        this.region = region;
        this.bytesLeft = region.budgetBytes();
        cluster.nodes().forEach(node -> nodeById.put(node.id().uuid(), node));
        this.nextBestNode = nextBestNode();
        cluster.reads(region).forEach(this::planFile);
    }

    private void planFile(FileRead read) {
        Map<String, Integer> given = new HashMap<>();
        Map<String, Integer> copied = new HashMap<>();
        long length = read.file().blocks().stream()
                .mapToLong(BlockReplicas::lengthBytes)
                .sum();
        long from = 0;
        for (BlockReplicas block : read.file().blocks()) {
            long to = from + block.lengthBytes();
            if (isRead(read.part(), from, to, length)) {
                planBlock(read.file(), block, from, length, given, copied);
            }
            from = to;
        }
    }

    private static boolean isRead(FilePart part, long from, long to, long length) {
        long middle = length / 2;
        return switch (part) {
            case WHOLE -> true;
            case FIRST_HALF -> Math.max(from, 0) < Math.min(to, middle);
            case SECOND_HALF -> Math.max(from, middle) < Math.min(to, length);
        };
    }

    private void planBlock(
            StoreFile file,
            BlockReplicas block,
            long from,
            long length,
            Map<String, Integer> given,
            Map<String, Integer> copied) {
        List<DataNode> holders =
                counted(block).stream().map(replica -> node(replica)).toList();
        List<DataNode> here = cluster.nodes().stream()
                .filter(node -> node.host().equals(region.host()))
                .toList();
        List<DataNode> targets = here.stream()
                .filter(node -> node.state() == ServiceState.IN_SERVICE)
                .sorted(Comparator.comparing(node -> node.id().uuid()))
                .toList();
        SkipReason unfit = unfit(file, block, holders);
        if (unfit != null) {
            skip(unfit);
        } else if (targets.isEmpty()) {
            skip(here.isEmpty() ? SkipReason.NO_DATANODE_ON_HOST : SkipReason.TARGET_NOT_IN_SERVICE);
        } else {
            choose(file, block, from, length, holders, targets.get(0), given, copied);
        }
    }

    private SkipReason unfit(StoreFile file, BlockReplicas block, List<DataNode> holders) {
        Map<StorageType, Integer> types = new HashMap<>();
        counted(block).forEach(replica -> types.merge(replica.storageType(), 1, Integer::sum));
        file.wantedTypes().forEach(type -> types.merge(type, -1, Integer::sum));
        if (file.striped()) {
            return SkipReason.STRIPED;
        } else if (!file.complete()) {
            return SkipReason.UNDER_CONSTRUCTION;
        } else if (block.corrupt()) {
            return SkipReason.CORRUPT;
        } else if (holders.size() > file.replication()) {
            return SkipReason.IN_FLIGHT;
        } else if (block.replicas().stream()
                .anyMatch(replica -> node(replica).host().equals(region.host()))) {
            return SkipReason.ALREADY_LOCAL;
        } else if (holders.size() < file.replication()) {
            return SkipReason.UNDER_REPLICATED;
        } else if (counted(block).stream()
                .anyMatch(replica -> replica.storageType() == StorageType.RAM_DISK
                        || replica.storageType() == StorageType.PROVIDED)) {
            return SkipReason.NOT_MOVABLE_STORAGE;
        }
        return types.values().stream().anyMatch(count -> count != 0) ? SkipReason.STORAGE_POLICY_UNMET : null;
    }

    private void choose(
            StoreFile file,
            BlockReplicas block,
            long from,
            long length,
            List<DataNode> holders,
            DataNode target,
            Map<String, Integer> given,
            Map<String, Integer> copied) {
        List<DataNode> safe = holders.stream()
                .filter(source -> isSafe(holders, source, target))
                .toList();
        List<DataNode> free = safe.stream()
                .filter(source -> cluster.regions().stream()
                        .filter(other -> !other.id().equals(region.id()))
                        .filter(other -> other.host().equals(source.host()))
                        .filter(other -> other.parts().containsKey(file.path()))
                        .noneMatch(other -> isRead(
                                Objects.requireNonNull(other.parts().get(file.path())),
                                from,
                                from + block.lengthBytes(),
                                length)))
                .toList();
        List<DataNode> proxies = holders.stream()
                .filter(node -> node.state() == ServiceState.IN_SERVICE)
                .sorted(Comparator.comparing((DataNode node) -> !node.rack().equals(target.rack()))
                        .thenComparing(node -> copied.getOrDefault(node.id().uuid(), 0))
                        .thenComparing(node -> node.id().uuid()))
                .toList();
        if (safe.isEmpty()) {
            skip(SkipReason.NO_REMOVABLE_REPLICA);
        } else if (free.isEmpty()) {
            skip(SkipReason.LOCAL_TO_OTHER_REGION);
        } else if (proxies.isEmpty()) {
            skip(SkipReason.NO_PROXY_IN_SERVICE);
        } else if (target.usedShare().orElse(0) > 0.9) {
            skip(SkipReason.TARGET_FULL);
        } else if (target.freeBytes().isPresent()
                && block.lengthBytes() + bytesTaken > target.freeBytes().getAsLong()) {
            skip(SkipReason.TARGET_FULL);
        } else if (block.lengthBytes() > bytesLeft) {
            skip(SkipReason.OVER_BUDGET);
        } else {
            DataNode source = free.stream()
                    .min(Comparator.comparing((DataNode node) -> score(node, holders, given)))
                    .orElseThrow();
            bytesLeft -= block.lengthBytes();
            bytesTaken += block.lengthBytes();
            given.merge(source.id().uuid(), 1, Integer::sum);
            copied.merge(proxies.get(0).id().uuid(), 1, Integer::sum);
            pickByBlock.put(
                    block.block(),
                    new Pick(source.id().uuid(), proxies.get(0).id().uuid()));
        }
    }

    /** A text whose alphabetical order is the order of preference. */
    private String score(DataNode node, List<DataNode> holders, Map<String, Integer> given) {
        long onItsRack = holders.stream()
                .filter(other -> other.rack().equals(node.rack()))
                .count();
        int full =
                node.usedShare().isPresent() ? (int) Math.floor(node.usedShare().getAsDouble() / 0.05 + 1e-9) : -1;
        return String.format(
                "%d%d%d %03d %04d %s",
                region.previousHost().filter(node.host()::equals).isPresent() ? 1 : 0,
                node.id().uuid().equals(nextBestNode) ? 1 : 0,
                onItsRack == 1 ? 1 : 0,
                100 - full,
                given.getOrDefault(node.id().uuid(), 0),
                node.id().uuid());
    }

    private boolean isSafe(List<DataNode> holders, DataNode source, DataNode target) {
        List<DataNode> after = new ArrayList<>(holders);
        after.remove(source);
        after.add(target);
        Set<String> everyone = domains(holders);
        everyone.addAll(domains(after));
        boolean named = everyone.stream().anyMatch(domain -> domain.startsWith("d"));
        return racks(after).size() >= racks(holders).size()
                && (!named
                        || domains(after).size() >= domains(holders).size()
                        || domains(after).size() >= cluster.factor());
    }

    static Set<String> racks(List<DataNode> nodes) {
        Set<String> racks = new HashSet<>();
        nodes.forEach(node -> racks.add(node.rack()));
        return racks;
    }

    static Set<String> domains(List<DataNode> nodes) {
        Set<String> domains = new HashSet<>();
        nodes.forEach(node -> domains.add(node.upgradeDomain().orElse("own " + node.id())));
        return domains;
    }

    /** The DataNode elsewhere and in service with most bytes of the files, the first by id among equals. */
    private String nextBestNode() {
        String best = "";
        long most = 0;
        for (DataNode node : cluster.nodes().stream().sorted().toList()) {
            long bytes = cluster.reads(region).stream()
                    .flatMap(read -> read.file().blocks().stream())
                    .filter(block -> block.isHeldBy(node.id()))
                    .mapToLong(BlockReplicas::lengthBytes)
                    .sum();
            if (bytes > most
                    && node.state() == ServiceState.IN_SERVICE
                    && !node.host().equals(region.host())) {
                best = node.id().uuid();
                most = bytes;
            }
        }
        return best;
    }

    private List<Replica> counted(BlockReplicas block) {
        return block.replicas().stream()
                .filter(replica -> node(replica).state() != ServiceState.NOT_IN_SERVICE)
                .toList();
    }

    private DataNode node(Replica replica) {
        return Objects.requireNonNull(nodeById.get(replica.node().id().uuid()));
    }

    private void skip(SkipReason reason) {
        skipped.merge(reason, 1L, Long::sum);
    }
}
