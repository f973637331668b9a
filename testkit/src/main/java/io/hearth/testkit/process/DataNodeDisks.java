// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.layout.ClusterLayout;
import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.SiteSettings;
import io.hearth.testkit.process.system.SystemCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The disks and SSDs of a process cluster's DataNodes. A disk is a folder of the machine's, or a file system of its own in memory and of a
 * size, so that it can be full; an SSD is always one of its own. Making those takes root.
 */
final class DataNodeDisks {

    /** A file of nobody's beside those of the disk's owner. */
    private static final String FILLING = "filling";

    private static final int CHUNK = 64 << 10;
    private static final int MOST_ATTEMPTS = 100;

    private DataNodeDisks() {}

    /** Makes them, if the shape asks for their size. */
    static void up(ClusterFolder folder, ClusterLayout layout) throws IOException, InterruptedException {
        for (ClusterHost host : layout.workers()) {
            up(folder, layout, host);
        }
    }

    /** Makes those of one host, if the shape asks for their size. */
    static void up(ClusterFolder folder, ClusterLayout layout, ClusterHost host)
            throws IOException, InterruptedException {
        ClusterSpec spec = layout.clusterSpec();
        if (spec.diskMegabytes() > 0) {
            mount(folder.disk(host), spec.diskMegabytes(), "--disk-mb", layout.id());
        }
        if (spec.ssdMegabytes() > 0) {
            mount(folder.ssd(host), spec.ssdMegabytes(), "--ssd-mb", layout.id());
            Files.createDirectory(folder.ssd(host).resolve(SiteSettings.CACHE_FOLDER));
        }
    }

    private static void mount(Path disk, int megabytes, String option, String clusterId)
            throws IOException, InterruptedException {
        Files.createDirectories(disk);
        String size = "size=" + megabytes + "m,mode=700";
        try {
            SystemCommand.run("mount", "-t", "tmpfs", "-o", size, "hearth-" + clusterId, disk.toString());
        } catch (IOException e) {
            throw new IOException("there can't be a disk for each DataNode: " + e.getMessage()
                    + "; start it as root, or leave out " + option);
        }
    }

    /** Takes away those that are there. */
    static void down(ClusterFolder folder, ClusterLayout layout) throws IOException, InterruptedException {
        for (ClusterHost host : layout.workers()) {
            // Lazily: a process that has just been killed may hold it a moment longer.
            if (layout.clusterSpec().diskMegabytes() > 0) {
                SystemCommand.tryRun("umount", "-l", folder.disk(host).toString());
            }
            if (layout.clusterSpec().ssdMegabytes() > 0) {
                SystemCommand.tryRun("umount", "-l", folder.ssd(host).toString());
            }
        }
    }

    /** Writes until no byte is left; done again, it takes what has become free since. */
    static void fill(Path disk) throws IOException {
        fill(disk, Files.getFileStore(disk)::getUsableSpace);
    }

    /** How many bytes of a disk are free. */
    @FunctionalInterface
    interface FreeBytes {
        long get() throws IOException;
    }

    static void fill(Path disk, FreeBytes free) throws IOException {
        for (int attempt = 1; ; attempt++) {
            IOException failure = writeUntilItFails(disk);
            if (free.get() < CHUNK) {
                return;
            }
            // What the disk's owner has deleted meanwhile made room again.
            if (attempt == MOST_ATTEMPTS) {
                throw failure;
            }
        }
    }

    private static IOException writeUntilItFails(Path disk) {
        try (OutputStream out =
                Files.newOutputStream(disk.resolve(FILLING), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            byte[] zeros = new byte[CHUNK];
            while (true) {
                out.write(zeros);
            }
        } catch (IOException e) {
            return e;
        }
    }

    /** Gives back what {@link #fill} has taken. */
    static void free(Path disk) throws IOException {
        Files.deleteIfExists(disk.resolve(FILLING));
    }
}
