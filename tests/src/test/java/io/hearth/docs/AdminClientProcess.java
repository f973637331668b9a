// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.net.Address;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * What an operator types into the HBase shell, on a cluster of processes: in a JVM of its own, because only a new one can know the
 * cluster's names of hosts. Answers are lines that begin with {@link #ANSWER}.
 */
final class AdminClientProcess {

    private static final String ANSWER = "=> ";

    private static final int MINUTES = 3;
    private static final int REGIONSERVER_PORT = 16020;

    private AdminClientProcess() {}

    /**
     * Has one command done; returns its answers, without what else is printed.
     *
     * @param folder for what it prints
     * @param conf the cluster's configuration, and its file of host names
     * @param moreClassPath to be added to this JVM's own
     */
    static List<String> ask(java.nio.file.Path folder, java.nio.file.Path conf, String moreClassPath, String... words)
            throws IOException, InterruptedException {
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
                AdminClientProcess.class.getName(),
                conf.toString()));
        command.addAll(List.of(words));
        java.nio.file.Path output = Files.createTempFile(folder, "client-", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        String text = Files.readString(output);
        assertThat(process.waitFor()).as(text).isZero();
        return text.lines()
                .filter(line -> line.startsWith(ANSWER))
                .map(line -> line.substring(ANSWER.length()))
                .toList();
    }

    /** {@code CONF COMMAND ARGUMENT...}, see {@link #run}. */
    public static void main(String[] arguments) throws Exception {
        Configuration conf = HBaseConfiguration.create();
        for (String file : new String[] {"core-site.xml", "hdfs-site.xml", "hbase-site.xml"}) {
            conf.addResource(new Path(java.nio.file.Path.of(arguments[0], file).toUri()));
        }
        try (Connection connection = ConnectionFactory.createConnection(conf);
                Admin admin = connection.getAdmin()) {
            run(connection, admin, arguments[1], Arrays.copyOfRange(arguments, 2, arguments.length));
        }
    }

    private static void run(Connection connection, Admin admin, String command, String... arguments) throws Exception {
        switch (command) {
            case "regions" -> printRegions(admin);
            case "update_all_config" ->
                admin.updateConfiguration(admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.MASTER))
                        .getMasterName());
            case "balance_switch" -> admin.balancerSwitch(Boolean.parseBoolean(arguments[0]), true);
            case "create" -> create(admin, arguments[0], Integer.parseInt(arguments[1]), arguments[2]);
            case "read" -> read(connection, arguments[0].split(","), Integer.parseInt(arguments[1]));
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

    /** Scans these tables one after the other, again and again for so many seconds. */
    private static void read(Connection connection, String[] tables, int seconds) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < end) {
            for (String name : tables) {
                try (Table table = connection.getTable(TableName.valueOf(name));
                        ResultScanner rows = table.getScanner(new Scan())) {
                    rows.forEach(row -> {});
                }
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
