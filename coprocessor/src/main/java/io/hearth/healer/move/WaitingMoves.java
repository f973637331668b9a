// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.move.MoveAdmission.Deferred;
import io.hearth.healer.move.MoveAdmission.Gate;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of the moves that wait to start: those whose turn it is, in their order, and apart from them those that are held
 * back, each by something of which one thing has to come about first. So a turn costs what has changed since the last one, however
 * many wait. What it leads to is what asking every move at every turn would lead to, as long as only what is told here can let a move
 * start that could not before.
 *
 * <p>Of those that wait at a gate the first is asked when it opens, and the next one only when that one has been asked: where the
 * first passed and closed it, the second finds it closed and the others need not be asked. Not thread-safe.
 */
final class WaitingMoves {

    private record WakeUp(long ms, long number) {}

    private record Opening(long ms, Gate gate) {}

    /** Those whose turn it is, with the gate that is why, if it is one. */
    private final TreeMap<Long, Optional<Gate>> next = new TreeMap<>();

    private final Map<Long, Deferred> reasonByNumber = new HashMap<>();
    private final Map<HealLimit, Integer> countByLimit = new EnumMap<>(HealLimit.class);
    private final Map<Gate, TreeSet<Long>> numbersByGate = new HashMap<>();
    private final Map<String, TreeSet<Long>> numbersByFile = new HashMap<>();
    private final PriorityQueue<WakeUp> wakeUps = new PriorityQueue<>(Comparator.comparingLong(WakeUp::ms));
    private final PriorityQueue<Opening> openings = new PriorityQueue<>(Comparator.comparingLong(Opening::ms));
    /** The earliest opening of each gate of which the time is known; later ones of the queue are void. */
    private final Map<Gate, Long> opensMs = new HashMap<>();

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

    /** This one, whose turn it is, is asked again when one of these things has come about. */
    void defer(long number, Deferred reason) {
        reasonByNumber.put(number, reason);
        countByLimit.merge(reason.limit(), 1, Integer::sum);
        if (reason.untilMs() != Deferred.UNKNOWN) {
            wakeUps.add(new WakeUp(reason.untilMs(), number));
        }
        reason.readersOf().ifPresent(file -> numbersByFile
                .computeIfAbsent(file, unused -> new TreeSet<>())
                .add(number));
        reason.opensMsByGate().forEach((gate, ms) -> {
            numbersByGate.computeIfAbsent(gate, unused -> new TreeSet<>()).add(number);
            if (ms != Deferred.UNKNOWN && ms < opensMs.getOrDefault(gate, Long.MAX_VALUE)) {
                opensMs.put(gate, ms);
                openings.add(new Opening(ms, gate));
            }
        });
        Optional<Gate> turnOf = Optional.ofNullable(next.remove(number)).flatMap(gate -> gate);
        turnOf.filter(gate -> !reason.opensMsByGate().containsKey(gate)).ifPresent(this::wakeFirst);
    }

    /** What holds most of them back; empty where none is held back. */
    Optional<HealLimit> limit() {
        return countByLimit.entrySet().stream()
                .filter(limit -> limit.getValue() > 0)
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
    }

    /** The number of those that are held back. */
    int deferred() {
        return reasonByNumber.size();
    }

    /** When time alone lets the next of them have its turn; empty where none waits for time. */
    OptionalLong nextWakeUpMs() {
        while (!wakeUps.isEmpty() && !isValid(wakeUps.element())) {
            wakeUps.remove();
        }
        while (!openings.isEmpty() && !isValid(openings.element())) {
            openings.remove();
        }
        long ms = Math.min(
                wakeUps.isEmpty() ? Long.MAX_VALUE : wakeUps.element().ms(),
                openings.isEmpty() ? Long.MAX_VALUE : openings.element().ms());
        return ms == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(ms);
    }

    private boolean isValid(WakeUp wakeUp) {
        Deferred reason = reasonByNumber.get(wakeUp.number());
        return reason != null && reason.untilMs() == wakeUp.ms();
    }

    /** An opening at which nobody waits any more is none. */
    private boolean isValid(Opening opening) {
        boolean isEarliest = opensMs.getOrDefault(opening.gate(), Long.MAX_VALUE) == opening.ms();
        if (isEarliest && !numbersByGate.containsKey(opening.gate())) {
            opensMs.remove(opening.gate());
        }
        return isEarliest && numbersByGate.containsKey(opening.gate());
    }

    void advanceTo(long nowMs) {
        while (!wakeUps.isEmpty() && wakeUps.element().ms() <= nowMs) {
            WakeUp due = wakeUps.remove();
            if (isValid(due)) {
                wake(due.number(), Optional.empty());
            }
        }
        while (!openings.isEmpty() && openings.element().ms() <= nowMs) {
            Opening due = openings.remove();
            if (isValid(due)) {
                opensMs.remove(due.gate());
                wakeFirst(due.gate());
            }
        }
    }

    /** It may let a move pass that it did not let pass before. */
    void gateOpened(Gate gate) {
        wakeFirst(gate);
    }

    /** The same of each of these gates. */
    void gatesOpened(Predicate<Gate> which) {
        numbersByGate.keySet().stream().filter(which).toList().forEach(this::wakeFirst);
    }

    /** Readers of this file have refreshed, or one of its moves has been taken back. */
    void readersRefreshed(String filePath) {
        wakeAll(numbersByFile.get(filePath));
    }

    private void wakeAll(@Nullable TreeSet<Long> numbers) {
        if (numbers != null) {
            List.copyOf(numbers).forEach(number -> wake(number, Optional.empty()));
        }
    }

    /** Other limits hold, or something else is known that may let any of them start. */
    void retryAll() {
        List.copyOf(reasonByNumber.keySet()).forEach(number -> wake(number, Optional.empty()));
    }

    private void wakeFirst(Gate gate) {
        TreeSet<Long> numbers = numbersByGate.get(gate);
        if (numbers != null) {
            wake(numbers.first(), Optional.of(gate));
        }
    }

    private void wake(long number, Optional<Gate> turnOf) {
        free(number);
        next.put(number, turnOf);
    }

    /** Returns whether it was its turn. */
    private boolean leave(long number) {
        Optional<Gate> turnOf = next.remove(number);
        if (turnOf != null) {
            turnOf.ifPresent(this::wakeFirst);
        }
        return turnOf != null;
    }

    private void free(long number) {
        Deferred reason = reasonByNumber.remove(number);
        if (reason != null) {
            countByLimit.merge(reason.limit(), -1, Integer::sum);
            reason.readersOf().ifPresent(file -> removeFrom(numbersByFile, file, number));
            reason.opensMsByGate().keySet().forEach(gate -> removeFrom(numbersByGate, gate, number));
        }
    }

    private static <K> void removeFrom(Map<K, TreeSet<Long>> numbers, K key, long number) {
        numbers.computeIfPresent(key, (unused, waiting) -> {
            waiting.remove(number);
            return waiting.isEmpty() ? null : waiting;
        });
    }
}
