// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.probe;

import io.hearth.slo.probe.OwnStalls.Stall;
import io.hearth.slo.probe.ProbeCounts.Event;
import io.hearth.slo.probe.ProbeResult.Outcome;
import io.hearth.slo.probe.ProbeSchedule.DueProbe;
import io.hearth.slo.probe.ProbeSchedule.Target;
import io.hearth.slo.probe.ProbeSender.Answer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks targets at the times at which they are due to be asked, whatever becomes of the probes before, and tells what came of each.
 *
 * <p>Goals: a target that stands still delays every probe that becomes due meanwhile, and each of them tells. What this process itself is
 * to blame for is not counted against the cluster.
 *
 * <p>Algorithm, each turn:
 *
 * <ol>
 *   <li>If this turn began more than 25 ms after it was to, the process has stood still. Probes that were due longer ago than that are
 *       not sent any more: they are counted as {@link Event#OWN_STALL}, and nowhere else. So a machine that is too slow for its rates
 *       sends fewer probes, and those in time. The same goes for more than 25 ms between two probes that a turn judges or sends, since a
 *       collection of garbage may strike anywhere.
 *   <li>Probes whose answers have come since the last turn are judged. An answer of a time at which the process stood still may have
 *       come at any moment of it. If the stall is the smaller part of the probe's latency, that counts to where the stall began; else
 *       the probe is an OWN_STALL. So is one that failed meanwhile.
 *   <li>Probes without an answer after their time limit are given up. They keep their place among the outstanding ones until their
 *       sender has ended them too.
 *   <li>Probes that are due are sent.
 * </ol>
 *
 * <p>Latency is time passed by a monotonic clock; the wall clock says only when a probe was due. Where the wall clock jumps by a second or
 * more against the other, the machine may have been suspended: probes that fail within the next 5 s and were under way are OWN_STALLs.
 *
 * <p>{@link #serve} may be called by any thread, {@link #turn} by one.
 */
public final class Prober {

    private static final long LATE_NANOS = 5_000_000;
    private static final long CLOCK_JUMP_NANOS = 1_000_000_000;

    /** How long it waits at most from turn to turn, so that a stall is seen also where few probes are due. */
    private static final long MAX_PAUSE_NANOS = 10_000_000;

    private final ProbeSchedule schedule;
    private final LongSupplier nanoTime;
    private final LongSupplier wallTimeMs;
    private final int maxOutstanding;
    private final Consumer<ProbeResult> results;
    private final ProbeCounts counts = new ProbeCounts();
    private final OwnStalls stalls;
    private final Queue<Service> changes = new ConcurrentLinkedQueue<>();
    private final Queue<SentProbe> ended = new ConcurrentLinkedQueue<>();
    private final Map<ProbeKind, ProbeSender> senders = new EnumMap<>(ProbeKind.class);
    private final Map<ProbeKind, Deque<SentProbe>> unjudged = new EnumMap<>(ProbeKind.class);
    private int outstanding;
    private long lastNanos;
    private long lastWallMs;

    /**
     * A prober without targets.
     *
     * @param nanoTime a monotonic clock
     * @param wallTimeMs ms since 1970
     * @param maxOutstanding how many probes in all may have no answer at a time
     * @param results is told of each probe that counts as due, by the thread that makes turns; it must be fast
     */
    public Prober(
            Map<ProbeKind, ProbeRate> rateByKind,
            LongSupplier nanoTime,
            LongSupplier wallTimeMs,
            long seed,
            int maxOutstanding,
            Consumer<ProbeResult> results) {
        this.schedule = new ProbeSchedule(rateByKind, seed);
        this.nanoTime = nanoTime;
        this.wallTimeMs = wallTimeMs;
        this.maxOutstanding = maxOutstanding;
        this.results = results;
        lastNanos = nanoTime.getAsLong();
        lastWallMs = wallTimeMs.getAsLong();
        stalls = new OwnStalls(lastNanos + MAX_PAUSE_NANOS);
    }

    private record Service(ProbeKind kind, ProbeSender sender, Set<String> targets) {}

    /** From the next turn on, this sends the probes of this kind, to these targets alone. */
    public void serve(ProbeKind kind, ProbeSender sender, Set<String> targets) {
        changes.add(new Service(kind, sender, new HashSet<>(targets)));
    }

    /** What happened to probes that their results do not say. */
    public ProbeCounts counts() {
        return counts;
    }

    /** Does what is to be done by now, and says after how many nanoseconds the next turn is to be. */
    public long turn() {
        long now = nanoTime.getAsLong();
        noticeStalls(now);
        for (Service change = changes.poll(); change != null; change = changes.poll()) {
            senders.put(change.kind(), change.sender());
            schedule.targets(change.kind(), change.targets(), now);
        }
        dropDueLongBefore(now);
        judgeEnded();
        giveUp(now);
        sendDue(now);
        long after = readClock();
        long wakeNanos =
                after + Math.min(schedule.nextDueNanos().orElse(after + MAX_PAUSE_NANOS) - after, MAX_PAUSE_NANOS);
        stalls.sleepUntil(wakeNanos);
        return Math.max(0, wakeNanos - after);
    }

    private void noticeStalls(long now) {
        long wallMs = wallTimeMs.getAsLong();
        stalls.runAt(now);
        if (Math.abs((wallMs - lastWallMs) * 1_000_000 - (now - lastNanos)) >= CLOCK_JUMP_NANOS) {
            stalls.wallClockJumped(lastNanos, now);
        }
        lastNanos = now;
        lastWallMs = wallMs;
    }

    private void dropDueLongBefore(long now) {
        schedule.dropDueBefore(
                now - OwnStalls.LEAST_NANOS, (kind, probes) -> counts.add(kind, Event.OWN_STALL, probes));
    }

    /** The time within a turn. If the process stood still since it was last read, that is noticed before anything is judged by it. */
    private long readClock() {
        long now = nanoTime.getAsLong();
        if (stalls.runAt(now)) {
            dropDueLongBefore(now);
        }
        return now;
    }

    /** A probe that was sent. All but its end is of the thread that makes turns. */
    private static final class SentProbe {

        private final Target target;
        private final long dueNanos;
        private final long dueAtMs;
        private final long sentNanos;
        private boolean judged;
        private long endedNanos;
        private @Nullable Answer answer;

        SentProbe(DueProbe due, long sentNanos, long dueAtMs) {
            this.target = due.target();
            this.dueNanos = due.dueNanos();
            this.sentNanos = sentNanos;
            this.dueAtMs = dueAtMs;
        }

        /** Written before it is queued, read after it was taken out. */
        void end(long nanos, @Nullable Answer what) {
            endedNanos = nanos;
            answer = what;
        }

        long limitNanos() {
            return dueNanos + target.rate().limitNanos();
        }
    }

    private void sendDue(long now) {
        long sentNanos = readClock();
        for (Optional<DueProbe> due = schedule.poll(now); due.isPresent(); due = schedule.poll(now)) {
            send(due.get(), sentNanos);
            sentNanos = readClock();
        }
    }

    private void send(DueProbe due, long sentNanos) {
        Target target = due.target();
        SentProbe probe =
                new SentProbe(due, sentNanos, wallTimeMs.getAsLong() - (sentNanos - due.dueNanos()) / 1_000_000);
        if (target.isFull() || outstanding >= maxOutstanding) {
            tell(probe, sentNanos, Outcome.NOT_SENT);
            return;
        }
        try {
            var unused = Objects.requireNonNull(senders.get(target.kind()))
                    .send(target.name())
                    .whenComplete((answer, failure) -> {
                        probe.end(nanoTime.getAsLong(), failure == null ? answer : null);
                        ended.add(probe);
                    });
        } catch (RejectedExecutionException full) {
            tell(probe, sentNanos, Outcome.NOT_SENT);
            return;
        } catch (RuntimeException broken) {
            tell(probe, sentNanos, Outcome.FAILED);
            return;
        }
        outstanding++;
        target.sent();
        counts.add(target.kind(), Event.SENT, 1);
        if (sentNanos - due.dueNanos() > LATE_NANOS) {
            counts.add(target.kind(), Event.LATE, 1);
        }
        unjudged.computeIfAbsent(target.kind(), kind -> new ArrayDeque<>()).addLast(probe);
    }

    private void judgeEnded() {
        for (SentProbe probe = ended.poll(); probe != null; probe = ended.poll()) {
            readClock();
            outstanding--;
            probe.target.ended();
            if (!probe.judged) {
                probe.judged = true;
                judge(probe, outcome(probe.answer));
            }
        }
    }

    /** Empty where the answer says nothing of the target. */
    private static Optional<Outcome> outcome(@Nullable Answer answer) {
        if (answer == null) {
            return Optional.of(Outcome.FAILED);
        }
        return switch (answer) {
            case RIGHT -> Optional.of(Outcome.ANSWERED);
            case WRONG -> Optional.of(Outcome.FAILED);
            case NOT_ON_TARGET -> Optional.empty();
        };
    }

    private void judge(SentProbe probe, Optional<Outcome> outcome) {
        Optional<Stall> stall = stalls.atTheEndOf(probe.sentNanos, probe.endedNanos);
        if (outcome.isEmpty()) {
            counts.add(probe.target.kind(), Event.NOT_ON_TARGET, 1);
        } else if (stall.isEmpty() || (stall.get().suspended() && outcome.get() == Outcome.ANSWERED)) {
            tell(
                    probe,
                    probe.endedNanos,
                    probe.endedNanos - probe.limitNanos() > 0 ? Outcome.TIMED_OUT : outcome.get());
        } else if (outcome.get() == Outcome.ANSWERED
                && stall.get().startNanos() - probe.dueNanos > stall.get().nanos()) {
            tell(probe, stall.get().startNanos(), Outcome.ANSWERED);
        } else {
            counts.add(probe.target.kind(), Event.OWN_STALL, 1);
        }
    }

    private void giveUp(long now) {
        for (Deque<SentProbe> probes : unjudged.values()) {
            for (SentProbe first = probes.peek(); first != null && isOver(first, now); first = probes.peek()) {
                if (!first.judged) {
                    first.judged = true;
                    tell(first, now, Outcome.TIMED_OUT);
                }
                probes.remove();
            }
        }
    }

    /** Whether it was judged, or its time limit is over: in a stall, and what piled up in it was worked off. */
    private boolean isOver(SentProbe probe, long now) {
        return probe.judged
                || (now - probe.limitNanos() > 0
                        && stalls.atTheEndOf(probe.sentNanos, probe.limitNanos())
                                .filter(stall -> !stall.suspended() && now - stall.backlogNanos() <= 0)
                                .isEmpty());
    }

    private void tell(SentProbe probe, long untilNanos, Outcome outcome) {
        results.accept(new ProbeResult(
                probe.target.kind(),
                probe.target.name(),
                probe.dueAtMs,
                Math.max(0, untilNanos - probe.dueNanos) / 1_000,
                outcome));
    }
}
