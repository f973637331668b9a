// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.model.DataNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * How long the last moves of each DataNode took, as target and as the one that is copied from, against what their sizes and the rates
 * that are granted now predict. Not thread-safe; times are milliseconds of any one clock that does not go back.
 *
 * <p><b>Goals.</b> A DataNode that is slower than its rate is given less; nobody else is.
 *
 * <p><b>Constraints.</b> A move is late with both of its DataNodes, of which one may be the cause, or the uplink of its rack.
 *
 * <p><b>Algorithm.</b> A DataNode is slow if each of its last {@value #REPLIES} moves was late, with several partners of which one is on
 * its own rack: one slow DataNode makes no other one slow, and one slow uplink none at all. A move is late if it took more than
 * {@value #FLOOR_MS} ms above the time of its bytes at the lower of both rates, shared among as many moves as it may have at a time,
 * two at least. With a lower rate the same moves are late no longer, so that a rate is not cut further than to what the DataNode
 * does.
 */
public final class ReplyTimes {

    static final int REPLIES = 4;
    static final long FLOOR_MS = 1_000;

    /** Turns further apart than this, in milliseconds, are no measure: an answer that came meanwhile was not seen. */
    static final long STALLED_MS = FLOOR_MS;

    /** What was measured so long ago says nothing of now. */
    static final long RECENT_MS = 120_000;

    /** How long a move took against what its DataNodes' rates explain. */
    enum Timeliness {
        IN_TIME,
        /** In time, and so short that it would be with a tenth of the rate: it tells nothing of the rate. */
        SHORT,
        LATE
    }

    /** @param isWithinRack whether both of its DataNodes are on one rack */
    private record Reply(DataNode.Id partner, boolean isWithinRack, long bytes, long ms, long endMs) {

        boolean isLate(long bytesPerSecond, int moves) {
            return timeliness(bytes, ms, bytesPerSecond, moves) == Timeliness.LATE;
        }
    }

    private final Map<DataNode.Id, Deque<Reply>> lastByNode = new HashMap<>();
    private long lastTickMs = Long.MAX_VALUE;
    private long stalledMs = Long.MIN_VALUE;

    /**
     * Takes in a move that was running until now: its DataNodes have answered, or are not waited for any longer. Returns whether it
     * can be measured.
     */
    boolean add(TrackedMove running, long nowMs) {
        if (running.sinceMs() < stalledMs) {
            return false;
        }
        add(running.move().target(), running.proxy(), running, nowMs);
        add(running.proxy(), running.move().target(), running, nowMs);
        return true;
    }

    private void add(DataNode node, DataNode partner, TrackedMove running, long nowMs) {
        Deque<Reply> last = lastByNode.computeIfAbsent(node.id(), first -> new ArrayDeque<>(REPLIES + 1));
        boolean isWithinRack = node.rack().equals(partner.rack());
        long ms = nowMs - running.sinceMs();
        last.addLast(new Reply(partner.id(), isWithinRack, running.move().lengthBytes(), ms, nowMs));
        if (last.size() > REPLIES) {
            last.removeFirst();
        }
    }

    /**
     * A turn begins. What was running during a turn that waited long for something else, such as a NameNode, is not measured, and the
     * DataNodes that have had no move lately are forgotten.
     */
    void tick(long nowMs) {
        if (nowMs - lastTickMs > STALLED_MS) {
            stalledMs = nowMs;
        }
        lastTickMs = nowMs;
        lastByNode.values().removeIf(last -> nowMs - last.getLast().endMs() > RECENT_MS);
    }

    /**
     * Whether this DataNode is slower than its rate.
     *
     * @param bytesPerSecond what a DataNode is granted now, above 0
     * @param moves that it may have at a time
     */
    public boolean isSlow(DataNode.Id node, ToLongFunction<DataNode.Id> bytesPerSecond, int moves, long nowMs) {
        Deque<Reply> last = lastByNode.get(node);
        return last != null
                && last.size() == REPLIES
                && nowMs - last.getFirst().endMs() <= RECENT_MS
                && last.stream().allMatch(reply -> reply.isLate(lower(node, reply.partner(), bytesPerSecond), moves))
                && isWithSeveral(last);
    }

    private static boolean isWithSeveral(Deque<Reply> last) {
        return last.stream().anyMatch(Reply::isWithinRack)
                && last.stream().map(Reply::partner).distinct().count() > 1;
    }

    /**
     * Whether a move that took so long took more than its DataNodes' rates explain.
     *
     * @param bytesPerSecond the lower rate of both; at 0, which is no limit, nothing is late
     * @param moves that each of them may have at a time
     */
    static Timeliness timeliness(long bytes, long ms, long bytesPerSecond, int moves) {
        double atRateMs = 1_000.0 * Math.max(2, moves) * bytes / bytesPerSecond;
        if (ms - FLOOR_MS > atRateMs) {
            return Timeliness.LATE;
        }
        return 10 * atRateMs < FLOOR_MS ? Timeliness.SHORT : Timeliness.IN_TIME;
    }

    private static long lower(DataNode.Id node, DataNode.Id partner, ToLongFunction<DataNode.Id> bytesPerSecond) {
        return Math.min(bytesPerSecond.applyAsLong(node), bytesPerSecond.applyAsLong(partner));
    }
}
