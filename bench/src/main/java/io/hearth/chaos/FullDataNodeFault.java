// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.measure.BlockSnapshot;
import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import io.hearth.testkit.process.ProcessCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * An operator's files fill a DataNode beyond the marks of the healer (0.90 used, 5 % remaining) but not to the last byte, and then regions
 * come to its host: HDFS would go on taking blocks there, and the healer must not.
 */
final class FullDataNodeFault {

    private static final int FILE_BYTES = 4 << 20;

    /** The share of its capacity that files of the fault leave free on the DataNode. */
    private static final double REMAINING_SHARE = 0.03;

    /** Below this free share of its capacity the DataNode counts as full: below the healer's 5 %, even when blocks of a region leave. */
    private static final double FULL_SHARE = 0.04;

    /** For the NameNode to be told, for the healer to be told by it, and for the healer to look at a region. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static final long POLL_MS = 200;

    /** By then a DataNode has told the NameNode what is free. */
    private static final long HEARTBEATS_MS = 7_000;

    /** The healer's list of DataNodes is 10 s old at most: what it plans after that knows that this one is full. */
    private static final long LIST_AGE_MS = 11_000;

    private final ProcessCluster cluster;
    private final DistributedFileSystem fileSystem;
    private final HearthMetricsReader metrics;
    private final Admin admin;
    private final HdfsFaults.FaultTimer hold;

    FullDataNodeFault(
            ProcessCluster cluster,
            DistributedFileSystem fileSystem,
            HearthMetricsReader metrics,
            Admin admin,
            HdfsFaults.FaultTimer hold) {
        this.cluster = cluster;
        this.fileSystem = fileSystem;
        this.metrics = metrics;
        this.admin = admin;
        this.hold = hold;
    }

    /** Fills the DataNode of another host than that to which blocks move already, has regions come there, and deletes the files again. */
    List<String> run(ClusterHost busy, ChaosTable table) throws IOException, InterruptedException {
        Optional<ClusterHost> host = lackingMost(busy, table);
        if (host.isEmpty()) {
            return List.of("no host but " + busy.name() + " lacks blocks of regions that others serve");
        }
        FillerFiles fillerFiles = new FillerFiles(fileSystem);
        // The balancer would take the regions away again.
        admin.balancerSwitch(false, true);
        try {
            fill(host.get(), fillerFiles);
            return moveRegionsTo(host.get(), table);
        } finally {
            fillerFiles.remove();
            admin.balancerSwitch(true, true);
        }
    }

    private Optional<ClusterHost> lackingMost(ClusterHost busy, ChaosTable table) {
        return cluster.layout().workers().stream()
                .filter(host -> !host.equals(busy) && remoteBlocks(table, host) > 0)
                .max(Comparator.comparingInt(host -> remoteBlocks(table, host)));
    }

    private static int remoteBlocks(ChaosTable table, ClusterHost host) {
        try {
            return table.regionsRemoteTo(host.name()).size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is deleted there meanwhile is taken as well. */
    private void fill(ClusterHost host, FillerFiles fillerFiles) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!isFull(host) && System.nanoTime() < deadline) {
            DatanodeInfo node = node(host);
            fillerFiles.write(host, node.getRemaining() - (long) (REMAINING_SHARE * node.getCapacity()), FILE_BYTES);
            Thread.sleep(HEARTBEATS_MS);
        }
    }

    private List<String> moveRegionsTo(ClusterHost host, ChaosTable table) throws IOException, InterruptedException {
        if (!isFull(host)) {
            return List.of("the NameNode says that " + freeBytes(host) + " bytes are free on " + host.name());
        }
        if (!cluster.layout().clusterSpec().hearth()) {
            table.moveTo(server(host));
            hold.hold();
            return List.of();
        }
        if (!healerKnows(host, table)) {
            return List.of("the healer has made no region local, of which " + host.name()
                    + " has every block, to another host within " + LIMIT.toSeconds() + " s");
        }
        Thread.sleep(LIST_AGE_MS);
        long refused = refusedForRoom();
        BlockSnapshot before = BlockSnapshot.of(table.localitySnapshot());
        table.moveTo(server(host));
        if (!InvariantCheck.await(LIMIT, POLL_MS, () -> refusedForRoom() > refused)) {
            return List.of("the healer has not called a block TARGET_FULL within " + LIMIT.toSeconds() + " s, with "
                    + freeBytes(host) + " bytes free on " + host.name());
        }
        hold.hold();
        long brought = brought(host.name(), before, BlockSnapshot.of(table.localitySnapshot()));
        return brought == 0
                ? List.of()
                : List.of(brought + " blocks were brought to " + host.name() + " while its DataNode was full");
    }

    /**
     * Has the healer look at a region of which that host has every block, so that it learns from their locations what is free there, as it
     * must where it is no superuser of HDFS's: the region is moved to a host that lacks one, and becomes local.
     */
    private boolean healerKnows(ClusterHost host, ChaosTable table) throws IOException, InterruptedException {
        for (RegionBlocks region : table.localitySnapshot().regions()) {
            Optional<ClusterHost> lacking = cluster.layout().workers().stream()
                    .filter(other -> !isOn(region, other.name()))
                    .findFirst();
            if (isOn(region, host.name()) && lacking.isPresent()) {
                String there = lacking.get().name();
                admin.move(Bytes.toBytes(region.region()), server(lacking.get()));
                return InvariantCheck.await(LIMIT, POLL_MS, () -> isLocal(table, region.region(), there));
            }
        }
        return false;
    }

    private static boolean isOn(RegionBlocks region, String host) {
        return region.blocks().stream().allMatch(block -> block.isOn(host));
    }

    private static boolean isLocal(ChaosTable table, String name, String host) {
        try {
            return table.localitySnapshot().regions().stream()
                    .anyMatch(region ->
                            region.region().equals(name) && region.host().equals(host) && isOn(region, host));
        } catch (IOException e) {
            return false;
        }
    }

    /** How many blocks of the first census have a replica there by the second, and had none. */
    private static long brought(String host, BlockSnapshot first, BlockSnapshot second) {
        return first.blocksById().values().stream()
                .filter(block -> !block.isOn(host))
                .map(block -> second.blocksById().get(block.blockId()))
                .filter(block -> block != null && block.isOn(host))
                .count();
    }

    private long refusedForRoom() {
        return metrics.refusedForRoom().orElse(0L);
    }

    private boolean isFull(ClusterHost host) {
        try {
            return freeBytes(host) < FULL_SHARE * node(host).getCapacity();
        } catch (IOException e) {
            return false;
        }
    }

    private long freeBytes(ClusterHost host) throws IOException {
        return node(host).getRemaining();
    }

    private DatanodeInfo node(ClusterHost host) throws IOException {
        return Arrays.stream(fileSystem.getDataNodeStats())
                .filter(node -> node.getHostName().equals(host.name()))
                .findFirst()
                .orElseThrow(() -> new IOException("There is no DataNode on " + host.name()));
    }

    private ServerName server(ClusterHost host) throws IOException {
        return ChaosRun.server(admin, host);
    }
}
