// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.healer.core.BandwidthRaise.DataNodeBandwidth;
import io.hearth.healer.core.HealerServices.DataNodeAllowance;
import io.hearth.healer.core.HealerServices.DataNodeProber;
import io.hearth.healer.core.HealerServices.LiveDataNodes;
import io.hearth.healer.core.HealerServices.NameNodeProbe;
import io.hearth.healer.core.PausePersister.PauseStore;
import io.hearth.healer.estimate.HealEstimator;
import io.hearth.healer.hdfs.ActiveNameNode.ObserverSync;
import io.hearth.healer.hdfs.DataNodeProxy.Question;
import io.hearth.healer.hdfs.NameNodeFiles.BeforeListing;
import io.hearth.healer.lock.HealerLock;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.BlockMover;
import io.hearth.healer.plan.PlacementRule;
import io.hearth.healer.plan.PlacementRule.RackRule;
import io.hearth.healer.plan.PlacementRule.UpgradeDomainRule;
import io.hearth.healer.spi.FileBlocks;
import io.hearth.healer.spi.FileBlocks.StoreDirectories;
import io.hearth.healer.spi.NameNodeUsage;
import io.hearth.healer.spi.Observed;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicies;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.security.AccessControlException;

/** Every port of healing that HDFS answers, on one name service. Thread-safe. */
public final class HdfsAdapter implements HdfsPorts {

    /** A DataNode's web UI answers within a tenth of that, and its bandwidth is known without it. */
    private static final long QUOTA_MS = 2_000;

    private final Path rootDir;
    private final NameNodeUsage usage = new NameNodeUsage();
    private final NameNodeFiles files;
    /** Moves are verified by the active NameNode; it is that of {@link #files} where no observers are asked. */
    private final NameNodeFiles activeFiles;
    /** Where observers are asked: what does not ask them. */
    private final Optional<DistributedFileSystem> activeFileSystem;

    private final NameNodeDataNodes dataNodes;
    private final PlacementRule placementRule;
    private final boolean pinsFavoredReplicas;
    private final BlockTokens tokens;
    private final AskedAllowance allowance;
    private final double confirmSeconds;
    private final DataNodeProber prober;
    private final ReplaceBlockMover mover;
    private final NameNodeLatencyProbe health;
    private final HealerLock lock;
    private final PauseStore pauseStore;
    private final DataNodeBandwidth dataNodeBandwidth;

    private HdfsAdapter(
            DistributedFileSystem fs,
            Optional<DistributedFileSystem> activeFileSystem,
            Path rootDir,
            Configuration conf,
            Executor threads)
            throws IOException {
        this.rootDir = rootDir;
        this.activeFileSystem = activeFileSystem;
        LongSupplier clockMs = () -> System.nanoTime() / 1_000_000;
        DataNodeCache cache = new DataNodeCache(clockMs);
        this.files = new NameNodeFiles(
                fs.getClient(),
                activeFileSystem.isPresent()
                        ? new ObserverSync(
                                fs.getClient()::msync, () -> fs.getClient().getFileInfo("/"), usage, System::nanoTime)
                        : BeforeListing.NOTHING,
                cache,
                usage);
        this.activeFiles = activeFileSystem
                .map(active -> new NameNodeFiles(active.getClient(), BeforeListing.NOTHING, cache, usage))
                .orElse(files);
        this.dataNodes =
                new NameNodeDataNodes(fs.getClient(), cache, conf, usage, this.files::locate, System::nanoTime);
        this.placementRule = new RackRule()
                .and(new UpgradeDomainRule(conf.getInt(
                        DFSConfigKeys.DFS_UPGRADE_DOMAIN_FACTOR, DFSConfigKeys.DFS_UPGRADE_DOMAIN_FACTOR_DEFAULT)))
                .and(new PlacementPolicyRule(cache, conf));
        this.pinsFavoredReplicas = conf.getBoolean(
                DFSConfigKeys.DFS_DATANODE_BLOCK_PINNING_ENABLED,
                DFSConfigKeys.DFS_DATANODE_BLOCK_PINNING_ENABLED_DEFAULT);
        this.tokens = new BlockTokens(fs, conf);
        RouterCheck routerCheck =
                new RouterCheck(fs.getUri(), () -> tokens.nameNode().isUpgradeFinalized(), System::nanoTime);
        Question<Long> bandwidth = DataNodeProxy.question(conf, ClientDatanodeProtocol::getBalancerBandwidth);
        DataNodeQuota quota = new DataNodeQuota(
                DataNodeProxy.question(conf, node -> DataNodeProxy.reconfigured(node, DataNodeQuota.KEY)),
                conf,
                Duration.ofMillis(QUOTA_MS),
                clockMs);
        this.allowance = new AskedAllowance(cache, bandwidth, quota, threads, conf, clockMs);
        this.confirmSeconds = confirmSeconds(conf);
        this.prober = new DataNodeConnector(
                cache,
                DataNodeProxy.question(conf, ClientDatanodeProtocol::getDatanodeInfo),
                DataNodeConnector.connection(conf),
                threads,
                clockMs);
        this.mover = new ReplaceBlockMover(fs.getClient(), tokens, routerCheck, cache, allowance, conf);
        // What others have just written counts at once, and the active NameNode is the one that must not be slow.
        DistributedFileSystem upToDate = activeFileSystem.orElse(fs);
        this.health = new NameNodeLatencyProbe(upToDate.getClient(), usage, System::nanoTime);
        this.lock = new LeaseLock(upToDate, rootDir);
        this.pauseStore = new PauseFile(upToDate, rootDir);
        this.dataNodeBandwidth = new BalancerBandwidth(upToDate, rootDir, bandwidth, threads, allowance::changed);
    }

