package io.hearth.chaos;

import io.hearth.cluster.ClusterHost;
import io.hearth.procs.ProcessCluster;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/** What HDFS refuses for a while, as HDFS's superuser has it: room on a disk, and access to a table's files. */
final class HdfsFaults {

    private static final FsPermission NOBODY = new FsPermission((short) 0);

    private final ProcessCluster cluster;
    private final DistributedFileSystem fileSystem;
    private final Hold hold;

    HdfsFaults(ProcessCluster cluster, DistributedFileSystem fileSystem, Hold hold) {
        this.cluster = cluster;
        this.fileSystem = fileSystem;
        this.hold = hold;
    }

    /** Waits as long as a fault lasts. */
    @FunctionalInterface
    interface Hold {
        void hold() throws InterruptedException;
    }

    /** Leaves no byte on the disk of that host's DataNode. */
    List<String> fillDisk(ClusterHost host) throws IOException, InterruptedException {
        cluster.setDiskFull(host, true);
        try {
            hold.hold();
            long remaining = remaining(host);
            return remaining < fileSystem.getDefaultBlockSize(new Path("/"))
                    ? List.of()
                    : List.of("by the NameNode's word " + remaining + " bytes are free on the full disk of "
                            + host.name());
        } finally {
            cluster.setDiskFull(host, false);
        }
    }

    private long remaining(ClusterHost host) throws IOException {
        return Arrays.stream(fileSystem.getDataNodeStats())
                .filter(node -> node.getHostName().equals(host.name()))
                .mapToLong(DatanodeInfo::getRemaining)
                .sum();
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
