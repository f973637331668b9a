// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.MoveAdmission.Link;
import io.hearth.healer.move.MoveAdmission.Link.LinkKind;
import io.hearth.healer.move.MoveExecutor.NarrowedUplink;
import io.hearth.healer.move.ReplyTimes.Timeliness;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * How many moves at a time may enter each rack from others and leave it, by how late the last of them were. Not thread-safe; times are
 * milliseconds of any one clock that does not go back.
 *
 * <p><b>Goals.</b> A move that waits for a slow uplink holds a place at a DataNode of another rack all the time. Few do, so that moves
 * that have nothing to do with that uplink find places.
 *
 * <p><b>Constraints.</b> Nobody says what an uplink carries. A late move passed two of them, and between the only two racks of a cluster
 * nothing tells which is slow. One slow DataNode is no slow uplink, and one that never answers does not close a slow one for others. An
 * uplink is never left unused.
 *
 * <p><b>Algorithm.</b> A window for each direction, as TCP has one for a connection (Jacobson, "Congestion Avoidance and Control", 1988).
 * At first there is none. Once the last {@value #REPLIES} moves over the uplink were all late ({@link Timeliness#LATE}), and no one
 * DataNode had part in more than half of them, while a move within its rack was in time in the last {@value #RECENT_MS} ms, it is half of
 * what was under way, {@value #LEAST} at least; moves that began before say no more of it then. A late move that passed a slow uplink says
 * nothing of the other one. While there is a window, a DataNode takes part in half of its moves. Each window of moves in time makes it
 * wider by one. It is forgotten when it is as wide as what was under way at first, or nothing has passed for {@value #FORGET_AFTER_MS} ms.
 */
final class UplinkWindows {

    static final int REPLIES = 8;
    static final int LEAST = 2;
    static final long FORGET_AFTER_MS = 600_000;
    static final long RECENT_MS = 60_000;
    private static final long NEVER = Long.MIN_VALUE / 2;

    private final Map<Link, Window> windowByUplink = new HashMap<>();
    /** When a move within this rack was last in time. */
    private final Map<String, Long> inTimeMsByRack = new HashMap<>();

    private final List<NarrowedUplink> narrowed = new ArrayList<>();

    /** What is known of one direction of an uplink. */
    private static final class Window {

        private int moves = Integer.MAX_VALUE;
        private int atFirst = Integer.MAX_VALUE;
        private int inTime;
        private long narrowedMs = Long.MIN_VALUE;
        private long lastMs;
        /** The most that were under way while the last ones were late: a turn takes the answers of many in. */
        private int mostUnderWay;

        /** Of the last moves that were late, one after the other, both DataNodes. */
        private final List<DataNode.Id> nodesOfLate = new ArrayList<>();

        boolean isNarrow() {
            return moves < Integer.MAX_VALUE;
        }

        /** Returns whether it is wider than it was. */
        boolean inTime(TrackedMove running, boolean isShort) {
            if (!isShort) {
                clearLate();
            }
            boolean isWider = isNarrow() && running.sinceMs() >= narrowedMs && ++inTime >= moves;
            if (isWider) {
                moves = moves + 1 >= atFirst ? Integer.MAX_VALUE : moves + 1;
                inTime = 0;
            }
            return isWider;
        }

        /** Returns whether it is too many that are under way. */
        boolean late(TrackedMove running, int underWay) {
            if (running.sinceMs() < narrowedMs) {
                return false;
            }
            mostUnderWay = Math.max(mostUnderWay, underWay);
            nodesOfLate.add(running.move().target().id());
            nodesOfLate.add(running.proxy().id());
            if (nodesOfLate.size() > 2 * REPLIES) {
                nodesOfLate.subList(0, 2).clear();
            }
            return nodesOfLate.size() == 2 * REPLIES && isOfMany();
        }

        private boolean isOfMany() {
            Map<DataNode.Id, Integer> parts = new HashMap<>();
            nodesOfLate.forEach(node -> parts.merge(node, 1, Integer::sum));
            return parts.values().stream().allMatch(count -> count <= REPLIES / 2);
        }

        void narrow(long nowMs) {
            atFirst = isNarrow() ? atFirst : Math.max(mostUnderWay, LEAST + 1);
            moves = Math.max(LEAST, Math.min(moves, mostUnderWay) / 2);
            inTime = 0;
            narrowedMs = nowMs;
            clearLate();
        }

        private void clearLate() {
            nodesOfLate.clear();
            mostUnderWay = 0;
        }
    }

    /** The moves at a time that may pass this uplink in this direction. */
    int moves(Link uplink) {
        Window window = windowByUplink.get(uplink);
        return window == null ? Integer.MAX_VALUE : window.moves;
    }

    /** The same of those in which one DataNode has part. */
    int movesOfOne(Link uplink) {
        return isNarrow(uplink) ? Math.max(1, moves(uplink) / 2) : Integer.MAX_VALUE;
    }

    /** Whether it is slow. */
    boolean isNarrow(Link uplink) {
        return moves(uplink) < Integer.MAX_VALUE;
    }

    /**
     * A move that was under way until now has been answered, or nobody waits for the answer any longer.
     *
     * @param underWay how many moves pass an uplink now, this one among them
     * @return the uplinks that let more moves pass than before
     */
    List<Link> answered(TrackedMove running, Timeliness timeliness, ToIntFunction<Link> underWay, long nowMs) {
        List<Link> uplinks = MoveAdmission.uplinks(running.move(), running.proxy());
        if (uplinks.isEmpty() && timeliness == Timeliness.IN_TIME) {
            inTimeMsByRack.put(running.proxy().rack(), nowMs);
        }
        if (timeliness == Timeliness.LATE) {
            List<Link> slow = uplinks.stream().filter(this::isNarrow).toList();
            for (Link uplink : slow.isEmpty() ? uplinks : slow) {
                late(uplink, running, underWay.applyAsInt(uplink), nowMs);
            }
            return List.of();
        }
        return uplinks.stream()
                .filter(uplink -> window(uplink, nowMs).inTime(running, timeliness == Timeliness.SHORT))
                .toList();
    }

    private void late(Link uplink, TrackedMove running, int underWay, long nowMs) {
        Window window = window(uplink, nowMs);
        if (window.late(running, underWay) && nowMs - inTimeMsByRack.getOrDefault(uplink.id(), NEVER) <= RECENT_MS) {
            int before = window.moves;
            window.narrow(nowMs);
            if (window.moves < before) {
                narrowed.add(new NarrowedUplink(uplink.id(), uplink.kind() == LinkKind.RACK_IN, window.moves));
            }
        }
    }

    private Window window(Link uplink, long nowMs) {
        Window window = windowByUplink.computeIfAbsent(uplink, first -> new Window());
        window.lastMs = nowMs;
        return window;
    }

    /** Forgets uplinks that nothing has passed for long; none of them has a move under way. */
    void tick(ToIntFunction<Link> underWay, long nowMs) {
        inTimeMsByRack.values().removeIf(inTimeMs -> nowMs - inTimeMs > RECENT_MS);
        windowByUplink
                .entrySet()
                .removeIf(known ->
                        nowMs - known.getValue().lastMs > FORGET_AFTER_MS && underWay.applyAsInt(known.getKey()) == 0);
    }

    /** The uplinks whose windows were narrowed since the last time. */
    List<NarrowedUplink> takeNarrowed() {
        List<NarrowedUplink> taken = List.copyOf(narrowed);
        narrowed.clear();
        return taken;
    }
}
