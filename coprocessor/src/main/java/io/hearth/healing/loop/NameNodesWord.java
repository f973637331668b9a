package io.hearth.healing.loop;

import io.hearth.balancer.log.RareLog;
import io.hearth.healing.execute.MoveExecutor;
import io.hearth.healing.execute.MoveState;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.healing.metrics.HealingMetrics;
import io.hearth.healing.model.BlockId;
import io.hearth.healing.observe.FileBlocks;
import io.hearth.healing.verify.OpenMove;
import io.hearth.healing.verify.Verdict;
import io.hearth.healing.verify.Verifier;
import java.util.List;
import java.util.Map;

/** Ends the executor's moves by the NameNode's word, and says how many may wait for it. Not thread-safe. */
final class NameNodesWord {

    private final MoveExecutor executor;
    private final Verifier verifier;
    private final HealingMetrics metrics;
    private final RareLog log;

    NameNodesWord(MoveExecutor executor, FileBlocks nameNode, HealingMetrics metrics, RareLog log) {
        this.executor = executor;
        this.verifier = new Verifier(nameNode);
        this.metrics = metrics;
        this.log = log;
    }

    /** Asks about the moves that await it; returns how many have ended. */
    int doWork(long timeoutMs, long nowMs) {
        List<OpenMove> open = executor.awaitingNameNode().stream()
                .map(tracked -> new OpenMove(tracked.move(), tracked.state() == MoveState.COPIED, tracked.sinceMs()))
                .toList();
        Map<BlockId, Verdict> verdicts = verifier.doWork(open, timeoutMs, nowMs);
        verdicts.forEach(
                (block, verdict) -> executor.conclude(block, end(verdict), "the NameNode's word is " + verdict, nowMs));
        metrics.set(HealingGauge.BLOCKS_IN_EXCESS, verifier.excess().blocks(nowMs));
        return verdicts.size();
    }

    /**
     * How many moves may be under way.
     *
     * @param limit how many may if the NameNode confirms them
     */
    int movesAtATime(int limit, long nowMs) {
        if (!verifier.excess().isHolding(nowMs)) {
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

    private static MoveState end(Verdict verdict) {
        return switch (verdict) {
            case HEALED -> MoveState.HEALED;
            case BOUNCED -> MoveState.BOUNCED;
            case GONE -> MoveState.GONE;
            case INCONCLUSIVE -> MoveState.UNSETTLED;
            case PENDING -> throw new IllegalArgumentException("A pending move has not ended.");
        };
    }
}
