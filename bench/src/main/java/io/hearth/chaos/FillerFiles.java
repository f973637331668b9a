// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import io.hearth.testkit.embedded.ClusterHost;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Files of nobody's, of one replica each, that take room on the DataNode of one host. */
final class FillerFiles {

    private static final Path FOLDER = new Path("/hearth_chaos_ballast");
    private static final int DATANODE_PORT = 9866;
    private static final int MEBIBYTE = 1 << 20;

    private final DistributedFileSystem fileSystem;
    private int files;

    FillerFiles(DistributedFileSystem fileSystem) {
        this.fileSystem = fileSystem;
    }

    /** Writes so many bytes there, in files of this length and blocks of no more than a megabyte. */
    void write(ClusterHost host, long bytes, int fileBytes) throws IOException {
        InetSocketAddress[] there = {new InetSocketAddress(host.address(), DATANODE_PORT)};
        byte[] content = new byte[fileBytes];
        for (long i = 0; i < bytes / fileBytes; i++) {
            Path file = new Path(FOLDER, Integer.toString(files++));
            try (OutputStream out = fileSystem.create(
                    file, FsPermission.getFileDefault(), true, fileBytes, (short) 1, MEBIBYTE, null, there)) {
                out.write(content);
            }
        }
    }

    /** Deletes all of it. */
    void remove() throws IOException {
        fileSystem.delete(FOLDER, true);
    }
}
