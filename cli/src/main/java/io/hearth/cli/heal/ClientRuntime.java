// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import io.hearth.admin.rpc.HearthAdminClient;
import io.hearth.balancer.locality.BlocksMovedListener;
import io.hearth.common.config.ConfigProblem;
import io.hearth.healer.hbase.HealerRuntime;
import io.hearth.healer.hbase.HealerRuntime.KnownRegions;
import io.hearth.healer.hbase.HealerRuntime.TableDescriptorSource;
import io.hearth.healer.hbase.HealerUser;
import io.hearth.healer.hbase.HealerUser.HealerLoginException;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.spi.Assignments;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import io.hearth.ui.hbase.ApiResponse;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * Runs healing in a client process instead of the HMaster. Regions outside of its scope count as regions of tables with healing off, so
 * that the replicas they read are not moved. Thread-safe.
 */
public final class ClientRuntime implements HealerRuntime, Closeable {

    /** The program that heals as long as it runs. */
    public static final String DAEMON = "healer-daemon";

    /** No SLO watch can have this name, whose lease would end. */
    private static final String ASKER = "the healer daemon";

    private volatile Configuration conf;
    private final String program;
    private final HealScope scope;
    private final Consumer<AssignmentSnapshot> onSnapshot;
    private final HealerUser user;
    private final Connection connection;
    private final RegionMetricsFetcher reports;
    private final MetaRegions regions;
    private final CachedTableDescriptors tables;
    private final ExecutorService brakeThread;
    private final BrakeOfMaster brake;
    private volatile boolean stopping;
    private volatile int unseenRegions;

