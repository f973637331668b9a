// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.probe;

import io.hearth.slo.probe.ProbeSchedule.DueProbe;
import io.hearth.slo.probe.ProbeSchedule.Target;
import io.hearth.slo.probe.TimelineRead.Answer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Makes one timeline-consistent read a second of a region of each RegionServer, each in turn with another of some primary-call timeouts, and
 * tells who answered. So all timeouts meet the same servers at nearly the same times, and their shares of stale answers can be compared.
 *
 * <p>Reads are due at times that no answer changes (open loop). Those that were due, or ended, while this process itself stood still are
 * not counted: a client that stands still takes a fast primary for a slow one. It is seen as by {@link Prober}.
 *
 * <p>{@link #serve} may be called by any thread, {@link #turn} by one.
 */
public final class TimelineProber {

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final long MAX_PAUSE_NANOS = 10_000_000;

    private final List<Integer> timeoutsMs;
    private final Source source;
    private final LongSupplier nanoTime;
    private final LongSupplier wallTimeMs;
    private final Consumer<TimelineRead> results;
    private final ProbeSchedule schedule;
    private final OwnStalls stalls;
    private final Queue<Set<String>> changes = new ConcurrentLinkedQueue<>();
    private final Queue<SentRead> ended = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> turnByServer = new HashMap<>();

    /** Who makes a read. Thread-safe. */
    @FunctionalInterface
    public interface Source {

        /**
         * Reads a row of a region whose primary is on this server, and does not wait for the answer.
         *
         * @return completes with whether the answer is stale, empty where it says nothing since the server has no such region; or with what
         *     went wrong; soon after the time limit at the latest
         */
        CompletableFuture<Optional<Boolean>> read(String server, int timeoutMs);
    }

    /**
     * A prober without servers.
     *
     * @param timeoutsMs in milliseconds; at least one
     * @param limit of each read
     * @param nanoTime a monotonic clock
     * @param wallTimeMs ms since 1970
     * @param results is told of each read that counts, by the thread that makes turns; it must be fast
     */
    public TimelineProber(
            List<Integer> timeoutsMs,
            Source source,
            Duration limit,
            LongSupplier nanoTime,
            LongSupplier wallTimeMs,
            long seed,
            Consumer<TimelineRead> results) {
        this.timeoutsMs = List.copyOf(timeoutsMs);
        this.source = source;
        this.nanoTime = nanoTime;
        this.wallTimeMs = wallTimeMs;
        this.results = results;
        schedule = new ProbeSchedule(Map.of(ProbeKind.ROW_GET, ProbeRate.of(PERIOD, limit)), seed);
        stalls = new OwnStalls(nanoTime.getAsLong() + MAX_PAUSE_NANOS);
    }

    /** From the next turn on, regions of these servers are read. */
    public void serve(Set<String> servers) {
        changes.add(Set.copyOf(servers));
    }

    /** Does what is to be done by now, and says after how many nanoseconds the next turn is to be. */
    public long turn() {
        long now = nanoTime.getAsLong();
        stalls.runAt(now);
        for (Set<String> servers = changes.poll(); servers != null; servers = changes.poll()) {
            schedule.targets(ProbeKind.ROW_GET, servers, now);
            turnByServer.keySet().retainAll(servers);
        }
        dropDueLongBefore(now);
        for (SentRead read = ended.poll(); read != null; read = ended.poll()) {
            readClock();
            judge(read);
        }
        sendDue(now);
        long after = readClock();
        long wakeNanos =
                after + Math.min(schedule.nextDueNanos().orElse(after + MAX_PAUSE_NANOS) - after, MAX_PAUSE_NANOS);
        stalls.sleepUntil(wakeNanos);
        return Math.max(0, wakeNanos - after);
    }

    private void dropDueLongBefore(long now) {
        schedule.dropDueBefore(now - OwnStalls.LEAST_NANOS, (kind, reads) -> {});
    }

    /** The time within a turn. If the process stood still since it was last read, that is noticed before anything is judged by it. */
    private long readClock() {
        long now = nanoTime.getAsLong();
        if (stalls.runAt(now)) {
            dropDueLongBefore(now);
        }
        return now;
    }

    /** A read that was sent. All but its end is of the thread that makes turns. */
    private static final class SentRead {

        private final Target target;
        private final int timeoutMs;
        private final long dueNanos;
        private final long dueAtMs;
        private final long sentNanos;
        private long endedNanos;
        private Optional<Answer> answer = Optional.empty();

        SentRead(DueProbe due, int timeoutMs, long sentNanos, long dueAtMs) {
            this.target = due.target();
            this.timeoutMs = timeoutMs;
            this.dueNanos = due.dueNanos();
            this.sentNanos = sentNanos;
            this.dueAtMs = dueAtMs;
        }

        /** Written before it is queued, read after it was taken out. */
        void end(long nanos, Optional<Answer> what) {
            endedNanos = nanos;
            answer = what;
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
        String server = due.target().name();
        int turn = turnByServer.merge(server, 1, Integer::sum) - 1;
        int timeoutMs = timeoutsMs.get(turn % timeoutsMs.size());
        SentRead read = new SentRead(
                due, timeoutMs, sentNanos, wallTimeMs.getAsLong() - (sentNanos - due.dueNanos()) / 1_000_000);
        if (due.target().isFull()) {
            tell(read, sentNanos, Answer.NONE);
            return;
        }
        try {
            var unused = source.read(server, timeoutMs).whenComplete((isStale, failure) -> {
                read.end(
                        nanoTime.getAsLong(),
                        failure == null
                                ? isStale.map(stale -> stale ? Answer.STALE : Answer.FRESH)
                                : Optional.of(Answer.NONE));
                ended.add(read);
            });
        } catch (RejectedExecutionException full) {
            tell(read, sentNanos, Answer.NONE);
            return;
        }
        due.target().sent();
    }

    private void judge(SentRead read) {
        read.target.ended();
        if (stalls.atTheEndOf(read.sentNanos, read.endedNanos).isEmpty()) {
            read.answer.ifPresent(answer -> tell(read, read.endedNanos, answer));
        }
    }

    private void tell(SentRead read, long untilNanos, Answer answer) {
        results.accept(new TimelineRead(
                read.timeoutMs, read.dueAtMs, Math.max(0, untilNanos - read.dueNanos) / 1_000, answer));
    }
}
