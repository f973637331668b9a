package io.hearth.web.hbase;

import io.hearth.doctor.check.Doctor;
import io.hearth.doctor.hbase.ClusterExaminer;
import io.hearth.doctor.hbase.DoctorLimits;
import io.hearth.web.model.DoctorWord;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * Examines the cluster for the page every ten minutes while somebody looks, on a daemon thread of its own for each round: it asks every process's web UI
 * and HDFS, each for seconds at most, as the user of this process, and nobody waits for it. Thread-safe.
 */
public final class DoctorRounds {

    private static final long EVERY_MS = 600_000;

    private final Consumer<Throwable> failed;
    private long startedMs = Long.MIN_VALUE / 2;
    private volatile boolean isOnRound;
    private volatile DoctorWord word = DoctorWord.NOT_YET;

    /** @param failed told of a round that came to nothing; what was found before stays */
    public DoctorRounds(Consumer<Throwable> failed) {
        this.failed = failed;
    }

    /** What he found last. */
    public DoctorWord word() {
        return word;
    }

    /** Begins a round if it is time. Called by one thread alone. */
    public void goIfDue(Configuration conf, long nowMs) {
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
            var findings = Doctor.findings(ClusterExaminer.examine(new Configuration(conf), DoctorLimits.IN_MASTER));
            word = new DoctorWord(OptionalLong.of(System.currentTimeMillis()), findings);
        } catch (Throwable failure) {
            failed.accept(failure);
        } finally {
            isOnRound = false;
        }
    }
}
