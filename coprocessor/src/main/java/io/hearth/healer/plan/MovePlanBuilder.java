// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.RegionFiles.FileRead;
import io.hearth.healer.model.SkipReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A plan while it is made: what was decided so far; chooses which replica of a block goes ({@link SourceReplicaOrder}). */
final class MovePlanBuilder {

    private final PlanRequest request;
    private final boolean hasDataNode;
    private final Optional<DataNode> target;
    private final List<BlockMove> moves = new ArrayList<>();
    private final Map<SkipReason, Long> skippedByReason = new EnumMap<>(SkipReason.class);
    private Optional<DataNode.Id> nextBestNode = Optional.empty();
    private boolean nextBestNodeComputed;
    private final Map<StorageType, Long> bytesByType = new EnumMap<>(StorageType.class);
    private long bytesToMove;
    private long localBytes;
    private long totalBytes;

    MovePlanBuilder(PlanRequest request) {
        this.request = request;
        List<DataNode> onHost = request.nodes().on(request.host());
        this.hasDataNode = !onHost.isEmpty();
        this.target = onHost.stream()
                .filter(node -> node.state() == ServiceState.IN_SERVICE)
                .findFirst();
    }

    PlanRequest request() {
        return request;
    }

    /** Whether a DataNode is on the host of the region's server, in whatever state. */
    boolean hasDataNode() {
        return hasDataNode;
    }

    /** The DataNode that gets the new replicas. */
    Optional<DataNode> target() {
        return target;
    }

    void skip(SkipReason reason, BlockReplicas block) {
        skippedByReason.merge(reason, 1L, Long::sum);
        totalBytes += block.lengthBytes();
        localBytes += block.isLocalTo(request.host()) ? block.lengthBytes() : 0;
    }

    void skipFiles(SkipReason reason, long files) {
        skippedByReason.merge(reason, files, Long::sum);
    }

    void moveOrSkip(FilePlan file, FilePlan.BlockAtOffset blockAt, DataNode target, PlacementRule rule) {
        BlockReplicas block = request.counted(blockAt.block());
        List<DataNode> holders = new ArrayList<>(block.replicas().size());
        block.replicas().forEach(replica -> holders.add(request.nodes().latest(replica.node())));
        SourceReplicaOrder sourceOrder = new SourceReplicaOrder(holders, request.previousHost(), nextBestNode(), file);
        boolean anySafe = false;
        @Nullable Replica source = null;
        for (int index = 0; index < holders.size(); index++) {
            DataNode holder = holders.get(index);
            if (rule.mayReplace(holders, holder, target)) {
                anySafe = true;
                Replica one = new Replica(holder, block.replicas().get(index).storageType());
                if (!file.isNeededOn(holder, blockAt)
                        && (source == null || comesBefore(one, source, sourceOrder, block.lengthBytes(), target))) {
                    source = one;
                }
            }
        }
        List<DataNode> proxies = proxies(file, holders, target);
        if (!anySafe) {
            skip(SkipReason.NO_REMOVABLE_REPLICA, block);
        } else if (source == null) {
            skip(SkipReason.LOCAL_TO_OTHER_REGION, block);
        } else if (proxies.isEmpty()) {
            skip(SkipReason.NO_PROXY_IN_SERVICE, block);
        } else if (block.lengthBytes() > request.headroom().bytes(target, source.storageType(), bytesByType)) {
            skip(SkipReason.TARGET_FULL, block);
        } else if (block.lengthBytes() > request.budgetBytes() - bytesToMove) {
            skip(SkipReason.OVER_BUDGET, block);
        } else {
            move(file, block, source, proxies, target);
        }
    }

    /** The new replica lies on the kind of storage of the old one: before anything else the target has to have room there. */
    private boolean comesBefore(Replica one, Replica other, SourceReplicaOrder order, long bytes, DataNode target) {
        int fits = one.storageType() == other.storageType()
                ? 0
                : Boolean.compare(fits(other, bytes, target), fits(one, bytes, target));
        return fits != 0 ? fits < 0 : order.compare(one.node(), other.node()) < 0;
    }

    private boolean fits(Replica source, long bytes, DataNode target) {
        StorageType type = source.storageType();
        return target.mayHave(type) && bytes <= request.headroom().bytes(target, type, bytesByType);
    }

    MovePlan finish() {
        return new MovePlan(moves, skippedByReason, localBytes, totalBytes);
    }

    private void move(FilePlan file, BlockReplicas block, Replica source, List<DataNode> proxies, DataNode target) {
        file.noteMove(source.node(), proxies.get(0));
        totalBytes += block.lengthBytes();
        bytesToMove += block.lengthBytes();
        bytesByType.merge(source.storageType(), block.lengthBytes(), Long::sum);
        moves.add(new BlockMove(
                request.region(),
                file.file().path(),
                block.block(),
                block.lengthBytes(),
                source.storageType(),
                source.node(),
                proxies,
                target,
                file.file().replication(),
                block.racks()));
    }

