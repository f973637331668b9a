package io.hearth.healing.loop;

import io.hearth.healing.execute.MoveExecutor;
import io.hearth.healing.execute.MoveState;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodes;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.model.ServiceState;
import io.hearth.healing.plan.TargetRoom;
import io.hearth.healing.trigger.AssignmentDiff;
import io.hearth.healing.trigger.HealQueue;
import java.util.Optional;
import java.util.function.Predicate;

/** Takes planned moves back that something has overtaken before they could start. Not thread-safe. */
final class Overtaken {

    private final MoveExecutor executor;
    private final HealQueue queue;
    private final KnownDataNodes dataNodes;

    Overtaken(MoveExecutor executor, HealQueue queue, KnownDataNodes dataNodes) {
        this.executor = executor;
        this.queue = queue;
        this.dataNodes = dataNodes;
    }

    /** After each look at the assignments. */
    void follow(AssignmentDiff diff, double targetMaxUsedRatio, long nowMs) {
        executor.cancelPlanned(
                move -> diff.left().contains(move.region()), "the region left the server it was planned for", nowMs);
        cancelWhere(region -> region.mode() == HealMode.OFF, "its table was switched off", nowMs);
        cancelWhere(region -> region.compaction().isRunning(), "a compaction of its region runs", nowMs);
        if (executor.count(MoveState.PLANNED) > 0) {
            dataNodes.recent(nowMs).ifKnown().ifPresent(nodes -> {
                executor.cancelPlanned(
                        move -> !isInService(move.target(), nodes), "its target is not in service any more", nowMs);
                TargetRoom room = TargetRoom.upTo(targetMaxUsedRatio);
                executor.cancelPlanned(
                        move -> room.bytes(nodes.latest(move.target()), move.storageType()) <= 0,
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
