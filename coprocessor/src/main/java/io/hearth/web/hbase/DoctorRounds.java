package io.hearth.web.hbase;

import io.hearth.balancer.log.RareLog;
import io.hearth.doctor.check.Doctor;
import io.hearth.doctor.hbase.ClusterExaminer;
import io.hearth.web.model.DoctorWord;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;

/**
 * Examines the cluster for the page every ten minutes while somebody looks, on a daemon thread of its own for each round: it asks every process's web UI
 * and HDFS, each for seconds at most, as the user of the HMaster, and nobody waits for it. Thread-safe.
 */
final class DoctorRounds {

    private static final long EVERY_MS = 600_000;

    private final PageMetrics metrics;
    private final RareLog rareLog;
    private long startedMs = Long.MIN_VALUE / 2;
    private volatile boolean isOnRound;
    private volatile DoctorWord word = DoctorWord.NOT_YET;

    DoctorRounds(PageMetrics metrics, RareLog rareLog) {
        this.metrics = metrics;
        this.rareLog = rareLog;
    }

    /** What he found last. */
    DoctorWord word() {
        return word;
    }

    /** Begins a round if it is time. Called by the publishing thread alone. */
    void goIfDue(Configuration conf, long nowMs) {
        if (isOnRound || nowMs - startedMs < EVERY_MS) {
            return;
        }
        startedMs = nowMs;
        isOnRound = true;
        Thread thread = new Thread(() -> round(conf), "hearth-page-doctor");
        thread.setDaemon(true);
        thread.start();
    }

    private void round(Configuration conf) {
        try {
            var findings = Doctor.findings(ClusterExaminer.examine(new Configuration(conf)));
            word = new DoctorWord(OptionalLong.of(System.currentTimeMillis()), findings);
        } catch (Throwable failure) {
            metrics.failed();
            rareLog.warn(
                    "doctor",
                    "The doctor could not examine the cluster for the page; what he found last is shown.",
                    failure,
                    System.nanoTime() / 1_000_000);
        } finally {
            isOnRound = false;
        }
    }
}
