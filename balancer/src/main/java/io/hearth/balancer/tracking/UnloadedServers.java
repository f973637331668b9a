package io.hearth.balancer.tracking;

import io.hearth.balancer.tracking.BulkMoveDetector.ManualMove;
import io.hearth.common.model.EncodedRegionName;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The regions that somebody took off a server that was emptied, for a day: who brings one back there says nothing about where it
 * is to be, but goes on with the server's maintenance ({@code region_mover} loads what it has unloaded). Not thread-safe.
 */
final class UnloadedServers {

    private static final long KEPT_MS = 24 * 3_600_000L;

    /** The most regions that are remembered; the oldest go first. */
    private static final int CAPACITY = 10_000;

    private final Map<EncodedRegionName, ManualMove> unloadByRegion = new LinkedHashMap<>();

    /** By these moves, regions left a server that was emptied. */
    void left(Collection<ManualMove> moves) {
        for (ManualMove move : moves) {
            unloadByRegion.remove(move.region());
            if (unloadByRegion.size() >= CAPACITY) {
                unloadByRegion.remove(unloadByRegion.keySet().iterator().next());
            }
            unloadByRegion.put(move.region(), move);
        }
    }

    /** Whether this move brings a region back to where the same user took it away; it is at home then, and forgotten. */
    boolean isReload(ManualMove move) {
        ManualMove away = unloadByRegion.get(move.region());
        boolean isBack =
                away != null && away.who().equals(move.who()) && ManualPin.isSameServer(away.from(), move.to());
        if (isBack) {
            unloadByRegion.remove(move.region());
        }
        return isBack;
    }

    void forgetExpired(long nowMs) {
        unloadByRegion.values().removeIf(away -> away.whenMs() < nowMs - KEPT_MS);
    }
}
