// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.balancer.engine.MasterWork;
import io.hearth.balancer.hbase.MasterMeter;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.config.ConfigProblem.ConfigProblemLog;
import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.common.hadoop.LinkFailure;
import io.hearth.common.log.RateLimitedLogger;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.ui.config.UiSettings;
import io.hearth.ui.config.UiSettings.UiConfig;
import io.hearth.ui.history.RequestRateHistory;
import io.hearth.ui.model.Page;
import io.hearth.ui.model.Page.HotRegionRow;
import io.hearth.ui.model.PageBuilder;
import io.hearth.ui.model.PageInput;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.master.HMaster;
import org.slf4j.LoggerFactory;

/**
 * Publishes what the page answers from, on one daemon thread of its own: every few seconds while the page is open,
 * and otherwise as often as history is sampled. It waits for nobody's lock but that of the heat, for microseconds a region.
 * Thread-safe.
 */
final class PagePublisher {

    /** How old what is shown may be while the page is open; milliseconds. */
    private static final long VIEWED_INTERVAL_MS = 5_000;

    /** How long after the last request the page counts as open; milliseconds. */
    private static final long VIEWER_TIMEOUT_MS = 60_000;

    private static final long TICK_MS = 500;

    /** How old the answer to a first request may be; milliseconds. */
    private static final long FRESH_MS = 2 * VIEWED_INTERVAL_MS;

    private final Supplier<Optional<HMaster>> master;
    private final BooleanSupplier isOver;
    private final UiMetrics metrics;
    private final RateLimitedLogger rateLimitedLogger;
    private final ConfigProblemLog problems = new ConfigProblemLog(LoggerFactory.getLogger(PagePublisher.class));
    private final DoctorScheduler doctor;
    private final IntSupplier stretch;
    private final RequestRateHistory history = new RequestRateHistory();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private Optional<MasterStateCollector> collector = Optional.empty();
    private final Turns turns = new Turns();
    private long sampledMs = Long.MIN_VALUE / 2;
    private volatile long latestMs = Long.MIN_VALUE / 2;
    private volatile long lastViewedMs = Long.MIN_VALUE / 2;
    private volatile Optional<PublishedPage> latest = Optional.empty();

    /**
     * A publisher that has not started.
     *
     * @param master whose page it is, once that is known
     * @param isOver whether there is no more to publish for good
     */
    PagePublisher(
            Supplier<Optional<HMaster>> master,
            BooleanSupplier isOver,
            UiMetrics metrics,
            RateLimitedLogger rateLimitedLogger) {
        this(
                master,
                isOver,
                metrics,
                rateLimitedLogger,
                DoctorScheduler.inMaster(metrics, failure -> doctorFailed(failure, metrics, rateLimitedLogger)),
                () -> MasterMeter.shared().stretch(MasterWork.PAGE));
    }

    /**
     * The same with this doctor.
     *
     * @param stretch how many times less often than set the page is made, at least 1
     */
    PagePublisher(
            Supplier<Optional<HMaster>> master,
            BooleanSupplier isOver,
            UiMetrics metrics,
            RateLimitedLogger rateLimitedLogger,
            DoctorScheduler doctor,
            IntSupplier stretch) {
        this.master = master;
        this.isOver = isOver;
        this.metrics = metrics;
        this.rateLimitedLogger = rateLimitedLogger;
        this.doctor = doctor;
        this.stretch = stretch;
    }

    void start() {
        Thread thread = new Thread(this::run, "hearth-page");
        thread.setDaemon(true);
        thread.start();
    }

    void stop() {
        stopped.countDown();
    }

    /** The last publication; empty on a master that is not active, and for its first second. Notes that somebody views it. */
    Optional<PublishedPage> published() {
        lastViewedMs = nowMs();
        return latest;
    }

    /** The same, where it is no older than a few seconds. */
    Optional<PublishedPage> fresh() {
        return published().filter(published -> nowMs() - latestMs < FRESH_MS * stretch.getAsInt());
    }

    /** Somebody wants the doctor to run now. */
    void requestDoctorRun() {
        lastViewedMs = nowMs();
        doctor.requestRun();
    }

    boolean isStopped() {
        return stopped.getCount() == 0;
    }

    private static long nowMs() {
        return System.nanoTime() / 1_000_000;
    }

