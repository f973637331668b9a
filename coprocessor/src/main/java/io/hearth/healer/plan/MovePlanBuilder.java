package io.hearth.healer.plan;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNodeId;
import io.hearth.healer.model.Replica;
import io.hearth.healer.model.ServiceState;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.model.StorageType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A plan while it is made: what was decided so far. */
final class MovePlanBuilder {

    private final PlanRequest request;
    private final boolean hasDataNode;
    private final Optional<DataNode> target;
    private final List<BlockMove> moves = new ArrayList<>();
    private final Map<SkipReason, Long> skippedByReason = new EnumMap<>(SkipReason.class);
    private Optional<DataNodeId> failoverNode = Optional.empty();
    private boolean failoverNodeComputed;
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
        BlockReplicas block = blockAt.block();
        List<DataNode> holders = new ArrayList<>(block.replicas().size());
        block.replicas().forEach(replica -> holders.add(request.nodes().latest(replica.node())));
        SourceReplicaOrder sourceOrder = new SourceReplicaOrder(holders, request.previousHost(), failoverNode(), file);
        boolean anySafe = false;
        @Nullable Replica source = null;
        for (int index = 0; index < holders.size(); index++) {
            DataNode holder = holders.get(index);
            if (rule.mayReplace(holders, holder, target)) {
                anySafe = true;
                if (!file.isNeededOn(holder, blockAt)
                        && (source == null || sourceOrder.compare(holder, source.node()) < 0)) {
                    source = new Replica(holder, block.replicas().get(index).storageType());
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

    private Optional<DataNodeId> failoverNode() {
        if (!failoverNodeComputed) {
            failoverNodeComputed = true;
            failoverNode = FailoverNode.of(request);
        }
        return failoverNode;
    }
}
