// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.AuxiliaryProcess.OneShotProcess;
import io.hearth.testkit.process.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * HDFS's own Balancer, as a process of its own that is started again when it has ended, until it has done harm: it takes blocks from the host with the
 * fullest disk, which is the one that Hearth brings them to, because files of nobody's lie there too. Blocks of a megabyte are worth moving
 * to it by a setting; by default it leaves alone what is smaller than ten.
 */
final class HdfsBalancerFault {

    private static final Pattern MOVED = Pattern.compile("Successfully moved blk_(\\d+)");
    private static final int MEBIBYTE = 1 << 20;
    /** Of the ballast: too small for the Balancer, which has to take the table's blocks instead. */
    private static final int FILE_BYTES = MEBIBYTE / 2;

    private static final int LEAST_BLOCK_BYTES = 700_000;

    /** How much of the host's disk the ballast takes: far more than the percent that the Balancer does nothing about. */
    private static final double FILLER_SHARE = 0.15;

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final long POLL_MS = 500;

    private final ProcessCluster cluster;
    private final DistributedFileSystem fileSystem;
    private final HdfsFaults.FaultTimer hold;
    private final Consumer<String> say;
    private final OneShotProcess oneShotProcess;
    private final java.nio.file.Path log;

    HdfsBalancerFault(
            ProcessCluster cluster,
            DistributedFileSystem fileSystem,
            HdfsFaults.FaultTimer hold,
            Consumer<String> say) {
        this.cluster = cluster;
        this.fileSystem = fileSystem;
        this.hold = hold;
        this.say = say;
        this.oneShotProcess = new OneShotProcess(
                "hdfs-balancer",
                cluster.layout().nameNodeHosts().get(0),
                "org.apache.hadoop.hdfs.server.balancer.Balancer",
                List.of("-Ddfs.balancer.getBlocks.min-block-size=" + LEAST_BLOCK_BYTES, "-threshold", "1"));
        this.log = cluster.log(oneShotProcess);
    }

    /** Has it take blocks from that host, these among them, and go on for a while; returns when it has ended. */
    List<String> run(ClusterHost host, Set<Long> blocks) throws IOException, InterruptedException {
        int before = log().length();
        long bytes = (long) (FILLER_SHARE * cluster.layout().clusterSpec().diskMegabytes() * MEBIBYTE);
        FillerFiles fillerFiles = new FillerFiles(fileSystem);
        fillerFiles.write(host, bytes, FILE_BYTES);
        try {
            if (!InvariantCheck.await(LIMIT, POLL_MS, () -> keepsRunning() && moved(before, blocks) > 0)) {
                return List.of("HDFS's Balancer has moved no block of the table within " + LIMIT.toSeconds()
                        + " s; see " + log);
            }
            hold.hold();
            return List.of();
        } finally {
            cluster.end(oneShotProcess);
            fillerFiles.remove();
            say.accept("HDFS's Balancer moved " + moved(before, Set.of()) + " blocks, " + moved(before, blocks)
                    + " of them the table's");
        }
    }

    /** Starts it again when it has ended: as a service (-asService) it fails from its second round on, in Hadoop 3.4. */
    private boolean keepsRunning() {
        try {
            if (!cluster.runs(oneShotProcess)) {
                cluster.start(oneShotProcess);
            }
            return true;
        } catch (IOException e) {
            return false;
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
