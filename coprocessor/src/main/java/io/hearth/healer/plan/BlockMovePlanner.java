// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.RegionFiles.FileRead;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.model.StoreFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Plans one replica move for each block that a region reads and that has no replica on the host of the region's server. A
 * pure function of its request; thread-safe if its rule is.
 *
 * <p><b>Goals.</b> Every block gets a replica on the target, the DataNode on that host, at the price of one copy of the
 * block: no block is moved twice and no block that is local is touched. Then, in this order: replicas stay where the region
 * was served before, and where most of the region is; a block spans more racks than before; the fullest DataNode gives; a
 * file's blocks are given by several. Copies come from the target's rack where a holder is there.
 *
 * <p><b>Constraints.</b> Held by every single move, so that any subset of a plan can fail: the number of replicas stays;
 * the target holds none; the {@link PlacementRule} allows the source's replica to go; no other region that is known to read the block
 * loses its local replica; the replicas lie on the storage types that the file's policy wants, and the new one has the type
 * of the old one, so that it is the source's type that is in excess and the NameNode follows the hint; the DataNodes that copy
 * and receive are in service. A block that is corrupt, under-replicated, being written, or that shows more holders than its
 * replication (a move or a repair is under way, and one of the holders is doomed) is left alone. A plan does not depend on
 * the order of its input, and planning again what a plan has achieved yields no move.
 *
 * <p>So the region that asks first gets a block that several want, and keeps it: none is taken from a region that is known to read
 * it; one whose folders were never listed can lose it once. Encrypted files are as any others, since replicas are copied as they are;
 * quotas count replicas and their types, which stay.
 *
 * <p><b>Algorithm.</b> File by file and block by block, in order. Among the holders that may give, the first in
 * the order of {@code MovePlanBuilder.SourceReplicaOrder}. Among the holders in service, the proxies: first those in the target's rack,
 * then those that copied least of this file, then by id.
 *
 * <p><b>Example.</b> Racks A, B, C with DataNodes a1 a2 b1 b2 c1 c2; the region is served on c1, replication is 3.
 *
 * <pre>
 *   block 1 on a1 b1 b2: any of them may go, c1 brings a third rack. b1 holds most of the region and keeps it. Of a1 and b2
 *                        it is b2, since rack B has another holder: a1 b1 c1 spans three racks, b1 b2 c1 would span two.
 *   block 2 on a1 b1 c2: only c2 may go, since its rack gets c1; without a1 or b1 two racks would be left. Copied from
 *                        c2, which is in the target's rack.
 *   block 3 on b1 b2 c1: local, nothing to do.
 *   block 4 on a1 a2 b1 c2: four holders, under way, nothing for now.
 * </pre>
 */
public final class BlockMovePlanner {

    private final PlacementRule rule;

    public BlockMovePlanner(PlacementRule rule) {
        this.rule = rule;
    }

    public MovePlan plan(PlanRequest request) {
        MovePlanBuilder builder = new MovePlanBuilder(request);
        request.files().skipped().forEach(builder::skipFiles);
        for (FileRead read : request.files().files()) {
            FilePlan file = new FilePlan(
                    read, request.othersByFile().getOrDefault(read.file().name(), List.of()));
            for (FilePlan.BlockAtOffset blockAt : file.blocks()) {
                planBlock(file, blockAt, builder);
            }
        }
        return builder.finish();
    }

    private void planBlock(FilePlan file, FilePlan.BlockAtOffset blockAt, MovePlanBuilder builder) {
        Optional<SkipReason> unfit = whyUnfit(file.file(), blockAt.block(), builder.request());
        if (unfit.isPresent()) {
            builder.skip(unfit.get(), blockAt.block());
            return;
        }
        if (builder.target().isEmpty()) {
            builder.skip(
                    !builder.hasDataNode() ? SkipReason.NO_DATANODE_ON_HOST : SkipReason.TARGET_NOT_IN_SERVICE,
                    blockAt.block());
            return;
        }
        builder.moveOrSkip(file, blockAt, builder.target().get(), rule);
    }

    /** Why this block needs no move, or can't have one whatever the target is; empty if it needs one. */
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
        BlockReplicas counted = request.counted(block);
        if (counted.replicas().size() > file.replication() || request.underWay().test(block.block())) {
            return Optional.of(SkipReason.IN_FLIGHT);
        }
        if (block.isLocalTo(request.host())) {
            return Optional.of(SkipReason.ALREADY_LOCAL);
        }
        if (request.compactionPending().test(file)) {
            return Optional.of(SkipReason.COMPACTION_PENDING);
        }
        if (request.files().pinned()) {
            return Optional.of(SkipReason.PINNED);
        }
        if (counted.replicas().size() < file.replication()) {
            return Optional.of(SkipReason.UNDER_REPLICATED);
        }
        return whyOnWrongStorage(file, counted);
    }

    /** With the wanted types before a move, the type that is added is the one in excess, and nothing else is. */
    private static Optional<SkipReason> whyOnWrongStorage(StoreFile file, BlockReplicas block) {
        List<StorageType> types = new ArrayList<>(block.replicas().size());
        for (Replica replica : block.replicas()) {
            if (!replica.storageType().movable()) {
                return Optional.of(SkipReason.NOT_MOVABLE_STORAGE);
            }
            types.add(replica.storageType());
        }
        Collections.sort(types);
        return types.equals(file.wantedTypes()) ? Optional.empty() : Optional.of(SkipReason.STORAGE_POLICY_UNMET);
    }
}
