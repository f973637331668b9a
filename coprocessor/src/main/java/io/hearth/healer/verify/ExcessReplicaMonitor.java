package io.hearth.healer.verify;

import io.hearth.healer.model.BlockId;
import java.util.HashMap;
import java.util.Map;

/**
 * Notices that the NameNode does not delete the replicas that moves leave over: after a failover it deletes none of a DataNode's
 * until that DataNode has sent a whole block report, which can take hours, and then follows no hint that was given before. Moves
 * made meanwhile only add replicas.
 *
 * <p>From {@value #MANY} blocks on that keep more replicas than wanted for three quarters of the time allowed it holds, until
 * {@value #GOOD_SIGNS} moves in a row are confirmed, or nothing was late for {@value #FORGET_MS} ms. HDFS needs 15 seconds, and
 * longer with a deletion delay on the DataNodes, which is to be below the time allowed. Not thread-safe.
 */
public final class ExcessReplicaMonitor {

    static final int MANY = 8;
    static final int GOOD_SIGNS = 3;
    static final long FORGET_MS = 600_000;

    private final Map<BlockId, Long> lateMsByBlock = new HashMap<>();
    private int goodSigns;

    /**
     * Takes in what the NameNode says of an open move.
     *
     * @param timeoutMs the time allowed
     */
    void note(PendingVerification pending, boolean isInExcess, long timeoutMs, long nowMs) {
        if (!isInExcess) {
            lateMsByBlock.remove(pending.move().block());
        } else if (nowMs - pending.sinceMs() >= timeoutMs / 4 * 3) {
            lateMsByBlock.put(pending.move().block(), nowMs);
            goodSigns = 0;
        }
    }

    /** A move was confirmed. */
    void moveVerified() {
        goodSigns++;
        if (goodSigns >= GOOD_SIGNS) {
            lateMsByBlock.clear();
        }
    }

    /** The blocks that keep more replicas than wanted, as far as is remembered. */
    public int blocks(long nowMs) {
        lateMsByBlock.values().removeIf(lateMs -> nowMs - lateMs > FORGET_MS);
        return lateMsByBlock.size();
    }

    /** Whether there are so many that moves should wait. */
    public boolean shouldHoldMoves(long nowMs) {
        return blocks(nowMs) >= MANY;
    }
}
