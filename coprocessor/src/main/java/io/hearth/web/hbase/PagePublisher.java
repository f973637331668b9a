package io.hearth.web.hbase;

import io.hearth.balancer.hbase.ConfigProblemLog;
import io.hearth.balancer.hbase.ConfigurationSettings;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.log.RareLog;
import io.hearth.web.config.PageConfig;
import io.hearth.web.config.PageSettings;
import io.hearth.web.history.HeatHistory;
import io.hearth.web.model.HotRow;
import io.hearth.web.model.Page;
import io.hearth.web.model.PageMaker;
import io.hearth.web.model.Seen;
import io.hearth.web.model.SeenRegion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.master.HMaster;
import org.slf4j.LoggerFactory;

/**
 * Publishes what the page answers from, on one daemon thread of its own: every few seconds while somebody looks at the page,
 * and otherwise as often as history is sampled. It waits for nobody's lock but that of the heat, for microseconds a region.
 * Thread-safe.
 */
final class PagePublisher {

    /** How old what is shown may be while somebody looks; milliseconds. */
    private static final long WATCHED_MS = 5_000;

    /** So long after the last request somebody still looks; milliseconds. */
    private static final long WATCHER_LEAVES_MS = 60_000;

    private static final long TICK_MS = 500;

    /** As old as what is shown may be to whoever does not look twice; milliseconds. */
    private static final long FRESH_MS = 2 * WATCHED_MS;

    private final Supplier<Optional<HMaster>> master;
    private final BooleanSupplier isOver;
    private final PageMetrics metrics;
    private final RareLog rareLog;
    private final ConfigProblemLog problems = new ConfigProblemLog(LoggerFactory.getLogger(PagePublisher.class));
    private final DoctorRounds doctor;
    private final HeatHistory history = new HeatHistory();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private Optional<MasterSight> sight = Optional.empty();
    private long sampledMs = Long.MIN_VALUE / 2;
    private long publishedMs = Long.MIN_VALUE / 2;
    private volatile long latestMs = Long.MIN_VALUE / 2;
    private volatile long watchedMs = Long.MIN_VALUE / 2;
    private volatile Optional<Published> latest = Optional.empty();

    /**
     * A publisher that has not started.
     *
     * @param master whose page it is, once that is known
     * @param isOver whether there is no more to publish for good
     */
    PagePublisher(Supplier<Optional<HMaster>> master, BooleanSupplier isOver, PageMetrics metrics, RareLog rareLog) {
        this.master = master;
        this.isOver = isOver;
        this.metrics = metrics;
        this.rareLog = rareLog;
        this.doctor = new DoctorRounds(this::doctorFailed);
    }

    void start() {
        Thread thread = new Thread(this::run, "hearth-page");
        thread.setDaemon(true);
        thread.start();
    }

    void stop() {
        stopped.countDown();
    }

    /** The last publication; empty on a master that is not active, and for its first second. Says that somebody looks. */
    Optional<Published> look() {
        watchedMs = nowMs();
        return latest;
    }

    /** The same, where it is no older than a few seconds. */
    Optional<Published> fresh() {
        return look().filter(published -> nowMs() - latestMs < FRESH_MS);
    }

    /** Somebody wants the doctor to look now. */
    void askDoctor() {
        watchedMs = nowMs();
        doctor.askNow();
    }

    boolean isStopped() {
        return stopped.getCount() == 0;
    }

    private static long nowMs() {
        return System.nanoTime() / 1_000_000;
    }

    private void run() {
        boolean goesOn = true;
        while (goesOn) {
            try {
                Optional<HMaster> leader = master.get().filter(PagePublisher::leads);
                if (leader.isEmpty()) {
                    latest = Optional.empty();
                } else {
                    PagePublishers.offer(leader.get(), this);
                    if (isDue()) {
                        publish(leader.get());
                    }
                }
            } catch (Throwable failure) {
                metrics.failed();
                rareLog.warn(
                        "publish",
                        "Hearth's page could not be made; what was published last is shown. The master goes on.",
                        failure,
                        nowMs());
            }
            goesOn = waitALittle() && !isOver.getAsBoolean();
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
        return latest.map(Published::config).map(PageConfig::sampleMs).orElse(PageSettings.SAMPLE_MS.defaultValue());
    }

    private boolean isDue() {
        long now = nowMs();
        return now - publishedMs >= (isWatched(now) ? Math.min(WATCHED_MS, sampleMs()) : sampleMs());
    }

    private boolean isWatched(long now) {
        return now - watchedMs < WATCHER_LEAVES_MS;
    }

    private void publish(HMaster leader) {
        publishedMs = nowMs();
        Configuration conf = leader.getConfiguration();
        PageSettings.Reading reading = PageSettings.read("hbase-site.xml", new ConfigurationSettings(conf));
        metrics.configProblemsFound(problems.report(reading.problems()));
        // Whoever looks at a page that is switched off does so by another way, with a permission for it.
        if (!reading.config().enabled() && !isWatched(publishedMs)) {
            latest = Optional.empty();
            return;
        }
        MasterSight eyes = sight.filter(known -> known.isOf(leader)).orElseGet(() -> new MasterSight(leader));
        sight = Optional.of(eyes);
        if (isWatched(publishedMs)) {
            doctor.goIfDue(conf, publishedMs);
        }
        Seen seen = eyes.look(doctor.word());
        Page page = PageMaker.make(seen, history::of);
        if (publishedMs - sampledMs >= reading.config().sampleMs()) {
            sampledMs = publishedMs;
            sample(seen, page);
            page = PageMaker.make(seen, history::of);
        }
        latest = Optional.of(new Published(page, reading.config()));
        latestMs = nowMs();
        metrics.published(nowMs() - publishedMs);
    }

    private void sample(Seen seen, Page page) {
        List<RegionId> hottest = page.hottest().stream()
                .map(HotRow::region)
                .map(SeenRegion::region)
                .toList();
        Map<RegionId, OptionalDouble> recent = new HashMap<>();
        seen.servers().forEach(server -> server.regions()
                .forEach(region -> recent.put(region.region(), region.recentRequestsPerSecond())));
        history.sample(hottest, region -> recent.getOrDefault(region, OptionalDouble.empty()));
    }

    private void doctorFailed(Throwable failure) {
        metrics.failed();
        rareLog.warn(
                "doctor",
                "The doctor could not examine the cluster for the page; what he found last is shown.",
                failure,
                System.nanoTime() / 1_000_000);
    }
}
