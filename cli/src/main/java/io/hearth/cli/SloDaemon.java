// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.healer.hbase.HealerUser;
import io.hearth.slo.hbase.ClusterEventWatch;
import io.hearth.slo.hbase.DataNodeReporter;
import io.hearth.slo.hbase.HBaseWatch;
import io.hearth.slo.hbase.MasterBrake;
import io.hearth.slo.hbase.TimelineWatch;
import io.hearth.slo.hdfs.HdfsWatch;
import io.hearth.slo.probe.DataNodeObservations;
import io.hearth.slo.probe.MinuteSummary;
import io.hearth.slo.probe.ProbeCounts.Event;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeRate;
import io.hearth.slo.probe.Prober;
import io.hearth.slo.probe.TimelineProber;
import io.hearth.slo.store.DataNodeMinute;
import io.hearth.slo.store.SloStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;

/**
 * The life of {@code bin/hearth slo run}: one thread sends probes, one each keeps up with HBase, with HDFS and with what happens, and the command's own prints
 * a line each minute. Nothing that a cluster does ends it: what can't be asked is said once and asked again.
 */
final class SloDaemon {

    private static final Duration HBASE_LIMIT = Duration.ofSeconds(10);
    private static final Duration DATANODE_LIMIT = Duration.ofSeconds(15);
    private static final int MAX_OUTSTANDING = 100_000;
    private static final long END_MS = 15_000;

    /**
     * What an operator chooses.
     *
     * @param instance the name of this daemon
     * @param rate gets and puts of each RegionServer per second
     * @param tables of which rows are read
     * @param timelineTimeoutsMs with which timeline-consistent reads of these tables are made; empty if none are
     * @param hdfsFolder where the probes of DataNodes write
     * @param metrics where Prometheus reads; absent if it does not
     */
    record Options(
            String instance,
            double rate,
            List<TableName> tables,
            List<Integer> timelineTimeoutsMs,
            Path hdfsFolder,
            Optional<InetSocketAddress> metrics) {}

    private final PrintWriter out;
    private final HealerUser user;
    private final MinuteSummary summary = new MinuteSummary();
    private final Prober prober;
    private final HBaseWatch hbase;
    private final HdfsWatch hdfs;
    private final MasterBrake brake;
    private final ClusterEventWatch events;
    private final DataNodeReporter dataNodes;
    private final Optional<Timeline> timeline;
    private final SloRecorder recorder;
    private final Options options;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Map<Event, Long> said = new EnumMap<>(Event.class);

    /** @param recorder is closed when the daemon ends */
    SloDaemon(Configuration site, HealerUser user, Options options, SloRecorder recorder, PrintWriter out) {
        this.out = out;
        this.user = user;
        this.options = options;
        this.recorder = recorder;
        long seed = options.instance().hashCode();
        DataNodeObservations observations = new DataNodeObservations(recorder::limitMicros);
        prober = new Prober(
                rates(options.rate()),
                System::nanoTime,
                System::currentTimeMillis,
                seed,
                MAX_OUTSTANDING,
                summary.andThen(recorder).andThen(observations));
        hbase = new HBaseWatch(site, user, options.instance(), options.tables(), HBASE_LIMIT, prober);
        hdfs = new HdfsWatch(
                site,
                user,
                options.hdfsFolder(),
                options.instance(),
                DATANODE_LIMIT,
                HBASE_LIMIT,
                prober,
                seed,
                (live, dead) -> recorder.add(DataNodeMinute.at(System.currentTimeMillis(), live, dead)));
        brake = new MasterBrake(site, user, options.instance());
        events = new ClusterEventWatch(site, user, System::currentTimeMillis, recorder::add);
        dataNodes = new DataNodeReporter(site, user, options.instance(), observations, System::currentTimeMillis);
        timeline = options.timelineTimeoutsMs().isEmpty()
                ? Optional.empty()
                : Optional.of(timeline(site, user, options, recorder, seed));
    }