    private void run() {
        boolean continues = true;
        while (continues) {
            try {
                Optional<HMaster> leader = master.get().filter(PagePublisher::leads);
                if (leader.isEmpty()) {
                    latest = Optional.empty();
                } else {
                    LatestPage.offer(leader.get(), this);
                    if (isDue()) {
                        publish(leader.get());
                    }
                }
            } catch (Throwable failure) {
                metrics.failed();
                LinkFailure.warn(
                        rateLimitedLogger,
                        "publish",
                        "Hearth's page could not be made; what was published last is shown. The master continues.",
                        failure,
                        nowMs());
            }
            continues = waitALittle() && !isOver.getAsBoolean();
        }
        stopped.countDown();
    }

    private static boolean leads(HMaster master) {
        return master.isActiveMaster() && master.isInitialized() && !master.isStopped();
    }

    private boolean waitALittle() {
        try {
            return !stopped.await(TICK_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException end) {
            return false;
        }
    }

    private long sampleMs() {
        return latest.map(PublishedPage::config).map(UiConfig::sampleMs).orElse(UiSettings.SAMPLE_MS.defaultValue());
    }

    private boolean isDue() {
        long now = nowMs();
        return turns.isDue(now, hasViewer(now), sampleMs(), stretch.getAsInt());
    }

    /** When the page is made. Not thread-safe. */
    static final class Turns {

        private long lastMs = Long.MIN_VALUE / 2;
        private boolean isLastLeftOut;

        /** @param stretch how many times less often than set, at least 1; who comes after a turn that was left out waits for no other */
        boolean isDue(long nowMs, boolean hasViewer, long sampleMs, int stretch) {
            long everyMs = hasViewer ? Math.min(VIEWED_INTERVAL_MS, sampleMs) : sampleMs;
            return (isLastLeftOut && hasViewer) || nowMs - lastMs >= everyMs * stretch;
        }

        void begin(long nowMs) {
            lastMs = nowMs;
            isLastLeftOut = false;
        }

        /** Nothing is published in this turn, for want of a viewer. */
        void leaveOut() {
            isLastLeftOut = true;
        }
    }

    private boolean hasViewer(long now) {
        return now - lastViewedMs < VIEWER_TIMEOUT_MS;
    }

    private void publish(HMaster leader) throws IOException {
        long beganMs = nowMs();
        turns.begin(beganMs);
        Configuration conf = leader.getConfiguration();
        UiSettings.Reading reading = UiSettings.read("hbase-site.xml", new ConfigurationSettings(conf));
        metrics.configProblemsFound(problems.report(reading.problems()));
        // A page that is switched off is read by the admin endpoint, which asks for a permission.
        if (!reading.config().enabled() && !hasViewer(beganMs)) {
            turns.leaveOut();
            latest = Optional.empty();
            return;
        }
        MasterStateCollector current =
                collector.filter(known -> known.isOf(leader)).orElseGet(() -> new MasterStateCollector(leader));
        collector = Optional.of(current);
        if (hasViewer(beganMs)) {
            doctor.runIfDue(conf, beganMs, stretch.getAsInt());
        }
        PageInput input = current.collect(doctor.report());
        Page page = PageBuilder.build(input, history::of);
        if (beganMs - sampledMs >= reading.config().sampleMs()) {
            sampledMs = beganMs;
            sample(input, page);
            page = page.withHistory(history::of);
        }
        latest = Optional.of(new PublishedPage(page.withoutRegions(), reading.config()));
        latestMs = nowMs();
        metrics.published(nowMs() - beganMs);
    }

    private void sample(PageInput input, Page page) {
        List<EncodedRegionName> hottest = page.hottest().stream()
                .map(HotRegionRow::region)
                .map(RegionState::region)
                .toList();
        Map<EncodedRegionName, OptionalDouble> recent = new HashMap<>();
        input.cluster().servers().forEach(server -> server.regions()
                .forEach(region -> recent.put(region.region(), region.recentRequestsPerSecond())));
        history.sample(hottest, region -> recent.getOrDefault(region, OptionalDouble.empty()));
    }

    private static void doctorFailed(Throwable failure, UiMetrics metrics, RateLimitedLogger rateLimitedLogger) {
        metrics.failed();
        LinkFailure.warn(
                rateLimitedLogger,
                "doctor",
                "The doctor could not examine the cluster for the page; the last findings are shown.",
                failure,
                System.nanoTime() / 1_000_000);
    }
}
