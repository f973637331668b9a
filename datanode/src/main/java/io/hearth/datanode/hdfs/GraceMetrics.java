package io.hearth.datanode.hdfs;

import io.hearth.datanode.grace.GraceCounter;
import io.hearth.datanode.grace.GraceCounts;
import io.hearth.datanode.grace.ReplicaGrace;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** The grace among the DataNode's metrics: {@code Hadoop:service=DataNode,name=HearthGrace} in JMX. Thread-safe. */
public final class GraceMetrics implements MetricsSource {

    /** The name of the source and of the bean. */
    public static final String NAME = "HearthGrace";

    private final ReplicaGrace grace;
    private final LiveGraceConfig config;

    GraceMetrics(ReplicaGrace grace, LiveGraceConfig config) {
        this.grace = grace;
        this.config = config;
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        GraceCounts counts = grace.counts();
        MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
        gauge(record, "PendingReplicas", "Replicas whose deletion waits", counts.pendingReplicas());
        gauge(record, "PendingBytes", "Bytes of the replicas whose deletion waits", counts.pendingBytes());
        gauge(
                record,
                "GraceMs",
                "How long deletions wait; 0 if they don't",
                config.get().graceMs());
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
        for (GraceCounter counter : GraceCounter.values()) {
            record.addCounter(Interns.info(counter.metric(), counter.doc()), counts.count(counter));
        }
    }

    private static void gauge(MetricsRecordBuilder record, String name, String doc, long value) {
        record.addGauge(Interns.info(name, doc), value);
    }
}
