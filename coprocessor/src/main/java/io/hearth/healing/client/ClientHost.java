package io.hearth.healing.client;

import io.hearth.balancer.config.ConfigProblem;
import io.hearth.balancer.locality.LocalityRefresh;
import io.hearth.healing.hbase.HealerLoginException;
import io.hearth.healing.hbase.HealerUser;
import io.hearth.healing.hbase.HealingHost;
import io.hearth.healing.hbase.KnownRegions;
import io.hearth.healing.hbase.Tables;
import io.hearth.healing.metrics.HealingMetrics;
import io.hearth.healing.observe.Assignments;
import io.hearth.healing.observe.ClusterLook;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * A process with a client's connection as the host of healing. It sees the healing of a scope only; all other regions are to it
 * as if their tables were switched off, so that what they read is spared. Thread-safe.
 */
public final class ClientHost implements HealingHost, Closeable {

    private final Configuration conf;
    private final String program;
    private final Scope scope;
    private final Consumer<ClusterLook> onLook;
    private final HealerUser user;
    private final Connection connection;
    private final ServerReports reports;
    private final MetaRegions regions;
    private final ClientTables tables;
    private volatile boolean stopping;

    private ClientHost(
            Configuration conf,
            String program,
            Scope scope,
            Consumer<ClusterLook> onLook,
            HealerUser user,
            Connection connection) {
        this.conf = conf;
        this.program = program;
        this.scope = scope;
        this.onLook = onLook;
        this.user = user;
        this.connection = connection;
        this.reports = new ServerReports(connection);
        this.regions = new MetaRegions(connection);
        this.tables = new ClientTables(connection);
    }

    /**
     * Logs in, connects and makes sure that the master answers.
     *
     * @param program what other healers are told that this is
     * @param onLook hears of every look, on the healing thread
     * @throws HealerLoginException if it can't log in
     * @throws IOException if the cluster can't be asked
     */
    public static ClientHost connect(Configuration conf, String program, Scope scope, Consumer<ClusterLook> onLook)
            throws IOException {
        HealerUser user = HealerUser.login(conf);
        Path root = user.doAs(() -> CommonFSUtils.getRootDir(conf));
        if ("file".equals(root.toUri().getScheme())) {
            throw new IOException(
                    "hbase.rootdir is " + root + ": healing has to know where in HDFS HBase's files are. Set"
                            + " hbase.rootdir in hbase-site.xml as the HMaster has it, or name the folder with --config.");
        }
        Connection connection = ConnectionFactory.createConnection(conf, User.create(user.ugi()));
        ClientHost host = new ClientHost(conf, program, scope, onLook, user, connection);
        try (Admin admin = connection.getAdmin()) {
            admin.getRegionServers();
            return host;
        } catch (IOException | RuntimeException failure) {
            host.close();
            throw failure;
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

    @Override
    public Configuration configuration() {
        return conf;
    }

    @Override
    public boolean mayGoOn() {
        return !stopping;
    }

    @Override
    public Assignments assignments(HealingMetrics metrics, Consumer<ConfigProblem> problems) {
        return new ReportedAssignments(
                connection, reports, regions, tables, scope, this::mayGoOn, onLook, metrics, problems);
    }

    @Override
    public KnownRegions regions() {
        return regions;
    }

    @Override
    public Tables tables() {
        return tables;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    /** The balancer learns of it from the servers' reports. */
    @Override
    public LocalityRefresh localityRefresh() {
        return healed -> {};
    }

    /** As the master's configuration would have it: the name of its balancer. */
    @Override
    public boolean dealsOutFavouredNodes() {
        return conf.get(HConstants.HBASE_MASTER_LOADBALANCER_CLASS, "").contains("Favored");
    }

    /** It was started by somebody who wants it to work, and has no bean to pause it by. */
    @Override
    public boolean keepsBrake() {
        return false;
    }

    @Override
    public HealerUser login() {
        return user;
    }

    @Override
    public Path rootFolder() throws IOException {
        return user.doAs(() -> CommonFSUtils.getRootDir(conf));
    }

    @Override
    public void close() throws IOException {
        reports.close();
        connection.close();
    }
}