    private ClientRuntime(
            Configuration conf,
            String program,
            HealScope scope,
            Consumer<AssignmentSnapshot> onSnapshot,
            HealerUser user,
            Connection connection) {
        this.conf = conf;
        this.program = program;
        this.scope = scope;
        this.onSnapshot = onSnapshot;
        this.user = user;
        this.connection = connection;
        this.reports = new RegionMetricsFetcher(connection);
        this.regions = new MetaRegions(connection);
        this.tables = new CachedTableDescriptors(connection, System::nanoTime);
        this.brakeThread = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "hearth-brake");
            thread.setDaemon(true);
            return thread;
        });
        this.brake = new BrakeOfMaster(this::askForBrake, brakeThread, () -> System.nanoTime() / 1_000_000);
    }

    /**
     * Logs in, connects and makes sure that the master answers.
     *
     * @param program what other healers are told that this is
     * @param onSnapshot takes in every snapshot, on the healing thread
     * @param heals whether this process heals for certain: then HBase's root folder is looked at before anything else
     * @throws HealerLoginException if it can't log in
     * @throws IOException if the cluster can't be asked, or {@link #checkRootDir} says so
     */
    public static ClientRuntime connect(
            Configuration conf, String program, HealScope scope, Consumer<AssignmentSnapshot> onSnapshot, boolean heals)
            throws IOException {
        HealerUser user = HealerUser.login(conf);
        if (heals) {
            checkRootDir(conf, user);
        }
        Connection connection = ConnectionFactory.createConnection(conf, User.create(user.ugi()));
        ClientRuntime host = new ClientRuntime(conf, program, scope, onSnapshot, user, connection);
        try (Admin admin = connection.getAdmin()) {
            admin.getRegionServers();
            return host;
        } catch (IOException | RuntimeException failure) {
            host.close();
            throw failure;
        }
    }

    /**
     * Looks whether HBase's root folder is where the configuration says: a client's often does not say it, and then all regions seem to
     * have no files.
     *
     * @throws IOException if it is not in HDFS, or no HBase is in it; not where HDFS does not answer, for which healing waits
     */
    public void checkRootDir() throws IOException {
        checkRootDir(conf, user);
    }

    private static void checkRootDir(Configuration conf, HealerUser user) throws IOException {
        Optional<Void> unused = user.doAs(() -> {
            Path root = CommonFSUtils.getRootDir(conf);
            if ("file".equals(root.toUri().getScheme())) {
                throw new IOException(
                        "hbase.rootdir is " + root + ": healing has to know where in HDFS HBase's files are. Set"
                                + " hbase.rootdir in hbase-site.xml as the HMaster has it, or name the folder with --config.");
            }
            checkHasHBase(root.getFileSystem(conf), root);
            return Optional.empty();
        });
    }

    static void checkHasHBase(FileSystem fs, Path root) throws IOException {
        boolean isThere;
        try {
            isThere = fs.exists(new Path(root, HConstants.CLUSTER_ID_FILE_NAME));
        } catch (IOException silent) {
            return;
        }
        if (!isThere) {
            throw new IOException("no HBase is in " + root + "; set hbase.rootdir as the HMaster has it");
        }
    }

    /** The user whom HBase and HDFS see. */
    public String userName() {
        return user.shortName();
    }

    public boolean tableExists() throws IOException {
        try (Admin admin = connection.getAdmin()) {
            return scope.table().isEmpty() || admin.tableExists(scope.table().get());
        }
    }

    /** That no RegionServer is called as the scope says; empty where one is, or it names none. */
    public Optional<String> unknownServer() throws IOException {
        if (scope.server().isEmpty()) {
            return Optional.empty();
        }
        try (Admin admin = connection.getAdmin()) {
            return scope.unknownServer(admin.getRegionServers());
        }
    }

    /** How many regions of the scope are on servers that did not answer the last time: they are in no snapshot. */
    public int unseenRegions() {
        return unseenRegions;
    }

    /** No further move starts; the healing thread ends. */
    public void stop() {
        stopping = true;
    }

    @Override
    public String name() {
        return "hearth-" + program;
    }

    @Override
    public String program() {
        return program;
    }

    @Override
    public String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (IOException unknown) {
            return "(unknown)";
        }
    }

    /** What was read last. */
    @Override
    public Configuration configuration() {
        return conf;
    }

    /** Its files were read again. The connection, and where HBase's root folder is, stay as they are. */
    public void reload(Configuration now) {
        conf = now;
    }

    @Override
    public boolean shouldRun() {
        return !stopping;
    }

    @Override
    public Assignments assignments(HealingMetrics metrics, Consumer<ConfigProblem> problems) {
        return new ReportedAssignments(
                connection,
                this::configuration,
                reports,
                regions,
                tables,
                scope,
                this::shouldRun,
                onSnapshot,
                unseen -> unseenRegions = unseen,
                metrics,
                problems);
    }

    @Override
    public KnownRegions regions() {
        return regions;
    }

    @Override
    public TableDescriptorSource tables() {
        return tables;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    /** The balancer learns of it from the servers' reports. */
    @Override
    public BlocksMovedListener blocksMovedListener() {
        return healed -> {};
    }

    /** As the master's configuration would have it: the name of its balancer. */
    @Override
    public boolean usesFavoredNodes() {
        return conf.get(HConstants.HBASE_MASTER_LOADBALANCER_CLASS, "").contains("Favored");
    }

    /** A heal that a person has asked for goes on; a daemon is for the master's healer, and rests as that does. */
    @Override
    public Optional<String> brake() {
        return program.equals(DAEMON) ? brake.get() : Optional.empty();
    }

    /** It brakes nothing, and says who does. */
    private Optional<ApiResponse> askForBrake() throws IOException {
        try (Admin admin = connection.getAdmin()) {
            return HearthAdminClient.brake(admin, ASKER, "asks who brakes", 0);
        }
    }

    /** It was started by somebody who wants it to work, and has no bean to pause it by. */
    @Override
    public boolean persistsPause() {
        return false;
    }

    @Override
    public HealerUser login() {
        return user;
    }

    @Override
    public Path rootDir() throws IOException {
        return user.doAs(() -> CommonFSUtils.getRootDir(connection.getConfiguration()));
    }

    @Override
    public void close() throws IOException {
        reports.close();
        brakeThread.shutdownNow();
        connection.close();
    }
}
