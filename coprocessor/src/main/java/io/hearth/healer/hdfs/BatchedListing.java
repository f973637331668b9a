// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;

/** The call that lists several paths at once, where Hadoop has it: {@code getBatchedListing} (HDFS-13616, Hadoop 3.3). Thread-safe. */
@FunctionalInterface
interface BatchedListing {

    /**
     * Lists folders, and files as if each were a folder of itself alone.
     *
     * @param startAfter what the page before this one says of the next; empty for the first
     * @param located whether blocks and locations are asked for
     * @throws UnsupportedOperationException if this Hadoop client has no such call
     */
    Page list(String[] paths, byte[] startAfter, boolean located) throws IOException;

    /**
     * What one call answers.
     *
     * @param next for the next call, if there is more
     */
    record Page(List<PathListing> listings, Optional<byte[]> next) {}

    /**
     * A path's files and folders, or what the NameNode threw instead of them.
     *
     * @param path its place among those asked for
     */
    record PathListing(int path, List<HdfsFileStatus> files, Optional<RemoteException> failure) {}
}
