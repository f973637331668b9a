// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import org.jspecify.annotations.NullMarked;

/** Who reads a replica, by the name that HDFS gives the thread ({@code DataXceiver}): no argument says so. Pure. */
@NullMarked
final class ReaderThreads {

    private static final String CLIENT = "DataXceiver for client ";
    private static final String ADDRESS = " at ";
    private static final String SENDING = " [Sending block ";
    private static final String PASSING_DESCRIPTORS = " [Passing file descriptors for block ";

    private ReaderThreads() {}

    /** A client that reads over the network or asks for the files' descriptors; not another DataNode, a copy or a scanner. */
    static boolean isClient(String threadName) {
        return threadName.startsWith(CLIENT) && (threadName.contains(SENDING) || isShortCircuit(threadName));
    }

    /** A client with a name, to which the DataNode sends a block: a DataNode that reconstructs a block has none. */
    static boolean isRemoteClient(String threadName) {
        if (!threadName.startsWith(CLIENT)) {
            return false;
        }
        int address = threadName.indexOf(ADDRESS, CLIENT.length());
        return address > CLIENT.length() && threadName.indexOf(SENDING, address) >= 0;
    }

    /** A client on this host that asks for the files' descriptors, and will read by itself. */
    static boolean isShortCircuit(String threadName) {
        return threadName.startsWith(CLIENT) && threadName.contains(PASSING_DESCRIPTORS);
    }

    /** Whoever has the DataNode read a block: a client, another DataNode, the DataNode itself for a copy, a scanner. */
    static boolean isReader(String threadName) {
        return threadName.startsWith(CLIENT) || threadName.contains("DataNode$DataTransfer") || isScanner(threadName);
    }

    /** HDFS's scanner of a volume. */
    static boolean isScanner(String threadName) {
        return threadName.startsWith("VolumeScannerThread(");
    }
}
