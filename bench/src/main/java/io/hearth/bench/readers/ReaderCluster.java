// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.Connection;

/** A cluster on which readers are watched while blocks move under them. */
interface ReaderCluster extends AutoCloseable {

    Connection connection();

    FileSystem fileSystem();

    /** What its DataNodes have read for clients since they started. */
    DataNodeReadStatistics served() throws IOException, InterruptedException;

    /** Moves every block of the table to the host that serves it, and returns how many were moved. */
    int makeLocal(ReaderTable table, String from, String to) throws Exception;

    /** What HDFS's client in the server has said of the table's files. */
    DfsClientEvents events() throws IOException;

    /** Closes the table's streams, and returns what the server on that host says of them. */
    StreamReadStatistics closeStreams(ReaderTable table, String host) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
