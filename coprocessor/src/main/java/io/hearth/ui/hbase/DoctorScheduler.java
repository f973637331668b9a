// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.balancer.engine.MasterWork;
import io.hearth.balancer.hbase.MasterMeter;
import io.hearth.doctor.check.Doctor;
import io.hearth.doctor.check.SeenDataNodes;
import io.hearth.doctor.hbase.ClusterProbe;
import io.hearth.doctor.hbase.ClusterProbe.DoctorLimits;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.NodeReadCache;
import io.hearth.healer.hbase.HealerAdmin;
import io.hearth.ui.model.PageInput.DoctorReport;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * Examines the cluster for the page every ten minutes while it is open, and on request, once a minute at most. Each round is on a
 * daemon thread of its own: it asks every process's web UI and HDFS within limits, and nobody waits for it. Thread-safe.
 */
public final class DoctorScheduler {

    private static final long EVERY_MS = 600_000;
    private static final long MIN_INTERVAL_MS = 60_000;

    private final Examination examination;
    private final Consumer<Throwable> failed;
    private long startedMs = Long.MIN_VALUE / 2;
    private volatile boolean isWanted;
    private volatile DoctorReport report = DoctorReport.NOT_YET;

    /** One round. */
    @FunctionalInterface
    interface Examination {
        Found of(Configuration conf) throws Exception;
    }

    /** What one round finds. Immutable. */
    record Found(List<Finding> findings, List<NodeReadCache> readCaches) {

        private static Found in(ProbedCluster cluster) {
            return new Found(Doctor.findings(cluster), cluster.readCaches());
        }
    }

    /**
     * The same in a master, whose healer is told what was seen of DataNodes, and whose metrics which are slow. A round takes minutes, and
     * what was seen in it is as old as its beginning: what the healer has seen since is newer. What a NameNode reports is as old as when it
     * was read.
     */
    private static Found inMaster(Configuration conf, UiMetrics metrics) throws IOException {
        Optional<HealerAdmin> healer = HealerAdmin.of(conf);
        long begunMs = healer.map(HealerAdmin::nowMs).orElse(0L);
        ProbedCluster cluster = ClusterProbe.examineInMaster(new Configuration(conf));
        metrics.slowNodes(SeenDataNodes.slowPeers(cluster), SeenDataNodes.slowDisks(cluster));
        healer.ifPresent(told ->
                told.dataNodeStates().take(SeenDataNodes.observations(cluster, begunMs, holdsMs()), told.nowMs()));
        return Found.in(cluster);
    }

    /** Until the end of the round after the next, as often as they come now. */
    private static long holdsMs() {
        return holdsMs(MasterMeter.shared().stretch(MasterWork.DOCTOR));
    }

    static long holdsMs(int stretch) {
        return 2 * EVERY_MS * stretch + DoctorLimits.IN_MASTER.time().toMillis();
    }

    /**
     * In the HMaster, whose files and settings are its own: two processes at once, five minutes in all ({@link DoctorLimits#IN_MASTER}).
     *
     * @param failed called when a round failed; earlier findings stay
     */
    static DoctorScheduler inMaster(UiMetrics metrics, Consumer<Throwable> failed) {
        return new DoctorScheduler(conf -> inMaster(conf, metrics), failed);
    }

    /**
     * The same anywhere else, with the configuration of a client: sixteen processes at once, five minutes in all ({@link
     * DoctorLimits#COMMAND_LINE}).
     */
    public static DoctorScheduler inClient(Consumer<Throwable> failed) {
        return new DoctorScheduler(
                conf -> Found.in(ClusterProbe.examine(new Configuration(conf), DoctorLimits.COMMAND_LINE)), failed);
    }

    DoctorScheduler(Examination examination, Consumer<Throwable> failed) {
        this.examination = examination;
        this.failed = failed;
    }

    /** What he found last, and whether he is on his round. */
    public DoctorReport report() {
        return report;
    }

    /** Asks for a round: the next call begins it, or the first one that is a minute after the last began. */
    public void requestRun() {
        isWanted = true;
    }

    /** Begins a round if it is time. Called by one thread alone. */
    public void runIfDue(Configuration conf, long nowMs) {
        runIfDue(conf, nowMs, 1);
    }

    /** The same, where rounds that nobody asks for come so many times less often. */
    void runIfDue(Configuration conf, long nowMs, int stretch) {
        // A round that began after now, by a clock that was set back, is long ago.
        boolean isEarly = nowMs >= startedMs && nowMs - startedMs < (isWanted ? MIN_INTERVAL_MS : EVERY_MS * stretch);
        if (report.isRunning() || isEarly) {
            return;
        }
        isWanted = false;
        startedMs = nowMs;
        DoctorReport last = report;
        report = new DoctorReport(
                OptionalLong.of(System.currentTimeMillis()), true, last.atMs(), last.findings(), last.readCaches());
        Thread thread = new Thread(() -> round(conf), "hearth-page-doctor");
        thread.setDaemon(true);
        thread.start();
    }

    private void round(Configuration conf) {
        DoctorReport begun = report;
        OptionalLong endedMs = begun.atMs();
        Found found = new Found(begun.findings(), begun.readCaches());
        try {
            found = examination.of(conf);
            endedMs = OptionalLong.of(System.currentTimeMillis());
        } catch (Throwable failure) {
            failed.accept(failure);
        } finally {
            report = new DoctorReport(begun.startedAtMs(), false, endedMs, found.findings(), found.readCaches());
        }
    }
}
