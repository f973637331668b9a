package io.hearth.bench.readers;

import java.io.IOException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * Bytes that the DataNodes have read for clients, by their own metrics. To a DataNode a client is local that calls from its
 * own address, which each host of the embedded cluster has; to the HDFS client there, no host is local. Immutable.
 *
 * @param total all of them, and those read for copies of replicas
 * @param remote those for clients elsewhere
 */
record ServedBytes(long total, long remote) {

    /** Since the DataNodes started. */
    static ServedBytes now(DistributedFileSystem fileSystem) throws IOException {
        long total = 0;
        long remote = 0;
        for (DatanodeInfo node : fileSystem.getClient().datanodeReport(DatanodeReportType.LIVE)) {
            MetricsCollectorImpl collector = new MetricsCollectorImpl();
            String source = "DataNodeActivity-" + node.getHostName() + "-" + node.getXferPort();
            DefaultMetricsSystem.instance().getSource(source).getMetrics(collector, true);
            total += value(collector, "BytesRead");
            remote += value(collector, "RemoteBytesRead");
        }
        return new ServedBytes(total, remote);
    }

    private static long value(MetricsCollectorImpl collector, String name) {
        for (var record : collector.getRecords()) {
            for (AbstractMetric metric : record.metrics()) {
                if (metric.name().equals(name)) {
                    return metric.value().longValue();
                }
            }
        }
        throw new IllegalStateException("A DataNode has no metric " + name);
    }

    /** The local share of what was read since then. */
    double localShareSince(ServedBytes earlier) {
        long bytes = total - earlier.total;
        return bytes == 0 ? 0 : 1 - (double) (remote - earlier.remote) / bytes;
    }
}
