// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import io.hearth.bench.readers.ReaderCluster.DataNodeReadStatistics;
import io.hearth.bench.readers.ReaderResult.BlockMoves;
import io.hearth.bench.readers.ReaderResult.StreamReadStatistics;
import io.hearth.testkit.embedded.EmbeddedCluster;
import io.hearth.testkit.embedded.ReplicaMover;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/**
 * The cluster in one JVM, in which each host has an address; to the HDFS client there, no host is local. Blocks are moved by a few lines
 * of the tests' own, which take the replica that is read.
 */
final class EmbeddedReaderCluster implements ReaderCluster {

    private static final int MOVES_AT_A_TIME = 4;

    private final EmbeddedCluster cluster;
    private final DfsClientLogAppender log;

    private EmbeddedReaderCluster(EmbeddedCluster cluster, DfsClientLogAppender log) {
        this.cluster = cluster;
        this.log = log;
    }

    static EmbeddedReaderCluster start(ReaderScenario scenario) throws Exception {
        EmbeddedCluster.Builder builder = EmbeddedCluster.builder().blockSizeBytes(ReaderScenario.BLOCK_BYTES);
        scenario.properties().forEach(builder::property);
        return new EmbeddedReaderCluster(builder.start(), DfsClientLogAppender.listen(ReaderTable.FOLDER));
    }

    @Override
    public Connection connection() {
        return cluster.connection();
    }

    @Override
    public FileSystem fileSystem() {
        return cluster.fileSystem();
    }

    @Override
    public DataNodeReadStatistics served() throws IOException {
        DataNodeReadStatistics all = DataNodeReadStatistics.NONE;
        for (DatanodeInfo node : cluster.fileSystem().getClient().datanodeReport(DatanodeReportType.LIVE)) {
            MetricsCollectorImpl collector = new MetricsCollectorImpl();
            String source = "DataNodeActivity-" + node.getHostName() + "-" + node.getXferPort();
            DefaultMetricsSystem.instance().getSource(source).getMetrics(collector, true);
            all = all.plus(
                    new DataNodeReadStatistics(value(collector, "BytesRead"), value(collector, "RemoteBytesRead")));
        }
        return all;
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

    /** What moves them here takes those of one host. */
    @Override
    public void spread(ReaderTable table, String writtenOn) {}

    @Override
    public BlockMoves makeLocal(ReaderTable table, String from, String to) throws Exception {
        ReplicaMover mover = new ReplicaMover(cluster.fileSystem());
        List<Callable<Integer>> tasks = table.storeFiles().stream()
                .map(file -> (Callable<Integer>) () -> mover.makeLocalFrom(file, to, from))
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(MOVES_AT_A_TIME);
        try {
            int moved = 0;
            for (Future<Integer> task : threads.invokeAll(tasks)) {
                moved += task.get();
            }
            return new BlockMoves(moved, false, 0);
        } catch (ExecutionException failure) {
            throw new IOException("A replica could not be moved", failure.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    @Override
    public DfsClientEvents events() {
        return log.events();
    }

    @Override
    public StreamReadStatistics closeStreams(ReaderTable table, String host) {
        return StreamReadStatistics.UNKNOWN;
    }

    @Override
    public void close() throws IOException {
        log.close();
        cluster.close();
    }

    /** Hears what HDFS's clients in this JVM say. Thread-safe. */
    private static final class DfsClientLogAppender extends AppenderSkeleton implements AutoCloseable {

        private static final Logger CLIENT = Logger.getLogger("org.apache.hadoop.hdfs.DFSClient");

        private final String folder;
        private final List<DfsClientEvents.Event> events = new CopyOnWriteArrayList<>();

        private DfsClientLogAppender(String folder) {
            this.folder = folder;
        }

        /** Listens until it is closed. */
        static DfsClientLogAppender listen(String folder) {
            DfsClientLogAppender log = new DfsClientLogAppender(folder);
            CLIENT.setLevel(Level.INFO);
            CLIENT.addAppender(log);
            return log;
        }

        @Override
        protected void append(LoggingEvent said) {
            DfsClientEvents.kind(said.getRenderedMessage(), folder)
                    .ifPresent(kind -> events.add(new DfsClientEvents.Event(kind, System.nanoTime())));
        }

        /** What was said so far. */
        DfsClientEvents events() {
            return new DfsClientEvents(events);
        }

        @Override
        public boolean requiresLayout() {
            return false;
        }

        @Override
        public void close() {
            CLIENT.removeAppender(this);
        }
    }
}
