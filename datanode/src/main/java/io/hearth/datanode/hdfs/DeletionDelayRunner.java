// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.hdfs;

import io.hearth.common.hadoop.LinkFailure;
import io.hearth.common.log.RateLimitedLogger;
import io.hearth.datanode.deletion.ReplicaDeletionDelay;
import io.hearth.datanode.deletion.ReplicaDeletionDelay.DeletionDelayCounts;
import io.hearth.datanode.deletion.ReplicaDeletionDelay.DeletionDelayCounts.DeletionDelayCounter;
import io.hearth.datanode.deletion.Replicas;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.util.Daemon;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deletion delay of one DataNode at work: its thread, its metrics, and the shutdown hook that executes pending deletions when the process is told to
 * end, because a DataNode that gets a SIGTERM does not shut its dataset down.
 *
 * <p>Thread-safe. Nothing is thrown: what fails is counted and logged, and the deletion is the caller's to do at once.
 */
public final class DeletionDelayRunner {

    private static final Logger LOG = LoggerFactory.getLogger(DeletionDelayRunner.class);

    /** The Hadoops with which the tests run this jar, which is built with one of them. */
    private static final List<String> TESTED_HADOOP_VERSIONS = List.of("3.2.4", "3.3.6", "3.4.3", "3.5.0");

    private static final long TURN_MS = 500;

    /** Before those of HDFS's own, which write down how much space the block pools use. */
    private static final int HOOK_PRIORITY = 50;

    private final ReplicaDeletionDelay deletionDelay;
    private final LiveDataNodeConfig config;
    private final Runnable afterRelease;
    private final RateLimitedLogger rateLimitedLogger = new RateLimitedLogger(LOG);
    private final Daemon thread = new Daemon(this::run);
    private final Runnable hook = this::release;

    private DeletionDelayRunner(ReplicaDeletionDelay deletionDelay, LiveDataNodeConfig config, Runnable afterRelease) {
        this.deletionDelay = deletionDelay;
        this.config = config;
        this.afterRelease = afterRelease;
    }

    /**
     * Starts it.
     *
     * @param config is refreshed by its thread
     * @param afterRelease waits, for a bounded time, until the deletions that were issued are done
     */
    public static DeletionDelayRunner start(LiveDataNodeConfig config, Replicas replicas, Runnable afterRelease) {
        ReplicaDeletionDelay deletionDelay = new ReplicaDeletionDelay(replicas, config::deletionDelay);
        DeletionDelayRunner runner = new DeletionDelayRunner(deletionDelay, config, afterRelease);
        untried(VersionInfo.getVersion()).ifPresent(LOG::warn);
        runner.registerMetrics();
        ShutdownHookManager.get().addShutdownHook(runner.hook, HOOK_PRIORITY);
        runner.thread.setName("hearth-deletion-delay");
        runner.thread.start();
        return runner;
    }

    /** A line for a Hadoop that this jar was not run with; it extends classes that are HDFS's own. */
    static Optional<String> untried(String hadoopVersion) {
        return TESTED_HADOOP_VERSIONS.contains(hadoopVersion)
                ? Optional.empty()
                : Optional.of("hearth-datanode.jar was run with Hadoop "
                        + String.join(", ", TESTED_HADOOP_VERSIONS) + ", and this is " + hadoopVersion
                        + ": try it on one DataNode first. Without dfs.datanode.fsdataset.factory HDFS is as it was.");
    }

    private void registerMetrics() {
        MetricsSource metrics = new DeletionDelayMetrics(deletionDelay, config);
        try {
            DefaultMetricsSystem.instance()
                    .register(DeletionDelayMetrics.NAME, "The deletion delay of replaced replicas", (MetricsSource)
                            (collector, all) -> show(metrics, collector, all));
        } catch (RuntimeException noMetrics) {
            failed("metrics", noMetrics);
        }
    }

    /** An error of one source would end the thread that asks all of the DataNode's. */
    private void show(MetricsSource metrics, MetricsCollector collector, boolean all) {
        try {
            metrics.getMetrics(collector, all);
        } catch (LinkageError otherHadoop) {
            failed("metrics", otherHadoop);
        }
    }

