package io.hearth.healing.plan;

import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.BlockReplicas;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodeId;
import io.hearth.healing.model.Replica;
import io.hearth.healing.model.ServiceState;
import io.hearth.healing.model.SkipReason;
import io.hearth.healing.model.StorageType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A plan while it is made: what was decided so far. */
final class PlanDraft {

    private final PlanRequest request;
    private final boolean hasDataNode;
    private final Optional<DataNode> target;
    private final List<BlockMove> moves = new ArrayList<>();
    private final Map<SkipReason, Long> skippedByReason = new EnumMap<>(SkipReason.class);
    private Optional<DataNodeId> survivor = Optional.empty();
    private boolean survivorSought;
    private final Map<StorageType, Long> bytesByType = new EnumMap<>(StorageType.class);
    private long bytesToMove;
    private long localBytes;
    private long totalBytes;

    PlanDraft(PlanRequest request) {
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

    void passOver(SkipReason reason, long files) {
        skippedByReason.merge(reason, files, Long::sum);
    }

    void moveOrSkip(FileDraft file, FileDraft.Place place, DataNode target, PlacementRule rule) {
        BlockReplicas block = place.block();
        List<DataNode> holders = new ArrayList<>(block.replicas().size());
        block.replicas().forEach(replica -> holders.add(request.nodes().latest(replica.node())));
        GiverChoice choice = new GiverChoice(holders, request.previousHost(), survivor(), file);
        boolean anySafe = false;
        @Nullable Replica giver = null;
        for (int index = 0; index < holders.size(); index++) {
            DataNode holder = holders.get(index);
            if (rule.mayReplace(holders, holder, target)) {
                anySafe = true;
                if (!file.isNeededOn(holder, place) && (giver == null || choice.compare(holder, giver.node()) < 0)) {
                    giver = new Replica(holder, block.replicas().get(index).storageType());
                }
            }
        }
        List<DataNode> proxies = proxies(file, holders, target);
        if (!anySafe) {
            skip(SkipReason.NO_PLACEMENT_SAFE_GIVER, block);
        } else if (giver == null) {
            skip(SkipReason.NEEDED_BY_OTHERS, block);
        } else if (proxies.isEmpty()) {
            skip(SkipReason.NO_PROXY_IN_SERVICE, block);
        } else if (block.lengthBytes() > request.room().bytes(target, giver.storageType(), bytesByType)) {
            skip(SkipReason.TARGET_FULL, block);
        } else if (block.lengthBytes() > request.budgetBytes() - bytesToMove) {
            skip(SkipReason.OVER_BUDGET, block);
        } else {
            move(file, block, giver, proxies, target);
        }
    }

    MovePlan finish() {
        return new MovePlan(moves, skippedByReason, localBytes, totalBytes);
    }

    private void move(FileDraft file, BlockReplicas block, Replica giver, List<DataNode> proxies, DataNode target) {
        file.noteMove(giver.node(), proxies.get(0));
        totalBytes += block.lengthBytes();
        bytesToMove += block.lengthBytes();
        bytesByType.merge(giver.storageType(), block.lengthBytes(), Long::sum);
        moves.add(new BlockMove(
                request.region(),
                file.file().path(),
                block.block(),
                block.lengthBytes(),
                giver.storageType(),
                giver.node(),
                proxies,
                target,
                file.file().replication(),
                block.racks()));
    }

    private static List<DataNode> proxies(FileDraft file, List<DataNode> holders, DataNode target) {
        List<DataNode> proxies = new ArrayList<>(holders);
        proxies.removeIf(holder -> holder.state() != ServiceState.IN_SERVICE);
        proxies.sort((one, other) -> file.compareProxies(one, other, target));
        return proxies;
    }

    private Optional<DataNodeId> survivor() {
        if (!survivorSought) {
            survivorSought = true;
            survivor = BestSurvivor.of(request);
        }
        return survivor;
    }
}
