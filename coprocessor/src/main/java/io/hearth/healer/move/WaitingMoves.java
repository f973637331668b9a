// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.move.WaitingMoves.AdmissionDecision.Deferred;
import io.hearth.healer.move.WaitingMoves.AdmissionDecision.DeferredForReaders;
import io.hearth.healer.move.WaitingMoves.AdmissionDecision.DeferredForSlot;
import io.hearth.healer.move.WaitingMoves.AdmissionDecision.DeferredUntil;
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

    private record WakeUp(long ms, long number) {}

    /** Those whose turn it is, with the place that is why, if it is a place. */
    private final TreeMap<Long, Optional<DeferredForSlot>> next = new TreeMap<>();

    private final Map<Long, Deferred> reasonByNumber = new HashMap<>();
    private final Map<Deferred, TreeSet<Long>> numbersByReason = new HashMap<>();
    private final PriorityQueue<WakeUp> wakeUps = new PriorityQueue<>(Comparator.comparingLong(WakeUp::ms));

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
    void defer(long number, Deferred reason) {
        reasonByNumber.put(number, reason);
        if (reason instanceof DeferredUntil until) {
            wakeUps.add(new WakeUp(until.ms(), number));
        } else {
            numbersByReason.computeIfAbsent(reason, unused -> new TreeSet<>()).add(number);
        }
        Optional<DeferredForSlot> turnOf =
                Optional.ofNullable(next.remove(number)).flatMap(slot -> slot);
        turnOf.filter(slot -> !slot.equals(reason)).ifPresent(this::wakeFirst);
    }

    /** The number of those that are held back. */
    int deferred() {
        return reasonByNumber.size();
    }

    /** When time alone lets the next of them have its turn; empty where none waits for time. */
    OptionalLong nextWakeUpMs() {
        while (!wakeUps.isEmpty() && !isWaitingFor(wakeUps.element())) {
            wakeUps.remove();
        }
        return wakeUps.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(wakeUps.element().ms());
    }

    private boolean isWaitingFor(WakeUp wakeUp) {
        return new DeferredUntil(wakeUp.ms()).equals(reasonByNumber.get(wakeUp.number()));
    }

    void advanceTo(long nowMs) {
        while (!wakeUps.isEmpty() && wakeUps.element().ms() <= nowMs) {
            WakeUp due = wakeUps.remove();
            if (isWaitingFor(due)) {
                wake(due.number(), Optional.empty());
            }
        }
    }

    void slotReleased(MoveSlots.Slot slot) {
        wakeFirst(new DeferredForSlot(slot));
    }

    /** Readers of this file have refreshed, or one of its moves has been taken back. */
    void readersRefreshed(String filePath) {
        Optional.ofNullable(numbersByReason.get(new DeferredForReaders(filePath))).stream()
                .flatMap(numbers -> List.copyOf(numbers).stream())
                .forEach(number -> wake(number, Optional.empty()));
    }

    /** Other limits hold. */
    void retryAll() {
        List.copyOf(reasonByNumber.keySet()).forEach(number -> wake(number, Optional.empty()));
    }

    private void wakeFirst(DeferredForSlot slot) {
        TreeSet<Long> numbers = numbersByReason.get(slot);
        if (numbers != null) {
            wake(numbers.first(), Optional.of(slot));
        }
    }

    private void wake(long number, Optional<DeferredForSlot> turnOf) {
        free(number);
        next.put(number, turnOf);
    }

    /** Returns whether it was its turn. */
    private boolean leave(long number) {
        Optional<DeferredForSlot> turnOf = next.remove(number);
        if (turnOf != null) {
            turnOf.ifPresent(this::wakeFirst);
        }
        return turnOf != null;
    }

    private void free(long number) {
        Deferred reason = reasonByNumber.remove(number);
        TreeSet<Long> numbers = reason == null ? null : numbersByReason.get(reason);
        if (numbers != null) {
            numbers.remove(number);
            if (numbers.isEmpty()) {
                numbersByReason.remove(reason);
            }
        }
    }

    /** Whether a planned move may start just now, and if not, what it waits for. */
    sealed interface AdmissionDecision {

        /** It may, with these places. */
        record Admitted(MoveSlots.Lease lease) implements AdmissionDecision {}

        /** Its turn has come, and so many bytes have been started that no move may start before this time. */
        record OverBandwidth(long untilMs) implements AdmissionDecision {}

        /** It may not before something of its own has come about: with any other it would be refused again. */
        sealed interface Deferred extends AdmissionDecision {}

        /** The end of its back-off or of a DataNode's rest. */
        record DeferredUntil(long ms) implements Deferred {}

        /** A place at a DataNode that has none free. */
        record DeferredForSlot(MoveSlots.Slot slot) implements Deferred {}

        /** The readers of its file, who have not refreshed their locations. */
        record DeferredForReaders(String filePath) implements Deferred {}
    }
}
