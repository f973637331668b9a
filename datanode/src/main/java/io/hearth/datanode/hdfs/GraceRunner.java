package io.hearth.datanode.hdfs;

import io.hearth.balancer.log.RareLog;
import io.hearth.datanode.grace.ReplicaGrace;
import io.hearth.datanode.grace.Replicas;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.Daemon;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The grace of one DataNode at work: its thread, its metrics, and the hook that issues what waits when the process is told to
 * end, because a DataNode that gets a SIGTERM does not shut its dataset down.
 *
 * <p>Thread-safe. Nothing is thrown: what fails is counted and logged, and the deletion is the caller's to do at once.
 */
public final class GraceRunner {

    private static final Logger LOG = LoggerFactory.getLogger(GraceRunner.class);

    /** The one Hadoop with which the tests run this jar. */
    private static final String RUN_WITH = "3.4.3";

    private static final long TURN_MS = 500;
    private static final long REFRESH_MS = 5_000;

    /** Before those of HDFS's own, which write down how much space the block pools use. */
    private static final int HOOK_PRIORITY = 50;

    private final ReplicaGrace grace;
    private final LiveGraceConfig config;
    private final Runnable afterRelease;
    private final RareLog rareLog = new RareLog(LOG);
    private final Daemon thread = new Daemon(this::run);
    private final Runnable hook = this::release;

    private GraceRunner(ReplicaGrace grace, LiveGraceConfig config, Runnable afterRelease) {
        this.grace = grace;
        this.config = config;
        this.afterRelease = afterRelease;
    }

    /**
     * Starts it.
     *
     * @param afterRelease waits, for a bounded time, until the deletions that were issued are done
     */
    public static GraceRunner start(Configuration conf, Replicas replicas, Runnable afterRelease) {
        LiveGraceConfig config = new LiveGraceConfig(conf);
        ReplicaGrace grace = new ReplicaGrace(replicas, config);
        GraceRunner runner = new GraceRunner(grace, config, afterRelease);
        untried(VersionInfo.getVersion()).ifPresent(LOG::warn);
        runner.registerMetrics();
        ShutdownHookManager.get().addShutdownHook(runner.hook, HOOK_PRIORITY);
        runner.thread.setName("hearth-grace");
        runner.thread.start();
        return runner;
    }

    /** A line for a Hadoop that this jar was not run with; it extends classes that are HDFS's own. */
    static Optional<String> untried(String hadoopVersion) {
        return hadoopVersion.equals(RUN_WITH)
                ? Optional.empty()
                : Optional.of("hearth-datanode.jar was run with Hadoop " + RUN_WITH + ", and this is " + hadoopVersion
                        + ": try it on one DataNode first. Without dfs.datanode.fsdataset.factory HDFS is as it was.");
    }

    private void registerMetrics() {
        try {
            DefaultMetricsSystem.instance()
                    .register(GraceMetrics.NAME, "The grace of replaced replicas", new GraceMetrics(grace, config));
        } catch (RuntimeException noMetrics) {
            failed("metrics", noMetrics);
        }
    }

    /** The grace itself, for deletions that are ordered and for block reports. */
    public ReplicaGrace grace() {
        return grace;
    }

    /** Counts and logs that the grace failed at this. */
    public void failed(String what, Throwable failure) {
        grace.countFailure();
        rareLog.warn(
                what,
                "The grace of replaced replicas failed at " + what + "; HDFS goes on without it: " + failure,
                failure,
                Time.monotonicNow());
    }

    private void run() {
        long refreshedMs = Time.monotonicNow();
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Thread.sleep(TURN_MS);
                long nowMs = Time.monotonicNow();
                if (nowMs - refreshedMs >= REFRESH_MS) {
                    refreshedMs = nowMs;
                    config.refresh(Time.monotonicNow());
                }
                grace.doWork(nowMs);
            } catch (InterruptedException stopped) {
                return;
            } catch (Throwable failure) {
                failed("a turn of its thread", failure);
                releaseAfterFailure();
            }
        }
    }

    private void releaseAfterFailure() {
        try {
            grace.failed();
        } catch (Throwable failure) {
            failed("a release after a failure", failure);
        }
    }

    /** Issues what waits in this block pool and waits until it is done. */
    public void releaseBlockPool(String blockPool) {
        try {
            if (grace.releaseBlockPool(blockPool) > 0) {
                afterRelease.run();
            }
        } catch (Throwable failure) {
            failed("the stop of " + blockPool, failure);
        }
    }

    /** Issues all that waits, lets nothing wait any more, and waits until it is done. */
    private void release() {
        try {
            int released = grace.stop();
            if (released > 0) {
                LOG.info("Issued {} deletions that were waiting", released);
                afterRelease.run();
            }
        } catch (Throwable failure) {
            failed("the stop of the DataNode", failure);
        }
    }

    /** Ends it for good; what waits is issued first. */
    public void stop() {
        release();
        try {
            thread.interrupt();
            ShutdownHookManager.get().removeShutdownHook(hook);
            DefaultMetricsSystem.instance().unregisterSource(GraceMetrics.NAME);
        } catch (RuntimeException | Error failure) {
            failed("its own end", failure);
        }
    }
}
