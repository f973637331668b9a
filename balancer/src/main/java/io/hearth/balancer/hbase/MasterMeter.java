// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.config.BalancerSettings.MasterSettings;
import io.hearth.balancer.engine.CpuBudget;
import io.hearth.balancer.engine.MasterWork;
import io.hearth.common.config.SettingsReader;
import io.hearth.common.hadoop.ConfigurationSettings;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures what Hearth takes of an HMaster: processor time on its own threads and on HBase's, and for how long it keeps HBase's
 * balancer lock; and says how many times less often its loops are to run, so that {@code hearth.master.cpu.share} is kept ({@link CpuBudget}).
 *
 * <p>It has no thread: whoever asks for the stretch, or ends a call on a thread of HBase's, brings the measure up to date, every five seconds
 * at most. What a thread uses between the last measure and its end is not counted. Threads of HBase's and Hadoop's clients that serve Hearth,
 * HBase's own search and the garbage collector are not counted either. There is one for each process; masters in one JVM share it.
 * Thread-safe, and never throws.
 */
public final class MasterMeter {

    private static final Logger LOG = LoggerFactory.getLogger(MasterMeter.class);
    private static final MasterMeter SHARED =
            new MasterMeter(new JvmThreads(), System::nanoTime, LOG::info, MasterMeterMetrics.register());

    private static final long MEASURE_EVERY_MS = 5_000;

    /** One for each meter: what one has measured of a thread is nothing to another, of which there are some in tests. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Call> callOfThread = ThreadLocal.withInitial(Call::new);

    private final ThreadTimes threads;
    private final LongSupplier nanoClock;
    private final Consumer<String> log;
    private final MasterMeterMetrics metrics;

    private final CpuBudget budget = new CpuBudget();
    private final Map<MasterWork, Long> nanosByWork = new EnumMap<>(MasterWork.class);
    private final Map<Long, Long> nanosByThread = new HashMap<>();
    private final LongestHold holds = new LongestHold();
    private double share = MasterSettings.CPU_SHARE.defaultValue();
    private boolean isMeasured;
    private long measuredMs;
    private volatile int stretch = 1;

    /** What is measured of one thread now. Confined to it. */
    private static final class Call {

        /** How many measured calls it is in. */
        private int depth;
        /** Of the outermost of them, what is HBase's own. */
        private long notOursNanos;
        /** Whether HBase has called it with the balancer's lock held: nobody says when such a call ends. */
        private boolean isLocked;
        /** For how long Hearth has kept the lock in that call. */
        private long heldNanos;
    }

    /** The processor time of threads. Thread-safe. */
    interface ThreadTimes {

        /** Of the thread that calls, in nanoseconds. */
        long ofThisThread();

        /** Of each thread of Hearth's that lives. */
        List<ThreadTime> ofHearth();

        /** Whether the thread that calls is one of Hearth's own. */
        boolean isHearths();
    }

    /** The processor time of one thread since it began, in nanoseconds; below 0 where it has just ended. Immutable. */
    record ThreadTime(long id, String name, long nanos) {}

    /**
     * What is measured.
     *
     * @param <R> what it returns
     * @param <X> what it throws
     */
    @FunctionalInterface
    public interface Work<R, X extends Exception> {
        R run() throws X;
    }

    /**
     * @param nanoClock a clock that does not go back, in nanoseconds
     * @param log takes a line where loops run less often from now on, or as often again
     */
    MasterMeter(ThreadTimes threads, LongSupplier nanoClock, Consumer<String> log, MasterMeterMetrics metrics) {
        this.threads = threads;
        this.nanoClock = nanoClock;
        this.log = log;
        this.metrics = metrics;
    }

    /** The one of this process. */
    public static MasterMeter shared() {
        return SHARED;
    }

    /** Reads the share from the configuration of a master; the balancer, which reads all keys of its own, says what can't be used. */
    public void configure(Configuration master) {
        configure(
                new SettingsReader("hbase-site.xml", new ConfigurationSettings(master)).read(MasterSettings.CPU_SHARE));
    }