    private static Timeline timeline(
            Configuration site, HealerUser user, Options options, SloRecorder recorder, long seed) {
        TimelineWatch watch =
                new TimelineWatch(site, user, options.tables(), options.timelineTimeoutsMs(), HBASE_LIMIT);
        return new Timeline(
                watch,
                new TimelineProber(
                        options.timelineTimeoutsMs(),
                        watch,
                        HBASE_LIMIT,
                        System::nanoTime,
                        System::currentTimeMillis,
                        seed,
                        recorder::add));
    }

    /** Timeline-consistent reads: who makes them, and who says when. */
    private record Timeline(TimelineWatch watch, TimelineProber prober) {}

    private static Map<ProbeKind, ProbeRate> rates(double perSecond) {
        ProbeRate ofServers = ProbeRate.of(Duration.ofNanos((long) (1e9 / perSecond)), HBASE_LIMIT);
        ProbeRate eachSecond = ProbeRate.of(Duration.ofSeconds(1), HBASE_LIMIT);
        ProbeRate eachMinute = ProbeRate.of(Duration.ofMinutes(1), DATANODE_LIMIT);
        return Map.of(
                ProbeKind.GET, ofServers,
                ProbeKind.PUT, ofServers,
                ProbeKind.ROW_GET, eachSecond,
                ProbeKind.HDFS_WRITE, eachMinute,
                ProbeKind.HDFS_READ, eachMinute,
                ProbeKind.NAMENODE, eachSecond,
                ProbeKind.REGISTRY, eachSecond);
    }

    /**
     * Returns when it was interrupted; a signal ends it before.
     *
     * @throws IOException if the address for Prometheus can't be listened on
     */
    void run() throws IOException {
        SloMetricsServer metrics = options.metrics().isPresent()
                ? SloMetricsServer.start(options.metrics().get(), () -> recorder.metrics(System.currentTimeMillis()))
                : null;
        try (metrics) {
            runUntilStopped();
        }
    }

    private void runUntilStopped() {
        Thread sender = thread("hearth-slo-probes", () -> probe(prober::turn));
        Thread ofHBase = thread("hearth-slo-hbase", new Upkeep("HBase", hbase::turn));
        Thread ofHdfs = thread("hearth-slo-hdfs", new Upkeep("HDFS", hdfs::turn));
        Thread ofLogin = thread("hearth-slo-login", new Upkeep("The login", user::keepLoggedIn));
        Thread ofStore = thread("hearth-slo-store", this::store);
        Thread ofBrake = thread("hearth-slo-brake", new Upkeep("The brake", this::brake));
        Thread ofEvents = thread("hearth-slo-events", new Upkeep("The events", events::turn));
        Thread ofReports = thread("hearth-slo-reports", new Upkeep("The reports of DataNodes", dataNodes::turn));
        List<Thread> threads =
                new ArrayList<>(List.of(sender, ofHBase, ofHdfs, ofLogin, ofStore, ofBrake, ofEvents, ofReports));
        timeline.ifPresent(reads -> {
            threads.add(thread("hearth-slo-timeline", () -> probe(reads.prober()::turn)));
            threads.add(thread("hearth-slo-replicas", new Upkeep("Replicas of regions", () -> reads.watch()
                    .turn(reads.prober()))));
        });
        SignalHook hook = new SignalHook(() -> stop(threads));
        hook.set(2 * END_MS);
        threads.forEach(Thread::start);
        say("Probing until stopped, as " + user.shortName() + ".");
        try {
            while (!stopping.await(1, TimeUnit.MINUTES)) {
                say(line());
            }
        } catch (InterruptedException ended) {
            stop(threads);
            Thread.currentThread().interrupt();
        } finally {
            hook.close();
        }
    }

