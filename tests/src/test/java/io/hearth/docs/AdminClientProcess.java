// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.net.Address;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * What an operator types into the HBase shell, on a cluster of processes: in a JVM of its own, because only a new one can know the
 * cluster's names of hosts. Commands are lines, with a tab between words; answers are lines that begin with {@link #ANSWER}, and a line
 * that begins with {@link #END} comes after them. Not thread-safe.
 */
final class AdminClientProcess implements AutoCloseable {

    private static final String ANSWER = "=> ";
    private static final String END = "== ";
    private static final String DONE = END + "done";

    private static final int MINUTES = 3;
    private static final long POLL_MS = 200;
    private static final int REGIONSERVER_PORT = 16020;
    private static final int DATANODE_PORT = 9866;

    private final Process process;
    private final java.nio.file.Path errors;
    private final BufferedReader output;
    private final BufferedWriter input;

    private AdminClientProcess(Process process, java.nio.file.Path errors) {
        this.process = process;
        this.errors = errors;
        output = process.inputReader(StandardCharsets.UTF_8);
        input = process.outputWriter(StandardCharsets.UTF_8);
    }

    /**
     * Starts it.
     *
     * @param folder for what it logs
     * @param conf the cluster's configuration, and its file of host names
     * @param moreClassPath to be added to this JVM's own
     */
    static AdminClientProcess start(java.nio.file.Path folder, java.nio.file.Path conf, String moreClassPath)
            throws IOException {
        java.nio.file.Path errors = Files.createTempFile(folder, "client-", ".txt");
        Process process = new ProcessBuilder(command(conf, moreClassPath, AdminClientProcess.class, conf.toString()))
                .redirectError(errors.toFile())
                .start();
        return new AdminClientProcess(process, errors);
    }

    /** The command line of a JVM that knows the cluster's names of hosts. */
    static List<String> command(
            java.nio.file.Path conf, String moreClassPath, Class<?> mainClass, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                java.nio.file.Path.of(System.getProperty("java.home"), "bin", "java")
                        .toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.net.preferIPv4Stack=true",
                "-Djdk.net.hosts.file=" + conf.resolve("hosts"),
                "-cp",
                System.getProperty("java.class.path") + moreClassPath,
                mainClass.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** The configuration of a client, of the cluster with its files in this folder. */
    static Configuration configuration(String conf) {
        Configuration configuration = HBaseConfiguration.create();
        for (String file : new String[] {"core-site.xml", "hdfs-site.xml", "hbase-site.xml"}) {
            configuration.addResource(new Path(java.nio.file.Path.of(conf, file).toUri()));
        }
        return configuration;
    }

    /** Has one command done; returns its answers, without what else is printed. */
    List<String> ask(String... words) throws IOException {
        CompletableFuture<Void> deadline = CompletableFuture.runAsync(
                process::destroyForcibly, CompletableFuture.delayedExecutor(MINUTES, TimeUnit.MINUTES));
        try {
            input.write(String.join("\t", words));
            input.newLine();
            input.flush();
            List<String> answers = new ArrayList<>();
            for (String line = output.readLine(); !DONE.equals(line); line = output.readLine()) {
                if (line == null || line.startsWith(END)) {
                    throw new AssertionError(String.join(" ", words) + ": " + line + "\n" + Files.readString(errors));
                }
                if (line.startsWith(ANSWER)) {
                    answers.add(line.substring(ANSWER.length()));
                }
            }
            return answers;
        } finally {
            deadline.cancel(false);
        }
    }

    /** Ends it, whatever it is at. */
    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** {@code CONF}; commands come by standard input, see {@link #run}. */
    public static void main(String[] arguments) throws Exception {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Connection connection = ConnectionFactory.createConnection(configuration(arguments[0]));
                Admin admin = connection.getAdmin()) {
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                String[] words = line.split("\t");
                System.out.println(outcome(connection, admin, words));
            }
        }
    }

    private static String outcome(Connection connection, Admin admin, String... words) {
        try {
            run(connection, admin, words[0], Arrays.copyOfRange(words, 1, words.length));
            return DONE;
        } catch (Exception failure) {
            failure.printStackTrace();
            return END + failure.toString().replace('\n', ' ');
        }
    }

    private static void run(Connection connection, Admin admin, String command, String... arguments) throws Exception {
        switch (command) {
            case "regions" -> printRegions(admin);
            case "servers" -> admin.getRegionServers().forEach(server -> System.out.println(ANSWER + server));
            case "update_all_config" ->
                admin.updateConfiguration(admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.MASTER))
                        .getMasterName());
            case "update_servers_config" -> {
                for (ServerName server : admin.getRegionServers()) {
                    admin.updateConfiguration(server);
                }
            }
            case "create_replicated" ->
                admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf(arguments[0]))
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                        .setRegionReplication(Integer.parseInt(arguments[1]))
                        .build());
            case "archive" -> archive(connection.getConfiguration(), arguments[0]);
            case "create_uncached" -> createUncached(connection, admin, arguments[0], arguments[1]);
            case "merge" -> merge(admin, TableName.valueOf(arguments[0]));
            case "balance_switch" -> admin.balancerSwitch(Boolean.parseBoolean(arguments[0]), true);
            case "balance" -> System.out.println(ANSWER + admin.balance());
            case "move" -> admin.move(Bytes.toBytes(arguments[0]), server(admin, arguments[1]));
            case "create" -> create(admin, arguments[0], Integer.parseInt(arguments[1]), arguments[2]);
            case "read" -> read(connection, arguments[0].split(","), Integer.parseInt(arguments[1]), 0);
            case "read_slowly" -> read(connection, arguments[0].split(","), Integer.parseInt(arguments[1]), POLL_MS);
            case "create_as" -> createAs(connection.getConfiguration(), arguments[0]);
            case "group" -> group(connection, arguments[0], arguments[1].split(","), arguments[2].split(","));
            default -> throw new IllegalArgumentException(command);
        }
    }

    /** Each with its table, its name and its host. */
    private static void printRegions(Admin admin) throws IOException {
        for (ServerName server : admin.getRegionServers()) {
            for (RegionInfo region : admin.getRegions(server)) {
                System.out.println(
                        ANSWER + region.getTable() + " " + region.getEncodedName() + " " + server.getHostname());
            }
        }
    }

    /** With a class that every RegionServer needs to open its regions; returns when they are open. */
    private static void create(Admin admin, String table, int regions, String splitPolicy) throws IOException {
        admin.createTable(
                TableDescriptorBuilder.newBuilder(TableName.valueOf(table))
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                        .setRegionSplitPolicyClassName(splitPolicy)
                        .build(),
                Bytes.toBytes("a"),
                Bytes.toBytes("z"),
                regions);
    }

    /** Of one region on that host, with 2 MB that every read takes from HDFS. */
    private static void createUncached(Connection connection, Admin admin, String name, String host)
            throws IOException {
        TableName table = TableName.valueOf(name);
        byte[] family = Bytes.toBytes("f");
        admin.createTable(TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(family)
                        .setBlockCacheEnabled(false)
                        .build())
                .build());
        admin.move(admin.getRegions(table).get(0).getEncodedNameAsBytes(), server(admin, host));
        try (Table rows = connection.getTable(table)) {
            for (int row = 0; row < 2; row++) {
                rows.put(new Put(Bytes.toBytes(row)).addColumn(family, family, new byte[1_000_000]));
            }
        }
        admin.flush(table);
    }

    /** A file of one replica, which HDFS tries to have first in an archive of that host's DataNode. */
    private static void archive(Configuration conf, String host) throws IOException {
        Path folder = new Path("/archive");
        try (DistributedFileSystem hdfs = (DistributedFileSystem) FileSystem.newInstance(conf)) {
            hdfs.mkdirs(folder);
            hdfs.setStoragePolicy(folder, HdfsConstants.COLD_STORAGE_POLICY_NAME);
            try (OutputStream file = hdfs.createFile(new Path(folder, "file"))
                    .replication((short) 1)
                    .favoredNodes(new InetSocketAddress[] {new InetSocketAddress(host, DATANODE_PORT)})
                    .build()) {
                file.write(1);
            }
        }
    }

    private static ServerName server(Admin admin, String host) throws IOException {
        return admin.getRegionServers().stream()
                .filter(each -> each.getHostname().equals(host))
                .findFirst()
                .orElseThrow();
    }

    /**
     * All regions of a table into one, as {@code merge_region} does; returns when that is open. It is asked for again while a region is not
     * open yet on a server that was restarted, which HBase calls not mergeable.
     */
    private static void merge(Admin admin, TableName table) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
        while (true) {
            byte[][] regions = admin.getRegions(table).stream()
                    .map(RegionInfo::getEncodedNameAsBytes)
                    .toArray(byte[][]::new);
            try {
                admin.mergeRegionsAsync(regions, false).get(MINUTES, TimeUnit.MINUTES);
                return;
            } catch (ExecutionException | IOException refused) {
                if (System.nanoTime() > end) {
                    throw refused;
                }
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    /** Scans these tables one after the other, again and again for so many seconds, with a pause after each. */
    private static void read(Connection connection, String[] tables, int seconds, long pauseMs) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < end) {
            for (String name : tables) {
                try (Table table = connection.getTable(TableName.valueOf(name));
                        ResultScanner rows = table.getScanner(new Scan())) {
                    rows.forEach(row -> {});
                }
                TimeUnit.MILLISECONDS.sleep(pauseMs);
            }
        }
    }

    /** What comes of it where that user may not. */
    private static void createAs(Configuration conf, String user) throws Exception {
        UserGroupInformation other = UserGroupInformation.createRemoteUser(user);
        PrivilegedExceptionAction<String> create = () -> {
            try (Connection connection = ConnectionFactory.createConnection(conf);
                    Admin admin = connection.getAdmin()) {
                admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf("of_" + user))
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                        .build());
                return "created";
            } catch (IOException refused) {
                return refused.getClass().getSimpleName();
            }
        };
        System.out.println(ANSWER + other.doAs(create));
    }

    /** {@code add_rsgroup}, {@code move_servers_rsgroup}, {@code move_tables_rsgroup}, by the client of HBase's rsgroup module. */
    private static void group(Connection connection, String group, String[] hosts, String[] tables) throws Exception {
        Class<?> type = Class.forName("org.apache.hadoop.hbase.rsgroup.RSGroupAdminClient");
        Object client = type.getConstructor(Connection.class).newInstance(connection);
        Set<Address> servers = Arrays.stream(hosts)
                .map(host -> Address.fromParts(host, REGIONSERVER_PORT))
                .collect(Collectors.toSet());
        Set<TableName> names = Arrays.stream(tables).map(TableName::valueOf).collect(Collectors.toSet());
        try {
            type.getMethod("addRSGroup", String.class).invoke(client, group);
            type.getMethod("moveServers", Set.class, String.class).invoke(client, servers, group);
            type.getMethod("moveTables", Set.class, String.class).invoke(client, names, group);
        } catch (InvocationTargetException failure) {
            throw new IOException(failure.getCause());
        }
        System.out.println(
                ANSWER + type.getMethod("getRSGroupInfo", String.class).invoke(client, group));
    }
}
