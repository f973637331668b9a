package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import org.jspecify.annotations.NullMarked;

/** Who reads a replica, by the name that HDFS gives the thread: no argument says so. Pure. */
@NullMarked
final class ReaderThreads {

    private ReaderThreads() {}

    /** A client that reads over the network or asks for the files' descriptors; not another DataNode, a copy or a scanner. */
    static boolean isClient(String threadName) {
        return threadName.startsWith("DataXceiver for client ")
                && (threadName.contains(" [Sending block ")
                        || threadName.contains(" [Passing file descriptors for block "));
    }

    /** HDFS's scanner of a volume. */
    static boolean isScanner(String threadName) {
        return threadName.startsWith("VolumeScannerThread(");
    }
}
