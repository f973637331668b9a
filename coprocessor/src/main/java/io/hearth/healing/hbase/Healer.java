package io.hearth.healing.hbase;

import io.hearth.balancer.hbase.MasterLinks;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.locality.HealForecast;
import io.hearth.healing.config.HealAction;
import io.hearth.healing.hdfs.HdfsBridge;
import io.hearth.healing.loop.HealingLoop;
import io.hearth.healing.loop.HealingMemory;
import io.hearth.healing.loop.HealingPorts;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.trigger.HintBox;
import io.hearth.healing.trigger.HintKind;
import java.io.IOException;
import java.time.Clock;
import java.time.ZoneId;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.master.MasterFileSystem;
import org.apache.hadoop.hbase.master.MasterServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Healing in one HMaster, wired together: configuration, metrics, hints, the loop's thread and the threads that wait for
 * DataNodes. Started and stopped once. Thread-safe; nothing here blocks.
 */
final class Healer {

    private static final Logger LOG = LoggerFactory.getLogger(Healer.class);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final MasterServices services;
    private final HealingMetricRegistry metrics = new HealingMetricRegistry();
    private final LiveConfig config;
    private final HealingRunner runner;
    private final HintBox hints;
    private final ServerHints serverHints;
    private final ExecutorService moveThreads;
    // Held here: the balancer's link to it is weak.
    private final HealForecast forecast = this::isHealed;
    private final HealingMemory memory = new HealingMemory();
    private HdfsBridge hdfs;
    private volatile boolean started;
    private volatile boolean stopped;

    Healer(MasterServices services) {
        this.services = services;
        this.config = new LiveConfig(services.getConfiguration(), metrics);
        String name = "hearth-healer-" + services.getServerName().toShortString();
        this.runner = new HealingRunner(
                name,
                this::newLoop,
                () -> !services.isStopped() && !services.isAborted() && services.isActiveMaster(),
                () -> System.nanoTime() / 1_000_000,
                this::stop,
                metrics);
        this.hints = new HintBox(runner::wake);
        this.serverHints = new ServerHints(hints::leave);
        this.moveThreads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, name + "-move-" + NUMBER.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    HealingMetricRegistry metrics() {
        return metrics;
    }

    /** Begins to heal; the second time it does nothing. The master must be active and initialised. */
    synchronized void start() {
        if (started || stopped) {
            return;
        }
        started = true;
        ReaderSettings.advice(services.getConfiguration()).ifPresent(LOG::warn);
        services.getServerManager().registerListener(serverHints);
        show();
        runner.start();
        MasterLinks.offerHealForecast(services.getConfiguration(), forecast);
    }

    /** What an operator can see of this healer and ask of it. */
    HealingDesk desk() {
        return new HealingDesk(config, metrics, memory, hints);
    }

    /** Without JMX healing does its work all the same. */
    private void show() {
        try {
            new HealingView(memory).register();
        } catch (JMException | RuntimeException failure) {
            LOG.warn("Healing can't be seen in JMX: {}", failure.toString());
        }
    }

    /** Whether a region of this table is brought home after a move, as things are now. */
    private boolean isHealed(TableId table) {
        return started
                && !stopped
                && config.get().enabled()
                && config.get().conduct().mode() == HealAction.ACT
                && new TableModes(services.getTableDescriptors(), config::report).of(TableName.valueOf(table.name()))
                        != HealMode.OFF;
    }

    synchronized void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        runner.stop();
        moveThreads.shutdownNow();
        if (started) {
            services.getServerManager().unregisterListener(serverHints);
        }
        if (hdfs != null) {
            hdfs.close();
        }
    }

    synchronized boolean isStopped() {
        return stopped;
    }

    void hint(HintKind kind) {
        hints.leave(kind);
    }

    MasterServices services() {
        return services;
    }

    void reloadConfiguration() {
        config.reload();
        hints.leave(HintKind.CONFIGURATION_CHANGED);
    }

    private HealingLoop newLoop() throws IOException {
        HdfsBridge bridge = hdfsBridge();
        Configuration conf = services.getConfiguration();
        HealingPorts ports = new HealingPorts(
                new MasterAssignments(services, new MasterHeat(conf), metrics, config::report),
                new RegionFolders(
                        bridge.storeFolders(),
                        services.getTableDescriptors(),
                        MasterRegions.of(services.getAssignmentManager().getRegionStates()),
                        bridge.rootFolder(),
                        bridge.pinsFavouredReplicas() && services.getFavoredNodesManager() != null),
                bridge.fileBlocks(),
                bridge.dataNodes(),
                bridge.placementRule(),
                bridge.mover(),
                regions -> MasterLinks.localityRefresh(conf).ifPresent(refresh -> refresh.regionsChanged(regions)),
                bridge.nameNodePulse(),
                new ReadTimes(services, moveThreads),
                new MasterCompactor(services),
                Clock.system(ZoneId.systemDefault()));
        return new HealingLoop(ports, moveThreads::execute, hints, config, metrics, memory);
    }

    private synchronized HdfsBridge hdfsBridge() throws IOException {
        if (stopped) {
            throw new IOException("healing was stopped");
        }
        if (hdfs == null) {
            MasterFileSystem files = services.getMasterFileSystem();
            hdfs = HdfsBridge.to(
                    files.getFileSystem() instanceof HFileSystem hbase ? hbase.getBackingFs() : files.getFileSystem(),
                    files.getRootDir(),
                    services.getConfiguration());
        }
        return hdfs;
    }
}
