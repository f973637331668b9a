package io.hearth.balancer.steering;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Tells moves of single regions by hand from the emptying or filling of a whole server ({@code region_mover}, {@code
 * graceful_stop.sh}), which uses the same client call.
 *
 * <p>Moves by one user off one server, or onto one server, within {@value #WINDOW_MS} ms are a bulk move once they are half
 * as many as a server has regions on the average, but never fewer than {@value #LEAST} and always from {@value #MOST} on. An
 * operator who takes the 25 hottest of a server's 700 regions away means each of them; a server's emptying goes through all.
 * Not thread-safe.
 */
final class BulkMoves {

    /** Long enough for region_mover, which moves one region after another, a second or two each. */
    static final long WINDOW_MS = 30 * 60_000;

    /** Fewer are not told from an operator who moves some: a small server's emptying is then taken for moves by hand. */
    static final int LEAST = 10;

    /** More than anybody chooses one by one. */
    static final int MOST = 100;

    /** The most moves that are remembered; the oldest go first. */
    private static final int CAPACITY = 10_000;

    private final Deque<HandMove> recent = new ArrayDeque<>();

    /** One move by hand. */
    record HandMove(RegionId region, ServerId from, ServerId to, String who, long whenMs) {}

    /**
     * A bulk move that a move by hand is part of.
     *
     * @param what the server and whether it is emptied or filled, as the middle of a sentence
     * @param isNew whether this move is the one that made it a bulk move
     */
    record Bulk(String what, List<HandMove> moves, boolean isNew) {}

    /** The bulk move that this move is part of, if so. */
    Optional<Bulk> add(HandMove move, double meanRegions) {
        forgetExpired(move.whenMs());
        if (recent.size() >= CAPACITY) {
            recent.removeFirst();
        }
        recent.addLast(move);
        int enough = (int) Math.min(MOST, Math.max(LEAST, Math.ceil(meanRegions / 2)));
        return bulk("off " + move.from(), enough, move.who(), other -> other.from()
                        .equals(move.from()))
                .or(() -> bulk("onto " + move.to(), enough, move.who(), other -> other.to()
                        .equals(move.to())));
    }

    private Optional<Bulk> bulk(String what, int enough, String who, Predicate<HandMove> isOfIt) {
        List<HandMove> moves = recent.stream()
                .filter(isOfIt.and(other -> other.who().equals(who)))
                .toList();
        return moves.size() >= enough ? Optional.of(new Bulk(what, moves, moves.size() == enough)) : Optional.empty();
    }

    void forgetExpired(long nowMs) {
        while (!recent.isEmpty() && recent.peekFirst().whenMs() < nowMs - WINDOW_MS) {
            recent.removeFirst();
        }
    }
}
