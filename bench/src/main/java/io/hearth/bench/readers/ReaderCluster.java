// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import io.hearth.bench.readers.ReaderResult.BlockMoves;
import io.hearth.bench.readers.ReaderResult.StreamReadStatistics;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.Connection;

/** A cluster on which readers are watched while blocks move under them. */
interface ReaderCluster extends AutoCloseable {

    Connection connection();

    FileSystem fileSystem();

    /** What its DataNodes have read for clients since they started. */
    DataNodeReadStatistics served() throws IOException, InterruptedException;

    /** Spreads the replicas of the table, which was just written, so that it takes more than one DataNode's to make it local. */
    void spread(ReaderTable table, String writtenOn) throws Exception;

    /** Moves every block of the table to the host that serves it. */
    BlockMoves makeLocal(ReaderTable table, String from, String to) throws Exception;

    /** What HDFS's client in the server has said of the table's files. */
    DfsClientEvents events() throws IOException;

    /** Closes the table's streams, and returns what the server on that host says of them. */
    StreamReadStatistics closeStreams(ReaderTable table, String host) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;

    /**
     * Bytes that the DataNodes have read for clients, by their own metrics. To a DataNode a client is local that calls from its
     * own address. Short-circuit reads are in neither figure: no DataNode reads for them. Immutable.
     *
     * @param total all of them, and those read for copies of replicas
     * @param remote those for clients elsewhere
     */
    record DataNodeReadStatistics(long total, long remote) {

        static final DataNodeReadStatistics NONE = new DataNodeReadStatistics(0, 0);

        DataNodeReadStatistics plus(DataNodeReadStatistics other) {
            return new DataNodeReadStatistics(total + other.total, remote + other.remote);
        }

        DataNodeReadStatistics since(DataNodeReadStatistics earlier) {
            return new DataNodeReadStatistics(total - earlier.total, remote - earlier.remote);
        }

        /**
         * The local share of what was read, where the readers have got this many bytes: as much must have been read at least, through a
         * DataNode or past it.
         */
        double localShare(long gotBytes) {
            long bytes = Math.max(total, gotBytes);
            return bytes == 0 ? 0 : 1 - (double) remote / bytes;
        }

        /** The share of what the readers have got that certainly came past the DataNodes. */
        double shortCircuitShare(long gotBytes) {
            return gotBytes == 0 ? 0 : Math.max(0, 1 - (double) total / gotBytes);
        }
    }
}