    /** The deletion delay itself, for deletions that are ordered and for block reports. */
    public ReplicaDeletionDelay deletionDelay() {
        return deletionDelay;
    }

    /** Counts and logs that the deletion delay failed at this. */
    public void failed(String what, Throwable failure) {
        deletionDelay.countFailure();
        LinkFailure.warn(
                rateLimitedLogger,
                what,
                "The deletion delay of replaced replicas failed at " + what + "; HDFS goes on without it.",
                failure,
                System.nanoTime() / 1_000_000);
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Thread.sleep(TURN_MS);
                long nowMs = Time.monotonicNow();
                config.refresh(nowMs);
                deletionDelay.doWork(nowMs);
            } catch (InterruptedException stopped) {
                return;
            } catch (Throwable failure) {
                failed("a turn of its thread", failure);
                releaseAfterFailure();
            }
        }
    }

    /** Executes all pending deletions: nobody can tell any more what waits. */
    public void releaseAfterFailure() {
        try {
            deletionDelay.failed();
        } catch (Throwable failure) {
            failed("a release after a failure", failure);
        }
    }

    /** Executes the pending deletions of this block pool and waits until they are done. */
    public void releaseBlockPool(String blockPool) {
        try {
            if (deletionDelay.releaseBlockPool(blockPool) > 0) {
                afterRelease.run();
            }
        } catch (Throwable failure) {
            failed("the stop of " + blockPool, failure);
        }
    }

    /** Executes all pending deletions, delays none any more, and waits until they are done. */
    private void release() {
        try {
            int released = deletionDelay.stop();
            if (released > 0) {
                LOG.info("Issued {} deletions that were waiting", released);
                afterRelease.run();
            }
        } catch (Throwable failure) {
            failed("the stop of the DataNode", failure);
        }
    }

    /** Ends it for good; pending deletions are executed first. */
    public void stop() {
        release();
        try {
            thread.interrupt();
            ShutdownHookManager.get().removeShutdownHook(hook);
            DefaultMetricsSystem.instance().unregisterSource(DeletionDelayMetrics.NAME);
        } catch (RuntimeException | Error failure) {
            failed("its own end", failure);
        }
    }

    /** The deletion delay among the DataNode's metrics: {@code Hadoop:service=DataNode,name=HearthDeletionDelay} in JMX. Thread-safe. */
    public static final class DeletionDelayMetrics implements MetricsSource {

        /** The name of the source and of the bean. */
        public static final String NAME = "HearthDeletionDelay";

        /** The gauge of the delay as it was read last. */
        public static final String DELAY_MS = "DelayMs";

        private final ReplicaDeletionDelay deletionDelay;
        private final LiveDataNodeConfig config;

        DeletionDelayMetrics(ReplicaDeletionDelay deletionDelay, LiveDataNodeConfig config) {
            this.deletionDelay = deletionDelay;
            this.config = config;
        }

        @Override
        public void getMetrics(MetricsCollector collector, boolean all) {
            DeletionDelayCounts counts = deletionDelay.counts();
            MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
            gauge(record, "PendingReplicas", "Replicas whose deletion waits", counts.pendingReplicas());
            gauge(record, "PendingBytes", "Bytes of the replicas whose deletion waits", counts.pendingBytes());
            gauge(
                    record,
                    DELAY_MS,
                    "How long deletions wait; 0 if they don't",
                    config.deletionDelay().delayMs());
            gauge(
                    record,
                    "MaxReplicas",
                    "How many deletions wait at most",
                    config.deletionDelay().maxReplicas());
            gauge(
                    record,
                    "MaxBytes",
                    "Bytes of the replicas whose deletion waits, at most",
                    config.deletionDelay().maxBytes());
            gauge(record, "ConfigProblems", "hearth.datanode keys and values that can't be used", config.problems());
            for (DeletionDelayCounter counter : DeletionDelayCounter.values()) {
                record.addCounter(Interns.info(counter.metric(), counter.doc()), counts.count(counter));
            }
        }

        private static void gauge(MetricsRecordBuilder record, String name, String doc, long value) {
            record.addGauge(Interns.info(name, doc), value);
        }
    }
}
