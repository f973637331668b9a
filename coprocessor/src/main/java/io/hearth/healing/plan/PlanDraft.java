package io.hearth.healing.plan;

import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.BlockReplicas;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodeId;
import io.hearth.healing.model.Replica;
import io.hearth.healing.model.ServiceState;
import io.hearth.healing.model.SkipReason;
import io.hearth.healing.model.StoreFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A plan while it is made: what was decided so far, and how often each DataNode gave and copied in the current file. */
final class PlanDraft {

    private final PlanRequest request;
    private final List<DataNode> targets;
    private final List<BlockMove> moves = new ArrayList<>();
    private final Map<SkipReason, Long> skippedByReason = new EnumMap<>(SkipReason.class);
    private final Map<DataNodeId, Integer> givenByNode = new HashMap<>();
    private final Map<DataNodeId, Integer> copiedByNode = new HashMap<>();
    private long localBytes;
    private long totalBytes;

    PlanDraft(PlanRequest request) {
        this.request = request;
        this.targets = request.nodes().on(request.host());
    }

    PlanRequest request() {
        return request;
    }

    /** The DataNodes on the host of the region's server, in whatever state. */
    List<DataNode> targets() {
        return targets;
    }

    void beginFile(StoreFile file) {
        givenByNode.clear();
        copiedByNode.clear();
        totalBytes += file.lengthBytes();
    }

    void skip(SkipReason reason, BlockReplicas block) {
        skippedByReason.merge(reason, 1L, Long::sum);
        localBytes += block.isLocalTo(request.host()) ? block.lengthBytes() : 0;
    }

    void skipFiles(SkipReason reason, int files) {
        if (files > 0) {
            skippedByReason.merge(reason, (long) files, Long::sum);
        }
    }

    void moveOrSkip(StoreFile file, BlockReplicas block, DataNode target, PlacementRule rule) {
        Optional<Replica> giver = giver(file, block, target, rule);
        List<DataNode> proxies = proxies(block, target);
        if (giver.isEmpty()) {
            skip(SkipReason.NO_PLACEMENT_SAFE_GIVER, block);
        } else if (proxies.isEmpty()) {
            skip(SkipReason.NO_PROXY_IN_SERVICE, block);
        } else {
            move(file, block, giver.get(), proxies, target);
        }
    }

    MovePlan finish() {
        return new MovePlan(moves, skippedByReason, localBytes, totalBytes);
    }

    private void move(StoreFile file, BlockReplicas block, Replica giver, List<DataNode> proxies, DataNode target) {
        givenByNode.merge(giver.node().id(), 1, Integer::sum);
        copiedByNode.merge(proxies.get(0).id(), 1, Integer::sum);
        moves.add(new BlockMove(
                request.region(),
                file.path(),
                block.block(),
                block.lengthBytes(),
                giver.storageType(),
                giver.node(),
                proxies,
                target,
                file.replication(),
                block.racks()));
    }

    private Optional<Replica> giver(StoreFile file, BlockReplicas block, DataNode target, PlacementRule rule) {
        GiverChoice choice = new GiverChoice(
                block.holders(), request.sharersByFile().get(file.name()), id -> givenByNode.getOrDefault(id, 0));
        return block.replicas().stream()
                .filter(replica -> replica.storageType().movable())
                .filter(replica -> rule.mayReplace(block.holders(), replica.node(), target))
                .min(choice);
    }

    private List<DataNode> proxies(BlockReplicas block, DataNode target) {
        return block.holders().stream()
                .map(request.nodes()::latest)
                .filter(holder -> holder.state() == ServiceState.IN_SERVICE)
                .sorted(Comparator.comparingInt(
                                (DataNode holder) -> holder.rack().equals(target.rack()) ? 0 : 1)
                        .thenComparingInt(holder -> copiedByNode.getOrDefault(holder.id(), 0))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }
}
