package io.hearth.healing.execute;

import io.hearth.healing.execute.Passage.ForPlace;
import io.hearth.healing.execute.Passage.ForReaders;
import io.hearth.healing.execute.Passage.HeldBack;
import io.hearth.healing.execute.Passage.UntilMs;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The numbers of the moves that wait to start: those whose turn it is, in their order, and apart from them those that are held
 * back, each by one thing that has to come about first. So a turn costs what has changed since the last one, however many wait.
 * What it leads to is what asking every move at every turn would lead to, as long as only what is told here can let a move start
 * that could not before.
 *
 * <p>Of those that wait for a place the first is asked when one is free, and the next one only when that one has been asked:
 * where the first took the place, the second finds none and the others need not be asked. Not thread-safe.
 */
final class WaitingMoves {

    private record Wake(long ms, long number) {}

    /** Those whose turn it is, with the place that is why, if it is a place. */
    private final TreeMap<Long, Optional<ForPlace>> next = new TreeMap<>();

    private final Map<Long, HeldBack> obstacleByNumber = new HashMap<>();
    private final Map<HeldBack, TreeSet<Long>> numbersByObstacle = new HashMap<>();
    private final PriorityQueue<Wake> wakes = new PriorityQueue<>(Comparator.comparingLong(Wake::ms));

    void add(long number) {
        next.put(number, Optional.empty());
    }

    /** It does not wait any more. */
    void remove(long number) {
        if (!leave(number)) {
            free(number);
        }
    }

    /** The first of those whose turn it is; it is left where it was. */
    OptionalLong first() {
        return next.isEmpty() ? OptionalLong.empty() : OptionalLong.of(next.firstKey());
    }

    /** This one, whose turn it is, is asked again when that has come about. */
    void holdBack(long number, HeldBack obstacle) {
        obstacleByNumber.put(number, obstacle);
        if (obstacle instanceof UntilMs until) {
            wakes.add(new Wake(until.ms(), number));
        } else {
            numbersByObstacle
                    .computeIfAbsent(obstacle, unused -> new TreeSet<>())
                    .add(number);
        }
        Optional<ForPlace> turnOf = Optional.ofNullable(next.remove(number)).flatMap(place -> place);
        turnOf.filter(place -> !place.equals(obstacle)).ifPresent(this::wakeFirst);
    }

    /** The number of those that are held back. */
    int heldBack() {
        return obstacleByNumber.size();
    }

    void timeIs(long nowMs) {
        while (!wakes.isEmpty() && wakes.element().ms() <= nowMs) {
            Wake due = wakes.remove();
            if (new UntilMs(due.ms()).equals(obstacleByNumber.get(due.number()))) {
                wake(due.number(), Optional.empty());
            }
        }
    }

    void isFree(Slots.Place place) {
        wakeFirst(new ForPlace(place));
    }

    /** Readers of this file have refreshed, or one of its moves has been taken back. */
    void hasRelaxed(String filePath) {
        Optional.ofNullable(numbersByObstacle.get(new ForReaders(filePath))).stream()
                .flatMap(numbers -> List.copyOf(numbers).stream())
                .forEach(number -> wake(number, Optional.empty()));
    }

    /** Other limits hold. */
    void askAll() {
        List.copyOf(obstacleByNumber.keySet()).forEach(number -> wake(number, Optional.empty()));
    }

    private void wakeFirst(ForPlace place) {
        TreeSet<Long> numbers = numbersByObstacle.get(place);
        if (numbers != null) {
            wake(numbers.first(), Optional.of(place));
        }
    }

    private void wake(long number, Optional<ForPlace> turnOf) {
        free(number);
        next.put(number, turnOf);
    }

    /** Returns whether it was its turn. */
    private boolean leave(long number) {
        Optional<ForPlace> turnOf = next.remove(number);
        if (turnOf != null) {
            turnOf.ifPresent(this::wakeFirst);
        }
        return turnOf != null;
    }

    private void free(long number) {
        HeldBack obstacle = obstacleByNumber.remove(number);
        TreeSet<Long> numbers = obstacle == null ? null : numbersByObstacle.get(obstacle);
        if (numbers != null) {
            numbers.remove(number);
            if (numbers.isEmpty()) {
                numbersByObstacle.remove(obstacle);
            }
        }
    }
}