    /** An error, such as the lack of memory, ends the process: who watches it starts it again. */
    private Thread thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((broken, error) -> {
            say("Ended by " + error + " in " + broken.getName() + ".");
            Runtime.getRuntime().halt(ExitCode.INCOMPLETE.code());
        });
        return thread;
    }

    private void stop(List<Thread> threads) {
        stopping.countDown();
        threads.forEach(Thread::interrupt);
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_MS);
        try {
            for (Thread thread : threads) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime())));
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        hdfs.close();
        hbase.close();
        brake.close();
        events.close();
        dataNodes.close();
        timeline.ifPresent(reads -> reads.watch().close());
        say(line());
        try {
            recorder.close();
        } catch (IOException failure) {
            say(Main.localProblem(failure));
        }
        say("Stopped.");
    }

    private boolean isRunning() {
        return stopping.getCount() > 0;
    }

    /** @param turn makes a turn, and says after how many nanoseconds the next is to be */
    private void probe(LongSupplier turn) {
        while (isRunning()) {
            LockSupport.parkNanos(turn.getAsLong());
        }
    }

    private void store() {
        try {
            while (!stopping.await(SloStore.FLUSH_PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
                recorder.flush(System.currentTimeMillis());
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void brake() throws IOException {
        brake.turn(recorder.reasonToBrake(System.currentTimeMillis())).ifPresent(this::say);
    }

    /** The minute's line: what was due and good, and what it does not count. */
    private String line() {
        StringBuilder line = new StringBuilder(summary.take());
        append(line, Event.OWN_STALL, "not counted since this process stood still");
        append(line, Event.NOT_ON_TARGET, "not counted since what they asked for was elsewhere");
        append(line, Event.LATE, "sent over 5 ms late");
        if (hbase.serversWithoutCanary() > 0) {
            line.append("; RegionServers without a canary region: ").append(hbase.serversWithoutCanary());
        }
        recorder.objectives(System.currentTimeMillis())
                .ifPresent(objectives -> line.append("; ").append(objectives));
        return line.toString();
    }

    private void append(StringBuilder line, Event event, String words) {
        long now = prober.counts().count(event);
        long more = now - said.getOrDefault(event, 0L);
        said.put(event, now);
        if (more > 0) {
            line.append("; ").append(more).append(' ').append(words);
        }
    }

    private void say(String text) {
        synchronized (out) {
            out.println(LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + " " + text);
            out.flush();
        }
    }

    /** Work that is done again and again, and whose failures are said once each, but not more than one a minute. */
    private final class Upkeep implements Runnable {

        private static final long PAUSE_MS = 1_000;
        private static final long PAUSE_AFTER_FAILURE_MS = 5_000;
        private static final long MINUTE_NANOS = 60_000_000_000L;

        private final String name;
        private final Turn turn;
        private Optional<String> problem = Optional.empty();
        private long saidNanos;

        Upkeep(String name, Turn turn) {
            this.name = name;
            this.turn = turn;
        }

        @Override
        public void run() {
            try {
                while (isRunning()) {
                    boolean isDone = turn();
                    if (stopping.await(isDone ? PAUSE_MS : PAUSE_AFTER_FAILURE_MS, TimeUnit.MILLISECONDS)) {
                        return;
                    }
                }
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }

        private boolean turn() {
            try {
                turn.make();
                if (problem.isPresent()) {
                    say(name + " answers again.");
                    problem = Optional.empty();
                }
                return true;
            } catch (IOException | RuntimeException failure) {
                if (isRunning()) {
                    boolean isSaid = failure instanceof IOException && failure.getMessage() != null;
                    failed(Main.oneLine(isSaid ? failure.getMessage() : failure.toString()));
                }
                return false;
            }
        }

        private void failed(String why) {
            if (problem.isEmpty() || (!problem.get().equals(why) && System.nanoTime() - saidNanos > MINUTE_NANOS)) {
                problem = Optional.of(why);
                saidNanos = System.nanoTime();
                say(name + ": " + why);
            }
        }
    }

    /** A part of the upkeep. */
    @FunctionalInterface
    private interface Turn {
        void make() throws IOException;
    }
}