    /**
     * The adapter to the name service that has this folder. All of HBase's root folder is in one: HBase renames files between
     * its data, its archive and its MOB files. A mount table (ViewFs) is followed to it. HDFS is asked as the user that this is
     * called as.
     *
     * @param threads where DataNodes are asked what they allow
     * @throws IOException if it is not HDFS
     */
    public static HdfsAdapter to(FileSystem fs, Path rootDir, Configuration conf, Executor threads) throws IOException {
        FileSystem inner = unwrapped(fs);
        if (inner instanceof DistributedFileSystem hdfs) {
            return open(hdfs, rootDir, conf, threads);
        }
        Path mounted = inner.resolvePath(rootDir);
        FileSystem there = unwrapped(mounted.getFileSystem(conf));
        if (there instanceof DistributedFileSystem hdfs) {
            return open(hdfs, mounted, conf, threads);
        }
        throw new IOException("Healing moves replicas of HDFS blocks, and HBase's root folder is on " + there.getUri()
                + ". Set hbase.rootdir to a folder in HDFS, or remove the observer.");
    }

    /** By the intervals that a NameNode with this configuration has. */
    static double confirmSeconds(Configuration conf) {
        long heartbeatMs = conf.getTimeDuration(
                DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
                DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_DEFAULT,
                TimeUnit.SECONDS,
                TimeUnit.MILLISECONDS);
        long redundancyMs = conf.getTimeDuration(
                DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY,
                DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_DEFAULT,
                TimeUnit.SECONDS,
                TimeUnit.MILLISECONDS);
        return HealEstimator.confirmSeconds(heartbeatMs / 1e3, redundancyMs / 1e3);
    }

    private static HdfsAdapter open(DistributedFileSystem fs, Path rootDir, Configuration conf, Executor threads)
            throws IOException {
        Optional<Configuration> activeConf = ActiveNameNode.configuration(fs.getConf(), fs.getUri());
        Optional<DistributedFileSystem> active = activeConf.isPresent()
                ? Optional.of((DistributedFileSystem) unwrapped(FileSystem.newInstance(fs.getUri(), activeConf.get())))
                : Optional.empty();
        try {
            return new HdfsAdapter(fs, active, rootDir, conf, threads);
        } catch (IOException | RuntimeException failed) {
            active.ifPresent(IOUtils::closeStream);
            throw failed;
        }
    }

    private static FileSystem unwrapped(FileSystem fs) {
        FileSystem inner = fs;
        while (inner instanceof FilterFileSystem filter) {
            inner = filter.getRawFileSystem();
        }
        return inner;
    }

    @Override
    public Path rootDir() {
        return rootDir;
    }

    @Override
    public StoreDirectories storeDirectories() {
        return files;
    }

    @Override
    public FileBlocks fileBlocks() {
        return activeFiles;
    }