    /** Takes how much of one core may be used, above 0. */
    public synchronized void configure(double ofOneCore) {
        share = ofOneCore;
    }

    /** Shows from now on how many bytes of heap this estimates Hearth's own state to take. */
    public void showHeap(LongSupplier estimatedBytes) {
        metrics.heapBytes(estimatedBytes);
    }

    /** Counts the processor time that this takes, where the thread is HBase's and nobody further out counts it. */
    public <R, X extends Exception> R onHBasesThread(MasterWork work, Work<R, X> what) throws X {
        Call call = callOfThread.get();
        if (call.depth > 0) {
            return what.run();
        }
        call.depth++;
        long notOursBefore = call.notOursNanos;
        call.notOursNanos = 0;
        boolean isCounted = !threads.isHearths();
        long began = threads.ofThisThread();
        try {
            return what.run();
        } finally {
            long ours = threads.ofThisThread() - began - call.notOursNanos;
            call.depth--;
            call.notOursNanos = notOursBefore;
            if (isCounted) {
                add(work, ours);
            }
        }
    }

    /** Leaves out of a measured call what HBase does of its own in it, as its search; a measured call in that counts by itself. */
    public <R, X extends Exception> R notOurs(Work<R, X> what) throws X {
        Call call = callOfThread.get();
        int outer = call.depth;
        call.depth = 0;
        long began = threads.ofThisThread();
        try {
            return what.run();
        } finally {
            call.notOursNanos += threads.ofThisThread() - began;
            call.depth = outer;
        }
    }

    /** HBase makes a call with the balancer's lock held: what is measured of it on this thread from now on counts as one stretch. */
    public void lockedCallBegins() {
        Call call = callOfThread.get();
        call.isLocked = true;
        call.heldNanos = 0;
    }

    /** The same as {@link #onHBasesThread} of a call that HBase makes without the lock, on a thread that may have held it before. */
    public <R, X extends Exception> R withoutLock(MasterWork work, Work<R, X> what) throws X {
        Call call = callOfThread.get();
        boolean before = call.isLocked;
        call.isLocked = false;
        try {
            return onHBasesThread(work, what);
        } finally {
            call.isLocked = before;
        }
    }

    /** As {@link #underLock} in a call with the balancer's lock held, and as {@link #onHBasesThread} in any other. */
    public <R> R underLockIfHeld(MasterWork work, Supplier<R> what) {
        return callOfThread.get().isLocked ? underLock(work, what) : onHBasesThread(work, what::get);
    }

    /**
     * The same as {@link #onHBasesThread} of a part of such a call, whose time by the clock counts as well: what it waits is taken from the
     * budget as what it uses, since HBase waits with it.
     */
    public <R> R underLock(MasterWork work, Supplier<R> what) {
        boolean isOutermost = callOfThread.get().depth == 0 && !threads.isHearths();
        long began = nanoClock.getAsLong();
        long usedBefore = threads.ofThisThread();
        try {
            return onHBasesThread(work, what::get);
        } finally {
            long heldNanos = nanoClock.getAsLong() - began;
            held(heldNanos);
            if (isOutermost) {
                add(MasterWork.WAITS_UNDER_LOCK, heldNanos - (threads.ofThisThread() - usedBefore));
            }
        }
    }

    /** The same of what returns nothing. */
    public void underLock(MasterWork work, Runnable what) {
        boolean unused = underLock(work, () -> {
            what.run();
            return true;
        });
    }

    private void held(long nanos) {
        Call call = callOfThread.get();
        call.heldNanos += nanos;
        addHold(call.heldNanos);
    }

    private synchronized void addHold(long nanos) {
        holds.add(nanos, nowMs());
    }

    private synchronized void add(MasterWork work, long nanos) {
        if (nanos > 0) {
            nanosByWork.merge(work, nanos, Long::sum);
        }
        measureIfDue();
    }

