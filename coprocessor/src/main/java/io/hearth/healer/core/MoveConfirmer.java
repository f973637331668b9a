// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.log.RateLimitedLogger;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.move.MoveExecutor;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.spi.FileBlocks;
import io.hearth.healer.throttle.NameNodeBudget;
import io.hearth.healer.verify.MoveOutcome;
import io.hearth.healer.verify.MoveVerifier;
import io.hearth.healer.verify.MoveVerifier.PendingVerification;
import java.util.List;
import java.util.Map;

/** Ends the executor's moves according to the NameNode, and says how many may wait for it. Not thread-safe. */
final class MoveConfirmer {

    private final MoveExecutor executor;
    private final MoveVerifier verifier;
    private final HealingMetrics metrics;
    private final RateLimitedLogger log;
    private final HealingEvents events;

    MoveConfirmer(
            MoveExecutor executor,
            FileBlocks nameNode,
            NameNodeBudget budget,
            HealingMetrics metrics,
            RateLimitedLogger log,
            HealingEvents events) {
        this.executor = executor;
        this.verifier = new MoveVerifier(nameNode, budget);
        this.metrics = metrics;
        this.log = log;
        this.events = events;
    }

    /** Asks about the moves that await it; returns how many have ended. */
    int doWork(long timeoutMs, long nowMs) {
        if (!verifier.isDue(nowMs)) {
            return 0;
        }
        List<PendingVerification> open = executor.awaitingNameNode().stream()
                .map(tracked -> new PendingVerification(
                        tracked.move(),
                        tracked.state() == MoveState.COPIED,
                        tracked.sinceMs(),
                        executor.sinceMs(tracked)))
                .toList();
        Map<BlockId, MoveOutcome> outcomes = verifier.doWork(open, timeoutMs, nowMs);
        verifier.failure().ifPresent(unknown -> events.nameNodeFailed(unknown, nowMs));
        outcomes.forEach(
                (block, outcome) -> executor.conclude(block, end(outcome), "the NameNode says " + outcome, nowMs));
        metrics.set(HealingGauge.BLOCKS_IN_EXCESS, verifier.excess().blocks(nowMs));
        return outcomes.size();
    }

    /** Whether the NameNode could not be asked about all of them in good time. */
    boolean wasCutShort() {
        return verifier.wasCutShort();
    }

    /**
     * How many moves may be under way.
     *
     * @param limit how many may if the NameNode confirms them
     */
    int movesAtATime(int limit, long nowMs) {
        if (!verifier.excess().shouldHoldMoves(nowMs)) {
            return verifier.isBehind() ? 0 : limit;
        }
        log.warn(
                "excess",
                "The NameNode does not delete what moves leave over: "
                        + verifier.excess().blocks(nowMs)
                        + " blocks keep more replicas than wanted. That is so after a NameNode failover until every DataNode"
                        + " has sent a block report; hdfs dfsadmin -triggerBlockReport makes it do so. Until moves are"
                        + " confirmed again one is made at a time.",
                nowMs);
        return executor.count(MoveState.COPIED) + executor.running() == 0 ? 1 : 0;
    }

    private static MoveState end(MoveOutcome outcome) {
        return switch (outcome) {
            case VERIFIED -> MoveState.VERIFIED;
            case REVERTED -> MoveState.REVERTED;
            case BLOCK_DELETED -> MoveState.BLOCK_DELETED;
            case INCONCLUSIVE -> MoveState.INCONCLUSIVE;
            case PENDING -> throw new IllegalArgumentException("A pending move has not ended.");
        };
    }
}
