package io.hearth.healing.hdfs;

import io.hearth.healing.execute.BlockMover;
import io.hearth.healing.lock.HealerLock;
import io.hearth.healing.loop.BrakeStore;
import io.hearth.healing.observe.FileBlocks;
import io.hearth.healing.observe.LiveDataNodes;
import io.hearth.healing.observe.NameNodePulse;
import io.hearth.healing.observe.StoreFolders;
import io.hearth.healing.plan.PlacementRule;
import io.hearth.healing.plan.RackRule;
import io.hearth.healing.plan.UpgradeDomainRule;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Every port of healing that HDFS answers, on one name service. Closing it leaves the file system open. Thread-safe. */
public final class HdfsBridge implements Closeable {

    private final Path rootFolder;
    private final NameNodeFiles files;
    private final NameNodeDataNodes dataNodes;
    private final PlacementRule placementRule;
    private final boolean pinsFavouredReplicas;
    private final MoveTokens tokens;
    private final ReplaceBlockMover mover;
    private final NameNodeHealth health;
    private final HealerLock lock;
    private final BrakeStore brake;

    private HdfsBridge(DistributedFileSystem fs, Path rootFolder, Configuration conf) throws IOException {
        this.rootFolder = rootFolder;
        DataNodeBook book = new DataNodeBook();
        this.files = new NameNodeFiles(fs.getClient(), book);
        this.dataNodes = new NameNodeDataNodes(fs.getClient(), book, conf);
        this.placementRule = new RackRule()
                .and(new UpgradeDomainRule(conf.getInt(
                        DFSConfigKeys.DFS_UPGRADE_DOMAIN_FACTOR, DFSConfigKeys.DFS_UPGRADE_DOMAIN_FACTOR_DEFAULT)))
                .and(new NameNodePlacement(book, conf));
        this.pinsFavouredReplicas = conf.getBoolean(
                DFSConfigKeys.DFS_DATANODE_BLOCK_PINNING_ENABLED,
                DFSConfigKeys.DFS_DATANODE_BLOCK_PINNING_ENABLED_DEFAULT);
        this.tokens = new MoveTokens(fs, conf);
        RouterCheck routerCheck =
                new RouterCheck(fs.getUri(), () -> tokens.nameNode().isUpgradeFinalized());
        this.mover = new ReplaceBlockMover(fs.getClient(), tokens, routerCheck, book, conf);
        this.health = new NameNodeHealth(fs.getClient());
        this.lock = new LeaseLock(fs, rootFolder);
        this.brake = new BrakeFile(fs, rootFolder);
    }

    /**
     * The bridge to the name service that has this folder. All of HBase's root folder is in one: HBase renames files between
     * its data, its archive and its MOB files. A mount table (ViewFs) is followed to it. HDFS is asked as the user that this is
     * called as.
     *
     * @throws IOException if it is not HDFS
     */
    public static HdfsBridge to(FileSystem fs, Path rootFolder, Configuration conf) throws IOException {
        FileSystem inner = unwrapped(fs);
        if (inner instanceof DistributedFileSystem hdfs) {
            return new HdfsBridge(hdfs, rootFolder, conf);
        }
        Path mounted = inner.resolvePath(rootFolder);
        FileSystem there = unwrapped(mounted.getFileSystem(conf));
        if (there instanceof DistributedFileSystem hdfs) {
            return new HdfsBridge(hdfs, mounted, conf);
        }
        throw new IOException("Healing moves replicas of HDFS blocks, and HBase's root folder is on " + there.getUri()
                + ". Set hbase.rootdir to a folder in HDFS, or remove the observer.");
    }

    private static FileSystem unwrapped(FileSystem fs) {
        FileSystem inner = fs;
        while (inner instanceof FilterFileSystem filter) {
            inner = filter.getRawFileSystem();
        }
        return inner;
    }

    /** HBase's root folder as the name service calls it. */
    public Path rootFolder() {
        return rootFolder;
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

    /** The rules of racks and upgrade domains, and the placement policy that the configuration names. */
    public PlacementRule placementRule() {
        return placementRule;
    }

    /** Whether DataNodes pin the replicas that a writer has placed on favoured nodes, by the master's configuration. */
    public boolean pinsFavouredReplicas() {
        return pinsFavouredReplicas;
    }

    public BlockMover mover() {
        return mover;
    }

    public NameNodePulse nameNodePulse() {
        return health;
    }

    /** What keeps two healers of this root folder apart. */
    public HealerLock lock() {
        return lock;
    }

    /** Where a pause or an alarm is kept for the next master of this root folder. */
    public BrakeStore brake() {
        return brake;
    }

    @Override
    public void close() {
        tokens.close();
    }
}
