package io.hearth.healing.loop;

import io.hearth.healing.execute.MoveExecutor;
import io.hearth.healing.execute.MoveState;
import io.hearth.healing.model.BlockId;
import io.hearth.healing.observe.FileBlocks;
import io.hearth.healing.verify.OpenMove;
import io.hearth.healing.verify.Verdict;
import io.hearth.healing.verify.Verifier;
import java.util.List;
import java.util.Map;

/** Ends the executor's moves by the NameNode's word. Not thread-safe. */
final class NameNodesWord {

    private final MoveExecutor executor;
    private final Verifier verifier;

    NameNodesWord(MoveExecutor executor, FileBlocks nameNode) {
        this.executor = executor;
        this.verifier = new Verifier(nameNode);
    }

    /** Asks about the moves that await it; returns how many have ended. */
    int doWork(long timeoutMs, long nowMs) {
        List<OpenMove> open = executor.awaitingNameNode().stream()
                .map(tracked -> new OpenMove(tracked.move(), tracked.state() == MoveState.COPIED, tracked.sinceMs()))
                .toList();
        Map<BlockId, Verdict> verdicts = verifier.doWork(open, timeoutMs, nowMs);
        verdicts.forEach(
                (block, verdict) -> executor.conclude(block, end(verdict), "the NameNode's word is " + verdict, nowMs));
        return verdicts.size();
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