    /** How many times less often than set a loop of this kind is to run now: 1, 2, 4 ... */
    public synchronized int stretch(MasterWork work) {
        measureIfDue();
        return Math.min(work.mostStretched(), stretch);
    }

    private void measureIfDue() {
        long now = nowMs();
        if (isMeasured && now - measuredMs < MEASURE_EVERY_MS) {
            return;
        }
        isMeasured = true;
        measuredMs = now;
        try {
            measure(now);
        } catch (Throwable failure) {
            LOG.debug("Hearth's threads could not be measured.", failure);
        }
    }

    private void measure(long now) {
        List<ThreadTime> live = threads.ofHearth();
        Map<Long, Long> before = new HashMap<>(nanosByThread);
        nanosByThread.clear();
        for (ThreadTime thread : live) {
            if (thread.nanos() >= 0) {
                nanosByThread.put(thread.id(), thread.nanos());
                nanosByWork.merge(
                        MasterWork.ofThread(thread.name()),
                        Math.max(0, thread.nanos() - before.getOrDefault(thread.id(), 0L)),
                        Long::sum);
            }
        }
        budget.look(nanosByWork, share, now).ifPresent(log);
        stretch = budget.stretch();
        metrics.measured(new MasterMeterMetrics.Reading(
                budget.share(), totalMs(), holds.longestMs(now), live.size(), stretch, budget.timesStretched()));
    }

    private long totalMs() {
        return TimeUnit.NANOSECONDS.toMillis(
                nanosByWork.values().stream().mapToLong(Long::longValue).sum());
    }

    /** The processor time of each kind of work since the process began, and what was waited under the lock, in nanoseconds. */
    public synchronized Map<MasterWork, Long> nanosByWork() {
        measure(nowMs());
        return new EnumMap<>(nanosByWork);
    }

    private long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong());
    }

    /** The longest of the stretches of the last ten minutes: those that a longer one has followed are forgotten. Not thread-safe. */
    private static final class LongestHold {

        private record Hold(long nanos, long atMs) {}

        private final Deque<Hold> longestFirst = new ArrayDeque<>();

        void add(long nanos, long nowMs) {
            while (!longestFirst.isEmpty() && longestFirst.getLast().nanos <= nanos) {
                longestFirst.removeLast();
            }
            longestFirst.addLast(new Hold(nanos, nowMs));
            forget(nowMs);
        }

        long longestMs(long nowMs) {
            forget(nowMs);
            return longestFirst.isEmpty() ? 0 : TimeUnit.NANOSECONDS.toMillis(longestFirst.getFirst().nanos);
        }

        private void forget(long nowMs) {
            while (!longestFirst.isEmpty() && nowMs - longestFirst.getFirst().atMs > CpuBudget.WINDOW_MS) {
                longestFirst.removeFirst();
            }
        }
    }

    /** The threads of this JVM, Hearth's by their names. */
    private static final class JvmThreads implements ThreadTimes {

        private final ThreadMXBean bean = ManagementFactory.getThreadMXBean();

        @Override
        public long ofThisThread() {
            return bean.isCurrentThreadCpuTimeSupported() ? bean.getCurrentThreadCpuTime() : 0;
        }

        @Override
        public boolean isHearths() {
            return Thread.currentThread().getName().startsWith(MasterWork.THREADS);
        }

        @Override
        public List<ThreadTime> ofHearth() {
            List<ThreadTime> times = new ArrayList<>();
            for (Thread thread : all()) {
                if (thread != null && thread.getName().startsWith(MasterWork.THREADS)) {
                    times.add(new ThreadTime(thread.getId(), thread.getName(), bean.getThreadCpuTime(thread.getId())));
                }
            }
            return times;
        }

        private static Thread[] all() {
            ThreadGroup root = Thread.currentThread().getThreadGroup();
            while (root.getParent() != null) {
                root = root.getParent();
            }
            // More may begin meanwhile.
            Thread[] threads = new Thread[2 * root.activeCount() + 1];
            root.enumerate(threads, true);
            return threads;
        }
    }
}
