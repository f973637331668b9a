// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.move.MoveExecutor;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.plan.TargetHeadroom;
import io.hearth.healer.queue.AssignmentDiff;
import io.hearth.healer.queue.HealQueue;
import java.util.Optional;
import java.util.function.Predicate;

/** Takes planned moves back that something has overtaken before they could start. Not thread-safe. */
final class StaleMoveCanceller {

    private final MoveExecutor executor;
    private final HealQueue queue;
    private final DataNodeTracker dataNodes;

    StaleMoveCanceller(MoveExecutor executor, HealQueue queue, DataNodeTracker dataNodes) {
        this.executor = executor;
        this.queue = queue;
        this.dataNodes = dataNodes;
    }

    /** After each look at the assignments. */
    void follow(AssignmentDiff diff, double targetMaxUsedRatio, long nowMs) {
        executor.cancelPlanned(
                move -> diff.left().contains(move.region()), "the region left the server it was planned for", nowMs);
        cancelWhere(region -> region.mode() == TableHealingMode.OFF, "its table was switched off", nowMs);
        cancelWhere(region -> region.compaction().isRunning(), "a compaction of its region runs", nowMs);
        if (executor.count(MoveState.PLANNED) > 0) {
            dataNodes.recent(nowMs).ifKnown().ifPresent(nodes -> {
                executor.cancelPlanned(
                        move -> !isInService(move.target(), nodes), "its target is not in service any more", nowMs);
                TargetHeadroom headroom = TargetHeadroom.upTo(targetMaxUsedRatio);
                executor.cancelPlanned(
                        move -> headroom.bytes(nodes.latest(move.target()), move.storageType()) <= 0,
                        "its target is full",
                        nowMs);
            });
        }
    }

    private void cancelWhere(Predicate<ServedRegion> which, String why, long nowMs) {
        executor.cancelPlanned(move -> queue.latest(move.region()).filter(which).isPresent(), why, nowMs);
    }

    private static boolean isInService(DataNode target, DataNodes nodes) {
        return Optional.ofNullable(nodes.byId().get(target.id()))
                .filter(node -> node.state() == ServiceState.IN_SERVICE)
                .isPresent();
    }
}
