package io.hearth.demo;

import io.hearth.cluster.EmbeddedCluster;
import io.hearth.demo.measure.BlockReplicas;
import io.hearth.demo.measure.ClusterReport;
import io.hearth.demo.measure.FsckReport;
import io.hearth.demo.measure.LocalityCensus;
import io.hearth.demo.measure.RegionBlocks;
import io.hearth.demo.measure.RegionCounters;
import io.hearth.demo.measure.ServerReport;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.ToolRunner;

/**
 * The demo's own eyes: the RegionServers' reports as the master hands them to any client, the
 * master's assignments, and the NameNode. Nothing of Hearth is asked. Thread-safe.
 */
public final class ClusterWatch {
    private final EmbeddedCluster cluster;
    private final Path tableDirectory;
    private final Path root;

    public ClusterWatch(EmbeddedCluster cluster) throws IOException {
        this.cluster = cluster;
        this.root = CommonFSUtils.getRootDir(cluster.configuration());
        this.tableDirectory = CommonFSUtils.getTableDir(root, DemoTable.NAME);
    }

    /** The latest report of every live RegionServer. */
    ClusterReport report() throws IOException {
        ClusterMetrics metrics = cluster.admin().getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS));
        return ClusterReport.of(metrics.getLiveServerMetrics().values().stream()
                .map(ClusterWatch::report)
                .toList());
    }

    /** A region of the table, open on the RegionServer of this host. */
    public record ServedRegion(RegionInfo info, String host) {}

    /** Which region is on which host, by the master's assignments; regions that are not open are left out. */
    public List<ServedRegion> served() {
        return cluster.master().getAssignmentManager().getRegionStates().getRegionStateNodes().stream()
                .filter(node -> node.getTable().equals(DemoTable.NAME))
                .filter(node -> node.isInState(RegionState.State.OPEN))
                .map(node -> new ServedRegion(
                        node.getRegionInfo(), node.getRegionLocation().getHostname()))
                .toList();
    }

    /** Every region on its host, with the blocks of its store files as the NameNode lists them now. */
    public LocalityCensus census() throws IOException {
        List<RegionBlocks> regions = new ArrayList<>();
        for (ServedRegion region : served()) {
            regions.add(blocks(region));
        }
        return new LocalityCensus(regions);
    }

    private RegionBlocks blocks(ServedRegion region) throws IOException {
        String name = region.info().getEncodedName();
        List<BlockReplicas> blocks = new ArrayList<>();
        Path family = new Path(new Path(tableDirectory, name), new String(DemoTable.FAMILY, StandardCharsets.UTF_8));
        try {
            RemoteIterator<LocatedFileStatus> files = cluster.fileSystem().listLocatedStatus(family);
            while (files.hasNext()) {
                blocks.addAll(blocks((HdfsLocatedFileStatus) files.next()));
            }
        } catch (FileNotFoundException e) {
            return new RegionBlocks(name, region.host(), List.of());
        }
        return new RegionBlocks(name, region.host(), blocks);
    }

    /** HDFS's own fsck over all of HBase's files. */
    public FsckReport fsck() throws Exception {
        Configuration conf = cluster.configuration();
        // HBase wraps the cached file system's client in a proxy that fsck cannot look through.
        conf.setBoolean("fs.hdfs.impl.disable.cache", true);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        PrintStream err = System.err;
        // It says on the error stream whom it asks.
        System.setErr(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        try (PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8)) {
            ToolRunner.run(new DFSck(conf, out), new String[] {root.toUri().getPath()});
        } finally {
            System.setErr(err);
        }
        return FsckReport.parse(output.toString(StandardCharsets.UTF_8));
    }

    private static ServerReport report(ServerMetrics server) {
        SortedMap<String, RegionCounters> countersByRegion = new TreeMap<>();
        for (RegionMetrics region : server.getRegionMetrics().values()) {
            if (RegionInfo.getTable(region.getRegionName()).equals(DemoTable.NAME)) {
                countersByRegion.put(
                        RegionInfo.encodeRegionName(region.getRegionName()),
                        new RegionCounters(
                                region.getReadRequestCount(),
                                region.getWriteRequestCount(),
                                (long) region.getStoreFileSize().get(Size.Unit.BYTE),
                                region.getDataLocality()));
            }
        }
        return new ServerReport(server.getServerName().getHostname(), server.getReportTimestamp(), countersByRegion);
    }

    private static List<BlockReplicas> blocks(HdfsLocatedFileStatus file) {
        return file.getLocatedBlocks().getLocatedBlocks().stream()
                .map(block -> block(block, file.getReplication()))
                .toList();
    }

    private static BlockReplicas block(LocatedBlock block, int replication) {
        SortedMap<String, String> rackByHost = new TreeMap<>();
        for (DatanodeInfo node : block.getLocations()) {
            rackByHost.put(node.getHostName(), node.getNetworkLocation());
        }
        return new BlockReplicas(
                block.getBlock().getBlockId(), block.getBlockSize(), replication, block.isCorrupt(), rackByHost);
    }
}