    @Override
    public LiveDataNodes dataNodes() {
        return dataNodes;
    }

    @Override
    public NameNodeUsage nameNodeUsage() {
        return usage;
    }

    @Override
    public PlacementRule placementRule() {
        return placementRule;
    }

    @Override
    public boolean pinsFavoredReplicas() {
        return pinsFavoredReplicas;
    }

    @Override
    public DataNodeAllowance allowance() {
        return allowance;
    }

    @Override
    public DataNodeAllowance askAllowance(Collection<DataNode> nodes) throws InterruptedException {
        allowance.askNow(nodes);
        return allowance;
    }

    @Override
    public double confirmSeconds() {
        return confirmSeconds;
    }

    @Override
    public DataNodeProber prober() {
        return prober;
    }

    @Override
    public BlockMover mover() {
        return mover;
    }

    @Override
    public NameNodeProbe nameNodeProbe() {
        return health;
    }

    @Override
    public HealerLock lock() {
        return lock;
    }

    @Override
    public PauseStore pauseStore() {
        return pauseStore;
    }

    @Override
    public DataNodeBandwidth dataNodeBandwidth() {
        return dataNodeBandwidth;
    }

    @Override
    public void close() {
        tokens.close();
        activeFileSystem.ifPresent(IOUtils::closeStream);
    }

    /**
     * Measures the NameNode by two calls of its cheapest kind: whether the lock files of the HDFS Balancer and Mover are open. Both
     * hold theirs open while they run ({@code NameNodeConnector.checkAndMarkRunning}); one that was left behind by a crash is closed
     * when the NameNode recovers its lease. The time of the first call is what a call of ours takes: the way there, the wait in the
     * queue, the namespace's lock, and the way back. Thread-safe.
     */
    static final class NameNodeLatencyProbe implements NameNodeProbe {

        static final String BALANCER_LOCK = "/system/balancer.id";
        static final String MOVER_LOCK = "/system/mover.id";

        private final DFSClient client;
        private final NameNodeUsage usage;
        private final LongSupplier nanoClock;

        /** @param usage told of each call */
        NameNodeLatencyProbe(DFSClient client, NameNodeUsage usage, LongSupplier nanoClock) {
            this.client = client;
            this.usage = usage;
            this.nanoClock = nanoClock;
        }

        @Override
        public Observed<Sample> probe() {
            return NameNodeCalls.call(() -> {
                long start = nanoClock.getAsLong();
                boolean balancerRuns = isOpen(BALANCER_LOCK);
                long micros = (nanoClock.getAsLong() - start) / 1_000;
                return Observed.known(new Sample(micros, balancerRuns, isOpen(MOVER_LOCK)));
            });
        }

        /** A lock that we may not look at says nothing, like one that is not there. */
        private boolean isOpen(String path) throws IOException {
            long start = nanoClock.getAsLong();
            try {
                return !client.isFileClosed(path);
            } catch (FileNotFoundException | AccessControlException notToBeSeen) {
                return false;
            } finally {
                usage.calledRegularly((nanoClock.getAsLong() - start) / 1_000);
            }
        }
    }

    /**
     * The placement policy named in {@code dfs.block.replicator.classname}, asked as the HDFS Balancer asks it:
     * {@code isMovable(holders and target, source, target)}. The master's configuration must name the NameNode's policy, and its
     * upgrade domain factor where that is used. Thread-safe where the policy is.
     */
    static final class PlacementPolicyRule implements PlacementRule {

        private final DataNodeCache cache;
        private final BlockPlacementPolicy policy;

        PlacementPolicyRule(DataNodeCache cache, Configuration conf) {
            this.cache = cache;
            this.policy = new BlockPlacementPolicies(conf, null, NetworkTopology.getInstance(conf), null)
                    .getPolicy(BlockType.CONTIGUOUS);
        }

        @Override
        public boolean mayReplace(List<DataNode> holders, DataNode source, DataNode target) {
            List<DataNode> all = new ArrayList<>(holders);
            all.add(target);
            Optional<DatanodeInfo> from = cache.info(source);
            Optional<DatanodeInfo> to = cache.info(target);
            return from.isPresent()
                    && to.isPresent()
                    && cache.infos(all)
                            .filter(infos -> policy.isMovable(infos, from.get(), to.get()))
                            .isPresent();
        }
    }
}
