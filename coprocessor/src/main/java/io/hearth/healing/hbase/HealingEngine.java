package io.hearth.healing.hbase;

import io.hearth.balancer.log.RareLog;
import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.hdfs.HdfsBridge;
import io.hearth.healing.lock.Tenure;
import io.hearth.healing.loop.BrakeKeeper;
import io.hearth.healing.loop.HealListener;
import io.hearth.healing.loop.HealingLoop;
import io.hearth.healing.loop.HealingMemory;
import io.hearth.healing.loop.HealingPorts;
import io.hearth.healing.trigger.HintBox;
import io.hearth.healing.trigger.HintKind;
import java.io.IOException;
import java.time.Clock;
import java.time.ZoneId;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Healing in one process, wired together: configuration, metrics, hints, HDFS, the lock, the loop's thread and the threads
 * that wait for DataNodes. Started and stopped once. Thread-safe; nothing here blocks but {@link #awaitEnd}: HDFS is asked,
 * and left, by the loop's thread.
 */
public final class HealingEngine {

    private static final Logger LOG = LoggerFactory.getLogger(HealingEngine.class);
    private static final long END_MS = 20_000;

    /** How long a thread without a move stays: between the moves of one heal, not from heal to heal. */
    private static final long IDLE_THREAD_MS = 15_000;

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final HealingHost host;
    private final HealingMetricRegistry metrics = new HealingMetricRegistry();
    private final LiveConfig config;
    private final HostHdfs hdfs;
    private final HealingMemory memory;
    private final BrakeKeeper brakeKeeper;
    private final HealingRunner runner;
    private final HintBox hints;
    private final ExecutorService moveThreads;
    private final Runnable atEnd;
    private final RareLog rareLog = new RareLog(LOG);
    private volatile boolean started;
    private volatile boolean stopped;

    /**
     * An engine that has not started.
     *
     * @param orders what is made of the host's configuration before it holds
     * @param listener hears what is found and done
     * @param atEnd called once when the loop's thread has ended, for whatever reason
     */
    public HealingEngine(HealingHost host, UnaryOperator<HealingConfig> orders, HealListener listener, Runnable atEnd) {
        this.host = host;
        this.atEnd = atEnd;
        this.config = new LiveConfig(host.configuration(), orders, metrics);
        this.hdfs = new HostHdfs(host, Clock.systemUTC());
        this.memory = new HealingMemory(new Tenure(hdfs, hdfs::self, HealingEngine::nowMs, metrics), listener);
        this.brakeKeeper = new BrakeKeeper(memory.brake(), hdfs);
        this.runner = new HealingRunner(
                host.name(), this::newLoop, this::mayGoOn, HealingEngine::nowMs, this::ended, metrics);
        this.hints = new HintBox(runner::wake);
        // As many threads as the executor has slots for; its own limits are the bound.
        this.moveThreads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_THREAD_MS,
                TimeUnit.MILLISECONDS,
                new SynchronousQueue<>(),
                this::moveThread);
    }

    private Thread moveThread(Runnable task) {
        Thread thread = new Thread(task, host.name() + "-move-" + NUMBER.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    /** Begins to heal; the second time, or after a stop, it does nothing and returns false. */
    public synchronized boolean start() {
        if (started || stopped) {
            return false;
        }
        started = true;
        runner.start();
        return true;
    }

    /**
     * Starts no further move, and ends soon; returns at once. What may take a while, to interrupt threads that wait for HDFS
     * and to see them end, is left to a thread of its own. The second time it does nothing.
     */
    public synchronized void stop() {
        if (!stopped) {
            stopped = true;
            runner.stop();
            Thread ending = new Thread(this::end, host.name() + "-end");
            ending.setDaemon(true);
            ending.start();
        }
    }

    private void end() {
        runner.interrupt();
        moveThreads.shutdownNow();
        try {
            if (!runner.awaitEnd(END_MS)) {
                LOG.warn(
                        "Healing has not ended within {} ms: a call to HDFS is not answered. No move starts any more, and"
                                + " the lock expires by itself.",
                        END_MS);
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the loop's thread has ended and has given the lock back; returns whether it has. */
    public boolean awaitEnd(long mostMs) throws InterruptedException {
        return runner.awaitEnd(mostMs);
    }

    public boolean isStarted() {
        return started;
    }

    public boolean isStopped() {
        return stopped;
    }

    /** Where word is left that something happened. */
    public HintBox hints() {
        return hints;
    }

    /** Has the settings read again from the host's configuration. */
    public void reloadConfiguration() {
        reloadConfiguration(host.configuration());
    }

    /** Has the settings read again from a configuration in the place of the host's. */
    public void reloadConfiguration(Configuration now) {
        config.reload(now);
        hints.leave(HintKind.CONFIGURATION_CHANGED);
    }

    /** What holds now. */
    public HealingConfig config() {
        return config.get();
    }

    public HealingMetricRegistry metrics() {
        return metrics;
    }

    public HealingMemory memory() {
        return memory;
    }

    /** The modes of the tables as they are now. */
    TableModes tableModes() {
        return new TableModes(host.configuration(), host.tables(), config::report);
    }

    private boolean mayGoOn() {
        try {
            hdfs.keepLoggedIn(nowMs());
        } catch (IOException | RuntimeException failure) {
            rareLog.warn(
                    "login", "Healing's Kerberos ticket could not be renewed; it is tried again", failure, nowMs());
        }
        brakeKeeper.keep(nowMs());
        return host.mayGoOn();
    }

    private HealingLoop newLoop() throws IOException {
        HdfsBridge bridge = hdfs.bridge();
        brakeKeeper.takeUp();
        HealingPorts ports = new HealingPorts(
                host.assignments(metrics, config::report),
                new RegionFolders(
                        bridge.storeFolders(),
                        host.tables(),
                        host.regions(),
                        bridge.rootFolder(),
                        bridge.pinsFavouredReplicas() && host.dealsOutFavouredNodes()),
                bridge.fileBlocks(),
                bridge.dataNodes(),
                bridge.placementRule(),
                bridge.mover(),
                host.localityRefresh(),
                bridge.nameNodePulse(),
                new ReadTimes(host, moveThreads),
                new AdminCompactor(host),
                Clock.system(ZoneId.systemDefault()));
        return new HealingLoop(ports, moveThreads::execute, hints, config, metrics, memory);
    }

    private void ended() {
        stop();
        try {
            hdfs.close();
        } catch (IOException | RuntimeException failure) {
            LOG.info("HDFS could not be left in order: {}", failure.toString());
        }
        atEnd.run();
    }

    private static long nowMs() {
        return System.nanoTime() / 1_000_000;
    }
}
