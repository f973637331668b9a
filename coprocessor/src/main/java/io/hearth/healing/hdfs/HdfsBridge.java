package io.hearth.healing.hdfs;

import io.hearth.healing.execute.BlockMover;
import io.hearth.healing.observe.FileBlocks;
import io.hearth.healing.observe.LiveDataNodes;
import io.hearth.healing.observe.NameNodePulse;
import io.hearth.healing.observe.StoreFolders;
import io.hearth.healing.plan.PlacementRule;
import io.hearth.healing.plan.RackRule;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Every port of healing that HDFS answers, on one file system. Closing it leaves the file system open. Thread-safe. */
public final class HdfsBridge implements Closeable {

    private final NameNodeFiles files;
    private final NameNodeDataNodes dataNodes;
    private final PlacementRule placementRule;
    private final MoveTokens tokens;
    private final ReplaceBlockMover mover;
    private final NameNodeHealth health;

    private HdfsBridge(DistributedFileSystem fs, Configuration conf) {
        DataNodeBook book = new DataNodeBook();
        this.files = new NameNodeFiles(fs.getClient(), book);
        this.dataNodes = new NameNodeDataNodes(fs.getClient(), book, conf);
        this.placementRule = new RackRule().and(new NameNodePlacement(book, conf));
        this.tokens = new MoveTokens(fs, conf);
        this.mover = new ReplaceBlockMover(fs.getClient(), tokens, book, conf);
        this.health = new NameNodeHealth(fs.getClient());
    }

    /**
     * The bridge to this file system.
     *
     * @throws IOException if it is not HDFS
     */
    public static HdfsBridge to(FileSystem fs, Configuration conf) throws IOException {
        FileSystem inner = fs;
        while (inner instanceof FilterFileSystem filter) {
            inner = filter.getRawFileSystem();
        }
        if (inner instanceof DistributedFileSystem hdfs) {
            return new HdfsBridge(hdfs, conf);
        }
        throw new IOException("Healing moves replicas of HDFS blocks, and HBase's root folder is on " + inner.getUri()
                + ". Set hbase.rootdir to a folder in HDFS, or remove the observer.");
    }

    public StoreFolders storeFolders() {
        return files;
    }

    public FileBlocks fileBlocks() {
        return files;
    }

    public LiveDataNodes dataNodes() {
        return dataNodes;
    }

    /** The rack rule, and the placement policy that the configuration names. */
    public PlacementRule placementRule() {
        return placementRule;
    }

    public BlockMover mover() {
        return mover;
    }

    public NameNodePulse nameNodePulse() {
        return health;
    }

    @Override
    public void close() {
        tokens.close();
    }
}
