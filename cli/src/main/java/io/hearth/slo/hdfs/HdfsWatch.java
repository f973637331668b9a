// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hdfs;

import io.hearth.healer.hbase.HealerUser;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeSender.Answer;
import io.hearth.slo.probe.Prober;
import java.io.Closeable;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.io.IOUtils;

/**
 * Has a prober ask the NameNodes and DataNodes of the name service in which HBase's root folder is, and keeps up once a minute with which
 * DataNodes are in service, live and dead. The NameNode tells that to HDFS superusers only. Without HDFS it connects later. Used by one
 * thread.
 */
public final class HdfsWatch implements Closeable {

    /** The folder of all daemons' files, unless another one is given. */
    public static final String DEFAULT_FOLDER = "/hearth-slo";

    private static final int DATANODE_THREADS = 128;
    private static final int NAMENODE_THREADS = 64;
    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long SWEEP_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Configuration site;
    private final HealerUser user;
    private final Path folder;
    private final String instance;
    private final Duration dataNodeLimit;
    private final Duration nameNodeLimit;
    private final Prober prober;
    private final long seed;
    private final DataNodeListener listener;
    private final ProbeThreads dataNodeThreads = new ProbeThreads("hearth-slo-datanode", DATANODE_THREADS);
    private final ProbeThreads nameNodeThreads = new ProbeThreads("hearth-slo-namenode", NAMENODE_THREADS);
    private Optional<NameNodeProbes> nameNodes = Optional.empty();
    private Optional<Connected> connected = Optional.empty();

    /** Is told what the NameNode says of DataNodes, by the thread that makes turns. */
    public interface DataNodeListener {

        /** These are in service, by the names that their probes have. */
        void dataNodes(Set<String> live, Set<String> dead);
    }

    /**
     * A watch that has not connected.
     *
     * @param folder of all daemons' files
     * @param instance the name of this daemon, and of its own folder in that
     * @param seed of what is written
     * @param listener is told once a minute
     */
    public HdfsWatch(
            Configuration site,
            HealerUser user,
            Path folder,
            String instance,
            Duration dataNodeLimit,
            Duration nameNodeLimit,
            Prober prober,
            long seed,
            DataNodeListener listener) {
        this.site = site;
        this.user = user;
        this.folder = folder;
        this.instance = instance;
        this.dataNodeLimit = dataNodeLimit;
        this.nameNodeLimit = nameNodeLimit;
        this.prober = prober;
        this.seed = seed;
        this.listener = listener;
    }

    /** What there is once the NameNode has answered. */
    private static final class Connected {

        private final DistributedFileSystem fs;
        private final ProbeFiles files;
        private final DataNodeProbes probes;
        private long nextRefreshNanos = System.nanoTime();
        private long nextSweepNanos = System.nanoTime();

        Connected(DistributedFileSystem fs, ProbeFiles files, DataNodeProbes probes) {
            this.fs = fs;
            this.files = files;
            this.probes = probes;
        }
    }

    /**
     * Does what is to be done by now; to be called each second.
     *
     * @throws IOException if HDFS can't be asked; the next call tries again
     */
    public void turn() throws IOException {
        if (connected.isEmpty()) {
            connected = Optional.of(user.doAs(this::connect));
        }
        Connected now = connected.get();
        user.<Optional<Void>>doAs(() -> {
            if (System.nanoTime() - now.nextRefreshNanos >= 0) {
                refresh(now);
                now.nextRefreshNanos = System.nanoTime() + REFRESH_NANOS;
            }
            if (System.nanoTime() - now.nextSweepNanos >= 0) {
                now.files.sweep();
                now.nextSweepNanos = System.nanoTime() + SWEEP_NANOS;
            }
            return Optional.empty();
        });
    }

    private void refresh(Connected now) throws IOException {
        DatanodeInfo[] live = now.fs.getClient().datanodeReport(DatanodeReportType.LIVE);
        Set<String> targets = now.probes.nodes(live);
        prober.serve(ProbeKind.HDFS_WRITE, now.probes::write, targets);
        prober.serve(ProbeKind.HDFS_READ, now.probes::read, targets);
        now.files.keepOnly(targets);
        DatanodeInfo[] dead = now.fs.getClient().datanodeReport(DatanodeReportType.DEAD);
        listener.dataNodes(targets, DataNodeProbes.dead(live, dead));
    }

    private Connected connect() throws IOException {
        Path root = CommonFSUtils.getRootDir(site);
        FileSystem fs = FileSystem.newInstance(root.toUri(), forProbes());
        try {
            if (!(fs instanceof DistributedFileSystem hdfs)) {
                throw new IOException("hbase.rootdir is " + root + ", which is not in HDFS: no DataNode is probed.");
            }
            serveNameNodes(hdfs);
            ProbeFiles files = new ProbeFiles(hdfs, folder, instance);
            files.clear();
            return new Connected(
                    hdfs, files, new DataNodeProbes(hdfs, files, dataNodeThreads, dataNodeLimit, this::asUser, seed));
        } catch (IOException | RuntimeException failure) {
            IOUtils.closeStream(fs);
            throw failure;
        }
    }

    /** They are asked whether or not they answered when this started. */
    private void serveNameNodes(DistributedFileSystem hdfs) throws IOException {
        if (nameNodes.isEmpty()) {
            NameNodeProbes probes =
                    NameNodeProbes.of(site, hdfs.getUri(), user.ugi(), nameNodeThreads, nameNodeLimit, this::asUser);
            nameNodes = Optional.of(probes);
            prober.serve(ProbeKind.NAMENODE, probes::ask, probes.targets());
        }
    }

    private ProbeThreads.BlockingProbe asUser(ProbeThreads.BlockingProbe probe) {
        PrivilegedExceptionAction<Answer> action = probe::ask;
        return () -> user.doAs(action);
    }

    /** A client that reads over the network, asks the DataNode that it is told to, and tries once. */
    private Configuration forProbes() {
        Configuration conf = new Configuration(site);
        int ms = Math.toIntExact(dataNodeLimit.toMillis());
        conf.set(HdfsClientConfigKeys.DFS_CLIENT_CONTEXT, "hearth-slo");
        conf.setBoolean(HdfsClientConfigKeys.Read.ShortCircuit.KEY, false);
        conf.setBoolean(HdfsClientConfigKeys.DFS_CLIENT_DOMAIN_SOCKET_DATA_TRAFFIC, false);
        conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, ms);
        conf.setInt(HdfsClientConfigKeys.BlockWrite.RETRIES_KEY, 0);
        conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_KEY, 0);
        conf.setInt(HdfsClientConfigKeys.HedgedRead.THREADPOOL_SIZE_KEY, 0);
        conf.setBoolean("dfs.client.deadnode.detection.enabled", false);
        conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_CACHE_CAPACITY_KEY, 0);
        return conf;
    }

    /** Ends the probes, and leaves no file behind where HDFS answers. */
    @Override
    public void close() {
        dataNodeThreads.close();
        nameNodeThreads.close();
        connected.ifPresent(this::end);
        connected = Optional.empty();
        nameNodes.ifPresent(NameNodeProbes::close);
    }

    private void end(Connected now) {
        try {
            user.<Optional<Void>>doAs(() -> {
                now.files.delete();
                return Optional.empty();
            });
        } catch (IOException | RuntimeException away) {
            // The next daemon deletes them.
        } finally {
            IOUtils.closeStream(now.fs);
        }
    }
}
