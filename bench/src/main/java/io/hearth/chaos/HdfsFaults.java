// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.ProcessCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/** What HDFS refuses or changes for a while, as its superuser has it: room on a disk, access to a table's files, their replication. */
final class HdfsFaults {

    private static final long FILL_MS = 200;

    /** By then a DataNode has told the NameNode what is free. */
    private static final Duration HEARTBEATS = Duration.ofSeconds(10);

    private static final FsPermission NOBODY = new FsPermission((short) 0);

    private final ProcessCluster cluster;
    private final DistributedFileSystem fileSystem;
    private final FaultTimer hold;

    HdfsFaults(ProcessCluster cluster, DistributedFileSystem fileSystem, FaultTimer hold) {
        this.cluster = cluster;
        this.fileSystem = fileSystem;
        this.hold = hold;
    }

    /** Waits as long as a fault lasts. */
    @FunctionalInterface
    interface FaultTimer {
        void hold() throws InterruptedException;
    }

    /** Leaves no byte on the disk of that host's DataNode: what is deleted there meanwhile is taken as well. */
    List<String> fillDisk(ClusterHost host) throws IOException, InterruptedException {
        ScheduledExecutorService filler = Executors.newSingleThreadScheduledExecutor();
        try {
            cluster.setDiskFull(host, true);
            Future<?> unused = filler.scheduleWithFixedDelay(() -> fill(host), FILL_MS, FILL_MS, TimeUnit.MILLISECONDS);
            hold.hold();
            long least = fileSystem.getDefaultBlockSize(new Path("/"));
            return InvariantCheck.await(HEARTBEATS, FILL_MS, () -> remaining(host) < least)
                    ? List.of()
                    : List.of("the NameNode says that " + remaining(host) + " bytes are free on the full disk of "
                            + host.name());
        } finally {
            filler.shutdownNow();
            filler.awaitTermination(HEARTBEATS.toSeconds(), TimeUnit.SECONDS);
            cluster.setDiskFull(host, false);
        }
    }

    private void fill(ClusterHost host) {
        try {
            cluster.setDiskFull(host, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long remaining(ClusterHost host) {
        try {
            return Arrays.stream(fileSystem.getDataNodeStats())
                    .filter(node -> node.getHostName().equals(host.name()))
                    .mapToLong(DatanodeInfo::getRemaining)
                    .sum();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    /** As {@code hdfs dfs -setrep} does: one replica less of each file below that folder, and as many as before later. */
    List<String> changeReplication(Path folder) throws IOException, InterruptedException {
        Map<Path, Short> before = new HashMap<>();
        RemoteIterator<LocatedFileStatus> files = fileSystem.listFiles(folder, true);
        while (files.hasNext()) {
            LocatedFileStatus file = files.next();
            before.put(file.getPath(), file.getReplication());
        }
        setReplication(before, -1);
        try {
            hold.hold();
        } finally {
            setReplication(before, 0);
        }
        return List.of();
    }

    /** A file that has gone meanwhile is passed over. */
    private void setReplication(Map<Path, Short> replicationByFile, int more) throws IOException {
        for (Map.Entry<Path, Short> file : replicationByFile.entrySet()) {
            boolean unused = fileSystem.setReplication(file.getKey(), (short) Math.max(1, file.getValue() + more));
        }
    }

    /** Lets nobody but the superuser into that folder of HBase's, whose own user, and so the healer, is none. */
    List<String> takePermission(Path folder) throws IOException, InterruptedException {
        FsPermission before = fileSystem.getFileStatus(folder).getPermission();
        fileSystem.setPermission(folder, NOBODY);
        try {
            hold.hold();
        } finally {
            fileSystem.setPermission(folder, before);
        }
        return List.of();
    }
}
