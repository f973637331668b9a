// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.tracking.ManualPins.ManualPin;
import io.hearth.balancer.tracking.ReportedLocationIndex.ReportedLocations.Reported;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells manual moves of single regions from the emptying or filling of a whole server ({@code region_mover}, {@code
 * graceful_stop.sh}), which uses the same client call.
 *
 * <p>Moves by one user off one server, or onto one server, within {@value #WINDOW_MS} ms are a bulk move once they are half
 * as many as a server has regions on the average, but never fewer than {@value #LEAST} and always from {@value #MOST} on. An
 * operator who takes the 25 hottest of a server's 700 regions away means each of them; a server's emptying goes through all.
 *
 * <p>At any size, moves by one user off one server within that time are a bulk move once the server has stopped and at least
 * {@value #NEARLY_ALL} of what it had was taken away by them, or once it has none left and they were two or more.
 * Not thread-safe.
 */
final class BulkMoveDetector {

    /** Long enough for region_mover, which moves one region after another, a second or two each. */
    static final long WINDOW_MS = 30 * 60_000;

    /** Fewer are not told from an operator who moves some, as long as the server has others left. */
    static final int LEAST = 10;

    /** More than anybody chooses one by one. */
    static final int MOST = 100;

    /** A share. Less, and a server that crashed after somebody took its hot regions away would be taken for an emptied one. */
    private static final double NEARLY_ALL = 0.75;

    /** The most moves that are remembered; the oldest go first. */
    private static final int CAPACITY = 10_000;

    private final Deque<ManualMove> recent = new ArrayDeque<>();

    /** By the last reports and the moves since; of a server that is there no more while moves off it are remembered. */
    private final Map<ServerId, Integer> regionsByServer = new HashMap<>();

    /** Which regions somebody moves, off which server. */
    private record Unload(ServerId from, String who) {}

    /** One manual move. */
    record ManualMove(EncodedRegionName region, ServerId from, ServerId to, String who, long whenMs) {}

    /**
     * A bulk move that a manual move is part of.
     *
     * @param what the server and whether it is emptied or filled, as the middle of a sentence
     * @param isNew whether this move is the one that made it a bulk move
     */
    record BulkMove(String what, List<ManualMove> moves, boolean isNew) {}

    /** The bulk move that this move is part of, if so. */
    Optional<BulkMove> add(ManualMove move, double meanRegions) {
        forgetExpired(move.whenMs());
        if (recent.size() >= CAPACITY) {
            recent.removeFirst();
        }
        recent.addLast(move);
        changed(move.from(), -1);
        changed(move.to(), 1);
        int enough = enough(meanRegions);
        return bulkMove("off " + move.from(), enough, move.who(), other -> other.from()
                        .equals(move.from()))
                .or(() -> bulkMove("onto " + move.to(), enough, move.who(), other -> other.to()
                        .equals(move.to())));
    }

    /** Whether this server has one region left at most, by the last reports and the moves since; false where nobody knows. */
    boolean hasAtMostOneRegion(ServerId server) {
        return regionsByServer.getOrDefault(server, Integer.MAX_VALUE) <= 1;
    }

    private static int enough(double meanRegions) {
        return (int) Math.min(MOST, Math.max(LEAST, Math.ceil(meanRegions / 2)));
    }

    private void changed(ServerId server, int by) {
        regionsByServer.computeIfPresent(server, (same, regions) -> regions + by);
    }

    /** Takes a round of reports; gives what it shows to have been the emptying of a server, and forgets the moves of that. */
    List<BulkMove> observed(Map<ServerId, Reported> reportedByServer, double meanRegions, long nowMs) {
        forgetExpired(nowMs);
        regionsByServer.keySet().retainAll(recent.stream().map(ManualMove::from).collect(Collectors.toSet()));
        reportedByServer.forEach((server, reported) -> regionsByServer.put(server, reported.regions()));
        for (ManualMove move : recent) {
            if (isNewer(move, reportedByServer.get(move.from()))) {
                changed(move.from(), -1);
            }
            if (isNewer(move, reportedByServer.get(move.to()))) {
                changed(move.to(), 1);
            }
        }
        // Where nobody reports, nobody is known to have stopped.
        return reportedByServer.isEmpty()
                ? List.of()
                : unloaded(server -> !reportedByServer.containsKey(server), move -> true, meanRegions);
    }

    private static boolean isNewer(ManualMove move, @Nullable Reported reported) {
        return reported != null && move.whenMs() > reported.reportTimeMs();
    }

    /** The emptying that this move shows by its target: the same server was emptied, and has been started again. */
    List<BulkMove> unloadedBefore(ManualMove move, double meanRegions) {
        forgetExpired(move.whenMs());
        ServerId to = move.to();
        return unloaded(
                server -> true,
                other -> other.who().equals(move.who())
                        && ManualPin.isSameServer(other.from(), to)
                        && other.from().startCode() < to.startCode(),
                meanRegions);
    }

    private List<BulkMove> unloaded(Predicate<ServerId> hasStopped, Predicate<ManualMove> isOfIt, double meanRegions) {
        Map<Unload, List<ManualMove>> movesByEmptying = recent.stream()
                .filter(isOfIt)
                .collect(Collectors.groupingBy(
                        move -> new Unload(move.from(), move.who()), LinkedHashMap::new, Collectors.toList()));
        List<BulkMove> unloaded = new ArrayList<>();
        movesByEmptying.forEach((emptying, moves) -> {
            if (isUnloaded(emptying.from(), moves.size(), hasStopped.test(emptying.from()))) {
                // Where they were enough for a bulk move before, that was said before.
                unloaded.add(new BulkMove("off " + emptying.from(), moves, moves.size() < enough(meanRegions)));
            }
        });
        unloaded.forEach(bulkMove -> recent.removeIf(Set.copyOf(bulkMove.moves())::contains));
        return unloaded;
    }

    private boolean isUnloaded(ServerId server, int moves, boolean hasStopped) {
        Integer known = regionsByServer.get(server);
        if (known == null) {
            return false;
        }
        int left = Math.max(0, known);
        return hasStopped ? moves >= NEARLY_ALL * (moves + left) : left == 0 && moves > 1;
    }

    private Optional<BulkMove> bulkMove(String what, int enough, String who, Predicate<ManualMove> isOfIt) {
        List<ManualMove> moves = recent.stream()
                .filter(isOfIt.and(other -> other.who().equals(who)))
                .toList();
        return moves.size() >= enough
                ? Optional.of(new BulkMove(what, moves, moves.size() == enough))
                : Optional.empty();
    }

    /** Adds moves that another master saw, before those that were seen here. */
    void mergeOlder(Collection<ManualMove> moves) {
        List<ManualMove> all = new ArrayList<>(moves);
        all.addAll(recent);
        all.sort(Comparator.comparingLong(ManualMove::whenMs));
        recent.clear();
        recent.addAll(all.subList(Math.max(0, all.size() - CAPACITY), all.size()));
    }

    void forgetExpired(long nowMs) {
        while (!recent.isEmpty() && recent.peekFirst().whenMs() < nowMs - WINDOW_MS) {
            recent.removeFirst();
        }
    }
}