    private static List<DataNode> proxies(FilePlan file, List<DataNode> holders, DataNode target) {
        List<DataNode> proxies = new ArrayList<>(holders);
        proxies.removeIf(holder -> holder.state() != ServiceState.IN_SERVICE);
        proxies.sort((one, other) -> file.compareProxies(one, other, target));
        return proxies;
    }

    private Optional<DataNode.Id> nextBestNode() {
        if (!nextBestNodeComputed) {
            nextBestNodeComputed = true;
            nextBestNode = NextBestNode.of(request);
        }
        return nextBestNode;
    }

    /**
     * Where a region would best be opened if its server died: of the DataNodes in service on other hosts, the one that holds most
     * bytes of the region's files; the first by id among equals. It keeps what it holds where another can give, so that it stays
     * the best one from plan to plan.
     */
    private static final class NextBestNode {

        private NextBestNode() {}

        static Optional<DataNode.Id> of(PlanRequest request) {
            Map<DataNode.Id, Long> bytesByNode = new HashMap<>();
            for (FileRead read : request.files().files()) {
                for (BlockReplicas block : read.file().blocks()) {
                    for (Replica replica : block.replicas()) {
                        bytesByNode.merge(replica.node().id(), block.lengthBytes(), Long::sum);
                    }
                }
            }
            return bytesByNode.entrySet().stream()
                    .filter(entry -> isElsewhereAndInService(entry.getKey(), request))
                    .max(Map.Entry.<DataNode.Id, Long>comparingByValue()
                            .thenComparing(Map.Entry.<DataNode.Id, Long>comparingByKey()
                                    .reversed()))
                    .map(Map.Entry::getKey);
        }

        private static boolean isElsewhereAndInService(DataNode.Id id, PlanRequest request) {
            DataNode node = request.nodes().byId().get(id);
            return node != null && node.state() == ServiceState.IN_SERVICE && !node.isOn(request.host());
        }
    }

    /**
     * The order in which holders are asked to give a replica up, the best one first. These are preferences; what must hold was
     * tested before.
     *
     * <ol>
     *   <li>not on the host that served the region before, if this healer saw it move: its readers may still be open, and one lost
     *       replica costs a short-circuit reader all its short-circuit reads for minutes; and the region may come back;
     *   <li>not the {@link NextBestNode}: spreading the loss evenly would leave no server on which the region is local after a
     *       crash;
     *   <li>on a rack with another holder, so that the block spans more racks afterwards rather than as many;
     *   <li>the fullest, in steps of {@value #FULLNESS_STEPS} to the whole, so that DataNodes that are about as full count as
     *       equal;
     *   <li>from which least of this file was taken so far: a reader marks a DataNode that has lost a replica as dead for the
     *       whole stream, so the blocks of a file should not all leave one DataNode;
     *   <li>by id.
     * </ol>
     *
     * The host of the region's own server needs no mention: a holder there means that the block is local.
     */
    private static final class SourceReplicaOrder implements Comparator<DataNode> {

        /** A step is 5 points, half of what the HDFS Balancer leaves alone by default. */
        static final int FULLNESS_STEPS = 20;

        private final List<DataNode> holders;
        private final Optional<String> previousHost;
        private final Optional<DataNode.Id> nextBestNode;
        private final FilePlan file;

        SourceReplicaOrder(
                List<DataNode> holders,
                Optional<String> previousHost,
                Optional<DataNode.Id> nextBestNode,
                FilePlan file) {
            this.holders = holders;
            this.previousHost = previousHost;
            this.nextBestNode = nextBestNode;
            this.file = file;
        }

        @Override
        public int compare(DataNode one, DataNode other) {
            int order = Boolean.compare(servedBefore(one), servedBefore(other));
            order = order != 0 ? order : Boolean.compare(isNextBestNode(one), isNextBestNode(other));
            order = order != 0 ? order : Boolean.compare(isAloneOnItsRack(one), isAloneOnItsRack(other));
            order = order != 0 ? order : Integer.compare(fullness(other), fullness(one));
            order = order != 0 ? order : Integer.compare(file.takenFrom(one.id()), file.takenFrom(other.id()));
            return order != 0 ? order : one.compareTo(other);
        }

        private boolean servedBefore(DataNode node) {
            return previousHost.isPresent() && node.isOn(previousHost.get());
        }

        private boolean isNextBestNode(DataNode node) {
            return nextBestNode.isPresent() && node.id().equals(nextBestNode.get());
        }

        private boolean isAloneOnItsRack(DataNode node) {
            int onItsRack = 0;
            for (DataNode holder : holders) {
                onItsRack += holder.rack().equals(node.rack()) ? 1 : 0;
            }
            return onItsRack <= 1;
        }

        /** Unknown is below empty: nobody is relieved on a guess. */
        private static int fullness(DataNode node) {
            return node.usedShare().isPresent() ? (int) (node.usedShare().getAsDouble() * FULLNESS_STEPS) : -1;
        }
    }
}
