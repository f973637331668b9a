// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.testkit.measure.FsckReport;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import io.hearth.testkit.measure.LocalitySnapshot.StoreFileBlock;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.ToolRunner;

/** What the NameNode says of the files of one family of a table, and fsck of all of HBase's. Thread-safe. */
public final class NameNodeInspector {

    private final FileSystem fileSystem;
    private final Configuration conf;
    private final Path root;
    private final Path table;
    private final String family;

    public NameNodeInspector(FileSystem fileSystem, Configuration conf, TableName table, byte[] family)
            throws IOException {
        this.fileSystem = fileSystem;
        this.conf = conf;
        this.root = CommonFSUtils.getRootDir(conf);
        this.table = CommonFSUtils.getTableDir(root, table);
        this.family = new String(family, StandardCharsets.UTF_8);
    }

    /** A region of the table, and the host of its RegionServer. */
    public record ServedRegion(RegionInfo info, String host) {}

    /** The regions of a table that have a server by hbase:meta, which names it until another has opened the region, though it died. */
    public static List<ServedRegion> served(Connection connection, TableName table) throws IOException {
        List<ServedRegion> served = new ArrayList<>();
        try (RegionLocator locator = connection.getRegionLocator(table)) {
            locator.clearRegionLocationCache();
            for (HRegionLocation location : locator.getAllRegionLocations()) {
                Optional.ofNullable(location.getServerName())
                        .ifPresent(server -> served.add(new ServedRegion(location.getRegion(), server.getHostname())));
            }
        }
        return served;
    }

    /** These regions on their hosts, with the blocks of their store files as the NameNode lists them now. */
    public LocalitySnapshot localitySnapshot(Collection<ServedRegion> served) throws IOException {
        List<RegionBlocks> regions = new ArrayList<>();
        for (ServedRegion region : served) {
            regions.add(blocks(region));
        }
        return new LocalitySnapshot(regions);
    }

    private RegionBlocks blocks(ServedRegion region) throws IOException {
        String name = region.info().getEncodedName();
        List<StoreFileBlock> blocks = new ArrayList<>();
        try {
            RemoteIterator<LocatedFileStatus> files =
                    fileSystem.listLocatedStatus(new Path(new Path(table, name), family));
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
        Configuration ofFsck = new Configuration(conf);
        // HBase wraps the cached file system's client in a proxy that fsck cannot look through.
        ofFsck.setBoolean("fs.hdfs.impl.disable.cache", true);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        PrintStream err = System.err;
        // It says on the error stream whom it asks.
        System.setErr(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        try (PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8)) {
            ToolRunner.run(new DFSck(ofFsck, out), new String[] {root.toUri().getPath()});
        } finally {
            System.setErr(err);
        }
        return FsckReport.parse(output.toString(StandardCharsets.UTF_8));
    }

    private static List<StoreFileBlock> blocks(HdfsLocatedFileStatus file) {
        return file.getLocatedBlocks().getLocatedBlocks().stream()
                .map(block -> block(block, file.getReplication()))
                .toList();
    }

    private static StoreFileBlock block(LocatedBlock block, int replication) {
        SortedMap<String, String> rackByHost = new TreeMap<>();
        for (DatanodeInfo node : block.getLocations()) {
            rackByHost.put(node.getHostName(), node.getNetworkLocation());
        }
        return new StoreFileBlock(
                block.getBlock().getBlockId(), block.getBlockSize(), replication, block.isCorrupt(), rackByHost);
    }
}
