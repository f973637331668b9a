package io.hearth.datanode.hdfs;

import io.hearth.datanode.deletion.DeletionDelayCounter;
import io.hearth.datanode.deletion.DeletionDelayCounts;
import io.hearth.datanode.deletion.ReplicaDeletionDelay;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** The deletion delay among the DataNode's metrics: {@code Hadoop:service=DataNode,name=HearthDeletionDelay} in JMX. Thread-safe. */
public final class DeletionDelayMetrics implements MetricsSource {

    /** The name of the source and of the bean. */
    public static final String NAME = "HearthDeletionDelay";

    private final ReplicaDeletionDelay deletionDelay;
    private final LiveDeletionDelayConfig config;

    DeletionDelayMetrics(ReplicaDeletionDelay deletionDelay, LiveDeletionDelayConfig config) {
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
                "DelayMs",
                "How long deletions wait; 0 if they don't",
                config.get().delayMs());
        gauge(
                record,
                "MaxReplicas",
                "How many deletions wait at most",
                config.get().maxReplicas());
        gauge(
                record,
                "MaxBytes",
                "Bytes of the replicas whose deletion waits, at most",
                config.get().maxBytes());
        gauge(record, "ConfigProblems", "hearth.datanode keys and values that can't be used", config.problems());
        for (DeletionDelayCounter counter : DeletionDelayCounter.values()) {
            record.addCounter(Interns.info(counter.metric(), counter.doc()), counts.count(counter));
        }
    }

    private static void gauge(MetricsRecordBuilder record, String name, String doc, long value) {
        record.addGauge(Interns.info(name, doc), value);
    }
}
