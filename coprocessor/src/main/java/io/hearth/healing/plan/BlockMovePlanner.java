package io.hearth.healing.plan;

import io.hearth.healing.model.BlockReplicas;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.ServiceState;
import io.hearth.healing.model.SkipReason;
import io.hearth.healing.model.StoreFile;
import java.util.Optional;

/**
 * Plans one replica move for each block of a region that has no replica on the host of the region's server. A pure function
 * of its request; thread-safe if its rule is.
 *
 * <p><b>Goals.</b> Every block gets a replica on the target, the DataNode on that host, at the price of one copy of the
 * block: no block is moved twice and no block that is local is touched.
 *
 * <p><b>Constraints.</b> Held by every single move, so that any subset of a plan can fail: the number of replicas stays;
 * the target holds none; the {@link PlacementRule} allows the giver's replica to go; the new replica has the storage type of
 * the old one; the DataNodes that copy and receive are in service. A block that is corrupt, under-replicated, being written,
 * or that shows more holders than its replication (a move or a repair is under way, and one of the holders is doomed) is
 * left alone. A plan does not depend on the order of its input, and planning again what a plan has achieved yields no move.
 *
 * <p><b>Algorithm.</b> File by file and block by block, in order. Among the holders that may give, the one that costs least
 * in {@link GiverChoice}'s order. Among the holders in service, the proxies: first those in the target's rack, then those
 * that copied least of this file, then by id.
 *
 * <p><b>Example.</b> Racks A, B, C with DataNodes a1 a2 b1 b2 c1 c2; the region is served on c1, replication is 3.
 *
 * <pre>
 *   block 1 on a1 b1 b2: any of them may go, c1 brings a third rack. One of rack B is preferred, since rack B has
 *                        another holder: a1 b2 c1 spans three racks, b1 b2 c1 would span two.
 *   block 2 on a1 b1 c2: only c2 may go, since its rack gets c1; without a1 or b1 two racks would be left. Copied from
 *                        c2, which is in the target's rack.
 *   block 3 on a1 b2 c1: local, nothing to do.
 *   block 4 on a1 a2 b1 c2: four holders, under way, nothing for now.
 * </pre>
 */
public final class BlockMovePlanner {

    private final PlacementRule rule;

    public BlockMovePlanner(PlacementRule rule) {
        this.rule = rule;
    }

    public MovePlan plan(PlanRequest request) {
        PlanDraft draft = new PlanDraft(request);
        draft.skipFiles(SkipReason.REFERENCE, request.files().referenced().size());
        draft.skipFiles(SkipReason.LINK, request.files().linked().size());
        for (StoreFile file : request.files().files()) {
            draft.beginFile(file);
            for (BlockReplicas block : file.blocks()) {
                planBlock(file, block, draft);
            }
        }
        return draft.finish();
    }

    private void planBlock(StoreFile file, BlockReplicas block, PlanDraft draft) {
        Optional<SkipReason> unfit = whyUnfit(file, block, draft.request());
        if (unfit.isPresent()) {
            draft.skip(unfit.get(), block);
            return;
        }
        Optional<DataNode> target = draft.targets().stream()
                .filter(node -> node.state() == ServiceState.IN_SERVICE)
                .findFirst();
        if (target.isEmpty()) {
            draft.skip(
                    draft.targets().isEmpty() ? SkipReason.NO_DATANODE_ON_HOST : SkipReason.TARGET_NOT_IN_SERVICE,
                    block);
            return;
        }
        draft.moveOrSkip(file, block, target.get(), rule);
    }

    /** Why this block needs no move, or can't have one whatever the DataNodes are; empty if it needs one. */
    private static Optional<SkipReason> whyUnfit(StoreFile file, BlockReplicas block, PlanRequest request) {
        if (file.striped()) {
            return Optional.of(SkipReason.STRIPED);
        }
        if (!file.complete()) {
            return Optional.of(SkipReason.UNDER_CONSTRUCTION);
        }
        if (block.corrupt()) {
            return Optional.of(SkipReason.CORRUPT);
        }
        if (block.replicas().size() > file.replication() || request.underWay().test(block.block())) {
            return Optional.of(SkipReason.IN_FLIGHT);
        }
        if (block.isLocalTo(request.host())) {
            return Optional.of(SkipReason.ALREADY_LOCAL);
        }
        if (inService(block, request) < file.replication()) {
            return Optional.of(SkipReason.UNDER_REPLICATED);
        }
        return Optional.empty();
    }

    /** The replicas that count: a stale DataNode's still does, a leaving one's does not. */
    private static long inService(BlockReplicas block, PlanRequest request) {
        return block.holders().stream()
                .filter(holder -> request.nodes().latest(holder).state() != ServiceState.LEAVING)
                .count();
    }
}
