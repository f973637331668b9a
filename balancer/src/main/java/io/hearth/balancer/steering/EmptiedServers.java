package io.hearth.balancer.steering;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.steering.BulkMoves.HandMove;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The regions that somebody took off a server that was emptied, for a day: who brings one back there says nothing about where it
 * is to be, but goes on with the server's maintenance ({@code region_mover} loads what it has unloaded). Not thread-safe.
 */
final class EmptiedServers {

    private static final long KEPT_MS = 24 * 3_600_000L;

    /** The most regions that are remembered; the oldest go first. */
    private static final int CAPACITY = 10_000;

    private final Map<RegionId, HandMove> awayByRegion = new LinkedHashMap<>();

    /** By these moves, regions left a server that was emptied. */
    void left(Collection<HandMove> moves) {
        for (HandMove move : moves) {
            awayByRegion.remove(move.region());
            if (awayByRegion.size() >= CAPACITY) {
                awayByRegion.remove(awayByRegion.keySet().iterator().next());
            }
            awayByRegion.put(move.region(), move);
        }
    }

    /** Whether this move brings a region back to where the same user took it away; it is at home then, and forgotten. */
    boolean isBroughtBack(HandMove move) {
        HandMove away = awayByRegion.get(move.region());
        boolean isBack = away != null && away.who().equals(move.who()) && HandPin.isSameServer(away.from(), move.to());
        if (isBack) {
            awayByRegion.remove(move.region());
        }
        return isBack;
    }

    void forgetExpired(long nowMs) {
        awayByRegion.values().removeIf(away -> away.whenMs() < nowMs - KEPT_MS);
    }
}
