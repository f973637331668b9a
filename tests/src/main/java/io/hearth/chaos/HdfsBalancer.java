package io.hearth.chaos;

import io.hearth.cluster.ClusterHost;
import io.hearth.procs.Errand;
import io.hearth.procs.ProcessCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * HDFS's own Balancer, as a process of its own that is started again when it has ended, until it has done harm: it takes blocks from the host with the
 * fullest disk, which is the one that Hearth brings them to, because files of nobody's lie there too. Blocks of a megabyte are worth moving
 * to it by a setting; by default it leaves alone what is smaller than ten.
 */
final class HdfsBalancer {

    private static final Pattern MOVED = Pattern.compile("Successfully moved blk_(\\d+)");
    private static final Path BALLAST = new Path("/hearth_chaos_ballast");
    private static final int DATANODE_PORT = 9866;
    private static final int MEBIBYTE = 1 << 20;
    /** Of the ballast: too small for the Balancer, which has to take the table's blocks instead. */
    private static final int FILE_BYTES = MEBIBYTE / 2;

    private static final int LEAST_BLOCK_BYTES = 700_000;

    /** How much of the host's disk the ballast takes: far more than the percent that the Balancer does nothing about. */
    private static final double BALLAST_SHARE = 0.15;

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final long LOOK_MS = 500;

    private final ProcessCluster cluster;
    private final DistributedFileSystem fileSystem;
    private final HdfsFaults.Hold hold;
    private final Consumer<String> say;
    private final Errand errand;
    private final java.nio.file.Path log;

    HdfsBalancer(ProcessCluster cluster, DistributedFileSystem fileSystem, HdfsFaults.Hold hold, Consumer<String> say) {
        this.cluster = cluster;
        this.fileSystem = fileSystem;
        this.hold = hold;
        this.say = say;
        this.errand = new Errand(
                "hdfs-balancer",
                cluster.layout().nameNodeHosts().get(0),
                "org.apache.hadoop.hdfs.server.balancer.Balancer",
                List.of("-Ddfs.balancer.getBlocks.min-block-size=" + LEAST_BLOCK_BYTES, "-threshold", "1"));
        this.log = cluster.log(errand);
    }

    /** Has it take blocks from that host, these among them, and go on for a while; returns when it has ended. */
    List<String> run(ClusterHost host, Set<Long> blocks) throws IOException, InterruptedException {
        int before = log().length();
        layBallast(host);
        try {
            if (!Aftermath.await(LIMIT, LOOK_MS, () -> goesOn() && moved(before, blocks) > 0)) {
                return List.of("HDFS's Balancer has moved no block of the table within " + LIMIT.toSeconds()
                        + " s; see " + log);
            }
            hold.hold();
            return List.of();
        } finally {
            cluster.end(errand);
            fileSystem.delete(BALLAST, true);
            say.accept("HDFS's Balancer moved " + moved(before, Set.of()) + " blocks, " + moved(before, blocks)
                    + " of them the table's");
        }
    }

    /** Starts it again when it has ended: as a service (-asService) it fails from its second round on, in Hadoop 3.4. */
    private boolean goesOn() {
        try {
            if (!cluster.runs(errand)) {
                cluster.start(errand);
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void layBallast(ClusterHost host) throws IOException {
        InetSocketAddress[] there = {new InetSocketAddress(host.address(), DATANODE_PORT)};
        byte[] bytes = new byte[FILE_BYTES];
        long files = (long) (BALLAST_SHARE * cluster.layout().shape().diskMegabytes() * MEBIBYTE / FILE_BYTES);
        for (int i = 0; i < files; i++) {
            Path file = new Path(BALLAST, Integer.toString(i));
            try (OutputStream out = fileSystem.create(
                    file, FsPermission.getFileDefault(), true, FILE_BYTES, (short) 1, MEBIBYTE, null, there)) {
                out.write(bytes);
            }
        }
    }

    /** How many moves of these blocks its log tells of, beyond what was there before; of all blocks if none are named. */
    private long moved(int before, Set<Long> blocks) {
        return MOVED.matcher(log().substring(before))
                .results()
                .map(match -> Long.parseLong(match.group(1)))
                .filter(block -> blocks.isEmpty() || blocks.contains(block))
                .count();
    }

    private String log() {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            return "";
        }
    }
}
