// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.layout.ClusterLayout;
import io.hearth.testkit.process.system.SystemCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The disks of a process cluster's DataNodes: folders of the machine's disk, or a file system of its own for each, in memory and of a size,
 * so that it can be full. Making those takes root.
 */
final class DataNodeDisks {

    /** A file of nobody's beside HDFS's own. */
    private static final String FILLING = "filling";

    private static final int CHUNK = 64 << 10;

    private DataNodeDisks() {}

    /** Makes them, if the shape asks for their size. */
    static void up(ClusterFolder folder, ClusterLayout layout) throws IOException, InterruptedException {
        for (ClusterHost host : layout.workers()) {
            up(folder, layout, host);
        }
    }

    /** Makes that of one host, if the shape asks for its size. */
    static void up(ClusterFolder folder, ClusterLayout layout, ClusterHost host)
            throws IOException, InterruptedException {
        if (layout.clusterSpec().diskMegabytes() == 0) {
            return;
        }
        Path disk = Files.createDirectories(folder.disk(host));
        String size = "size=" + layout.clusterSpec().diskMegabytes() + "m,mode=700";
        try {
            SystemCommand.run("mount", "-t", "tmpfs", "-o", size, "hearth-" + layout.id(), disk.toString());
        } catch (IOException e) {
            throw new IOException("there can't be a disk for each DataNode: " + e.getMessage()
                    + "; start it as root, or leave out --disk-mb");
        }
    }

    /** Takes away those that are there. */
    static void down(ClusterFolder folder, ClusterLayout layout) throws IOException, InterruptedException {
        if (layout.clusterSpec().diskMegabytes() > 0) {
            for (ClusterHost host : layout.workers()) {
                // Lazily: a process that has just been killed may hold it a moment longer.
                SystemCommand.tryRun("umount", "-l", folder.disk(host).toString());
            }
        }
    }

    /** Writes until no byte is left; done again, it takes what has become free since. */
    static void fill(ClusterFolder folder, ClusterHost host) throws IOException {
        try (OutputStream out = Files.newOutputStream(
                folder.disk(host).resolve(FILLING), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            byte[] zeros = new byte[CHUNK];
            while (true) {
                out.write(zeros);
            }
        } catch (IOException e) {
            if (Files.getFileStore(folder.disk(host)).getUsableSpace() >= CHUNK) {
                throw e;
            }
        }
    }

    /** Gives back what {@link #fill} has taken. */
    static void free(ClusterFolder folder, ClusterHost host) throws IOException {
        Files.deleteIfExists(folder.disk(host).resolve(FILLING));
    }
}
