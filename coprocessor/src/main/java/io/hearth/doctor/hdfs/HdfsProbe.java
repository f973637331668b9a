// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hdfs;

import io.hearth.common.log.PrintableName;
import io.hearth.doctor.capacity.ObservedCluster.HdfsSpace;
import io.hearth.doctor.capacity.ObservedCluster.NodeSpace;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.http.HttpConfig;
import org.apache.hadoop.security.AccessControlException;

/** Asks the NameNode what HBase's files lie on. It asks as the user that it is called as. Used by one thread. */
public final class HdfsProbe implements Closeable {

    private static final Map<String, String> HDFS_BALANCERS =
            new TreeMap<>(Map.of("/system/balancer.id", "HDFS Balancer", "/system/mover.id", "HDFS Mover"));

    private final DistributedFileSystem fs;
    private final Path root;
    private final Configuration conf;

    private HdfsProbe(DistributedFileSystem fs, Path root, Configuration conf) {
        this.fs = fs;
        this.root = root;
        this.conf = conf;
    }

    /**
     * HDFS as HBase's root folder has it; a mount table is followed.
     *
     * @throws IOException if that is no HDFS, or does not answer
     */
    public static HdfsProbe of(Path root, Configuration conf) throws IOException {
        // One of its own, which nobody else uses and which goes with it: the user may be another one each time.
        FileSystem named = FileSystem.newInstance(root.toUri(), conf);
        if (named instanceof DistributedFileSystem hdfs) {
            return new HdfsProbe(hdfs, root, conf);
        }
        Path mounted;
        try (named) {
            mounted = named.resolvePath(root);
        }
        FileSystem there = FileSystem.newInstance(mounted.toUri(), conf);
        if (there instanceof DistributedFileSystem hdfs) {
            return new HdfsProbe(hdfs, mounted, conf);
        }
        there.close();
        throw new IOException("hbase.rootdir is " + root + ", which is not in HDFS");
    }

    @Override
    public void close() throws IOException {
        fs.close();
    }

    public ProbedHdfs probe() {
        return new ProbedHdfs(
                superuser(),
                asked(() -> HBaseDirectories.withPolicies(fs, root)),
                hdfsBalancers(),
                asked(() -> fs.getClient().getFileInfo(raisedBandwidth()) != null));
    }

    /** What a heal keeps for as long as DataNodes are raised. */
    private String raisedBandwidth() {
        return new Path(root, ".hearth/healer.bandwidth").toUri().getPath();
    }

    /** The web UIs of the NameNodes of this name service, as {@code http://host:port}. */
    public List<String> nameNodeUis() throws IOException {
        String scheme = scheme();
        Map<String, Map<String, InetSocketAddress>> services = DFSUtil.getNNServiceRpcAddressesForCluster(conf);
        Map<String, InetSocketAddress> nodes = services.size() == 1
                ? services.values().iterator().next()
                : services.getOrDefault(fs.getUri().getHost(), Map.of());
        List<String> uis = new ArrayList<>();
        for (InetSocketAddress node : nodes.values()) {
            URI ui = DFSUtil.getInfoServer(node, conf, scheme);
            String host = ui.getHost().equals("0.0.0.0") ? node.getHostName() : ui.getHost();
            uis.add(scheme + "://" + host + ":" + ui.getPort());
        }
        return uis;
    }

    /** {@code http}, unless HDFS has nothing but {@code https}. */
    public String scheme() {
        return DFSUtil.getHttpPolicy(conf) == HttpConfig.Policy.HTTPS_ONLY ? "https" : "http";
    }

    /** The report that only a superuser gets. */
    public ProbeResult<DataNodeList> report() {
        boolean secure = scheme().equals("https");
        return asked(() -> new DataNodeList(Arrays.stream(fs.getClient().datanodeReport(DatanodeReportType.LIVE))
                .map(node -> node(node, secure))
                .toList()));
    }

    /** How much room its disks have, together and on each live DataNode in service. */
    public ProbeResult<HdfsSpace> space() {
        return asked(() -> {
            FsStatus all = fs.getStatus();
            return new HdfsSpace(
                    all.getCapacity(),
                    all.getUsed(),
                    all.getRemaining(),
                    asked(() -> inService(fs.getClient().datanodeReport(DatanodeReportType.LIVE))));
        });
    }

    /**
     * Those that get new blocks. One that is decommissioned, or in maintenance, is live as long as it runs: it gets none, and the NameNode
     * leaves it out of what all have together.
     */
    static List<NodeSpace> inService(DatanodeInfo[] live) {
        return Arrays.stream(live)
                .filter(DatanodeInfo::isInService)
                .map(node ->
                        new NodeSpace(PrintableName.of(node.getHostName()), node.getCapacity(), node.getRemaining()))
                .sorted(Comparator.comparing(NodeSpace::host))
                .toList();
    }

    private static DataNodeList.Node node(DatanodeInfo node, boolean secure) {
        return new DataNodeList.Node(
                PrintableName.of(node.getHostName()),
                node.getIpAddr(),
                PrintableName.of(node.getNetworkLocation()),
                Optional.ofNullable(node.getSoftwareVersion()).map(PrintableName::of),
                secure ? node.getInfoSecurePort() : node.getInfoPort(),
                OptionalInt.of(node.getIpcPort()));
    }

    private ProbeResult<Boolean> superuser() {
        try {
            fs.getClient().datanodeReport(DatanodeReportType.DECOMMISSIONING);
            return ProbeResult.known(true);
        } catch (AccessControlException refused) {
            return ProbeResult.known(false);
        } catch (IOException failure) {
            return ProbeResult.unknown(words(failure));
        }
    }

    /** Both hold their lock files open while they run. */
    private ProbeResult<List<String>> hdfsBalancers() {
        return asked(() -> {
            List<String> running = new ArrayList<>();
            for (Map.Entry<String, String> tool : HDFS_BALANCERS.entrySet()) {
                if (isOpen(tool.getKey())) {
                    running.add(tool.getValue());
                }
            }
            return running;
        });
    }

    private boolean isOpen(String path) throws IOException {
        try {
            return !fs.getClient().isFileClosed(path);
        } catch (FileNotFoundException noneRuns) {
            return false;
        }
    }

    private interface Question<T> {
        T ask() throws IOException;
    }

    private static <T> ProbeResult<T> asked(Question<T> question) {
        try {
            return ProbeResult.known(question.ask());
        } catch (IOException failure) {
            return ProbeResult.unknown(words(failure));
        }
    }

    private static String words(IOException failure) {
        String first = String.valueOf(failure.getMessage())
                .lines()
                .findFirst()
                .orElse("")
                .strip();
        return "the NameNode says: " + first;
    }

    /**
     * The live DataNodes as the NameNode has them. Immutable.
     *
     * @param nodes sorted by host
     */
    public record DataNodeList(List<Node> nodes) {

        public DataNodeList {
            nodes = nodes.stream().sorted(Comparator.comparing(Node::host)).toList();
        }

        /**
         * One of them.
         *
         * @param host the name that it gives itself
         * @param version empty where only its own web UI can say
         * @param infoPort of its web UI
         * @param ipcPort empty where only its own web UI can say
         */
        public record Node(
                String host,
                String address,
                String rack,
                Optional<String> version,
                int infoPort,
                OptionalInt ipcPort) {}
    }
}
