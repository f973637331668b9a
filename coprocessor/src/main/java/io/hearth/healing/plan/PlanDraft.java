package io.hearth.healing.plan;

import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.BlockReplicas;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodeId;
import io.hearth.healing.model.Replica;
import io.hearth.healing.model.ServiceState;
import io.hearth.healing.model.SkipReason;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A plan while it is made: what was decided so far. */
final class PlanDraft {

    private final PlanRequest request;
    private final List<DataNode> targets;
    private final List<BlockMove> moves = new ArrayList<>();
    private final Map<SkipReason, Long> skippedByReason = new EnumMap<>(SkipReason.class);
    private @Nullable Optional<DataNodeId> survivor;
    private long bytesToMove;
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
        List<Replica> replicas = block.replicas().stream()
                .map(replica -> new Replica(request.nodes().latest(replica.node()), replica.storageType()))
                .toList();
        List<DataNode> holders = replicas.stream().map(Replica::node).toList();
        List<Replica> safe = replicas.stream()
                .filter(replica -> rule.mayReplace(holders, replica.node(), target))
                .toList();
        Optional<Replica> giver = safe.stream()
                .filter(replica -> !file.isNeededOn(replica.node(), place))
                .min(new GiverChoice(holders, request.previousHost(), survivor(), file::givenBy));
        List<DataNode> proxies = proxies(file, holders, target);
        if (safe.isEmpty()) {
            skip(SkipReason.NO_PLACEMENT_SAFE_GIVER, block);
        } else if (giver.isEmpty()) {
            skip(SkipReason.NEEDED_BY_OTHERS, block);
        } else if (proxies.isEmpty()) {
            skip(SkipReason.NO_PROXY_IN_SERVICE, block);
        } else if (block.lengthBytes() > request.budgetBytes() - bytesToMove) {
            skip(SkipReason.OVER_BUDGET, block);
        } else {
            move(file, block, giver.get(), proxies, target);
        }
    }

    MovePlan finish() {
        return new MovePlan(moves, skippedByReason, localBytes, totalBytes);
    }

    private void move(FileDraft file, BlockReplicas block, Replica giver, List<DataNode> proxies, DataNode target) {
        file.noteMove(giver.node(), proxies.get(0));
        totalBytes += block.lengthBytes();
        bytesToMove += block.lengthBytes();
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
        return holders.stream()
                .filter(holder -> holder.state() == ServiceState.IN_SERVICE)
                .sorted(file.proxyOrder(target))
                .toList();
    }

    private Optional<DataNodeId> survivor() {
        if (survivor == null) {
            survivor = BestSurvivor.of(request);
        }
        return survivor;
    }
}
