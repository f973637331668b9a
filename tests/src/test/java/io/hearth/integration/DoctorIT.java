// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/hearth doctor} on a cluster that is configured as stock, and on one that is configured from {@code conf/}. */
class DoctorIT {

    private static final Path CONF = Path.of("..", "conf").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    /**
     * The RegionServers of all clusters of one JVM, one after the other, share one bean of metrics, which may lack what the first of them
     * had not yet.
     */
    private static final String UNREAD = "counters";

    private static EmbeddedCluster.Builder builder() {
        return EmbeddedCluster.builder()
                .hosts(3)
                .racks(3)
                .property("hbase.master.info.port", "0")
                .property("hbase.regionserver.info.port", "0")
                // On in the embedded cluster, for a test of pinned replicas.
                .property("dfs.datanode.block-pinning.enabled", "false");
    }

    @Test
    void onAStockClusterItFindsWhatKeepsHeatUnevenAndDataAway() throws Exception {
        // What makes an embedded cluster fast to notice a change, taken back.
        try (EmbeddedCluster cluster = builder()
                .property("dfs.client.refresh.read-block-locations.ms", "0")
                .property("hbase.locality.inputstream.derive.enabled", "false")
                .property("dfs.client.retry.window.base", "3000")
                .property("hbase.regions.slop", "10")
                .property("hbase.regionserver.checksum.verify", "false")
                .property("hbase.hstore.blockingStoreFiles", "7")
                .start()) {
            CliProcess.writeConfig(cluster, folder);
            plant(cluster);

            JsonObject answer = doctor(1);

            assertThat(answer.get("healthy").getAsBoolean()).isFalse();
            assertThat(names(answer, severity -> severity.equals("ERROR")))
                    .containsExactly(
                            "balancer-switch",
                            "derived-locality",
                            "files-of-one-replica",
                            "read-block-locations",
                            "region-replicas",
                            "weights");
            assertThat(answer.toString())
                    .contains(
                            "crowded has REGION_REPLICATION 4, and the RegionServers that may have its regions are 3.");
            assertThat(where(answer, "files-of-one-replica")).contains("/data/default/replicated (");
            assertThat(names(answer, severity -> severity.equals("WARNING")))
                    .containsExactly(
                            "blocking-store-files-limit",
                            "checksum-verify",
                            "peer-cache",
                            "prefetch",
                            "region-replica-count",
                            "retry-window",
                            "short-circuit",
                            "slop",
                            "socket-timeout",
                            "write-timeout");
            // The HMaster's racks are told by Hearth's page, which is not there.
            assertThat(names(answer, severity -> severity.equals("UNKNOWN")))
                    .isSubsetOf(UNREAD, "racks", "slow-peers", "slow-disks");

            CliProcess text = CliProcess.start(folder, "doctor", "--config", folder.toString());
            assertThat(text.exitCode()).as(text.output()).isEqualTo(1);
            assertThat(text.output())
                    .contains(
                            "Examined HBase 2.6.4",
                            "3 RegionServers, 3 DataNodes",
                            "With all reads and writes on one of 3 servers heat adds 0.0166 of the 0.0250",
                            "<property><name>dfs.client.refresh.read-block-locations.ms</name><value>10000</value></property>");
            capacityIsTold();
        }
    }

    /** Several servers in one process have beans of other names: what they count is unknown here. CapacityProbeTest holds their names. */
    private void capacityIsTold() throws Exception {
        JsonObject answer = json(
                CliProcess.start(
                        folder,
                        "capacity",
                        "--config",
                        folder.toString(),
                        "--output",
                        "json",
                        "--servers",
                        "+3",
                        "--growth",
                        "1g/day"),
                0);

        assertThat(answer.getAsJsonArray("servers")).hasSize(3).allSatisfy(server -> {
            assertThat(server.getAsJsonObject().get("regionsThatFill").getAsLong())
                    .isPositive();
            assertThat(server.getAsJsonObject().getAsJsonArray("chain")).hasSize(6);
            assertThat(server.getAsJsonObject().keySet()).doesNotContain("note", "counters");
        });
        assertThat(answer.getAsJsonObject("hdfs").get("usedBytes").getAsLong()).isPositive();
        assertThat(answer.getAsJsonObject("then").get("servers").getAsInt()).isEqualTo(6);
        assertThat(answer.getAsJsonObject("now").getAsJsonObject("disk").keySet())
                .contains("daysUntilFull", "firstFullDataNode");
        assertThat(answer.getAsJsonArray("tables")).anySatisfy(table -> assertThat(
                        table.getAsJsonObject().get("table").getAsString())
                .isEqualTo("replicated"));
    }

    /** There is no native library here, so that short-circuit reads have to stay off. The page tells the HMaster's racks. */
    @Test
    void onAClusterFromConfItFindsNothingButShortCircuitReads() throws Exception {
        // At a port of the system's choice HBase would put another server in front, which redirects.
        EmbeddedCluster.Builder builder = builder().property("hbase.master.infoserver.redirect", "false");
        for (String file : List.of(
                "master/hbase-site.xml",
                "regionserver/hbase-site.xml",
                "namenode/hdfs-site.xml",
                "datanode/hdfs-site.xml")) {
            builder.site(CONF.resolve(file));
        }
        try (EmbeddedCluster cluster = builder.start()) {
            CliProcess.writeConfig(cluster, folder);
            try (Connection connection = ConnectionFactory.createConnection(cluster.configuration());
                    Admin admin = connection.getAdmin()) {
                // An embedded cluster begins with the balancer switched off.
                admin.balancerSwitch(true, true);
            }

            JsonObject answer = doctor(1);

            assertThat(names(answer, severity -> !severity.equals("UNKNOWN"))).containsExactly("short-circuit");
            assertThat(names(answer, severity -> severity.equals("UNKNOWN")))
                    .as("%s", answer)
                    .isSubsetOf(UNREAD);
        }
    }

    /** What is read by other ways than a configuration: the master's switch, tables, listings, two looks at counters, answers' dates. */
    private static void plant(EmbeddedCluster cluster) throws Exception {
        try (Connection connection = ConnectionFactory.createConnection(cluster.configuration());
                Admin admin = connection.getAdmin()) {
            admin.balancerSwitch(false, true);
            admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf("replicated"))
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                    .setRegionReplication(2)
                    .build());
            admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf("crowded"))
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                    .setRegionReplication(4)
                    .build());
            try (Table table = connection.getTable(TableName.valueOf("replicated"))) {
                table.put(new Put(Bytes.toBytes("r")).addColumn(Bytes.toBytes("f"), Bytes.toBytes("q"), new byte[9]));
            }
            admin.flush(TableName.valueOf("replicated"));
        }
        try (FileSystem fs = FileSystem.newInstance(cluster.configuration())) {
            org.apache.hadoop.fs.Path table = new org.apache.hadoop.fs.Path(
                    CommonFSUtils.getRootDir(cluster.configuration()), "data/default/replicated");
            RemoteIterator<LocatedFileStatus> files = fs.listFiles(table, true);
            while (files.hasNext()) {
                fs.setReplication(files.next().getPath(), (short) 1);
            }
        }
    }

    private static String where(JsonObject answer, String check) {
        for (JsonElement each : answer.getAsJsonArray("findings")) {
            if (each.getAsJsonObject().get("check").getAsString().equals(check)) {
                return each.getAsJsonObject().get("where").toString();
            }
        }
        return "not found";
    }

    private JsonObject doctor(int exitCode) throws Exception {
        return json(CliProcess.start(folder, "doctor", "--config", folder.toString(), "--output", "json"), exitCode);
    }

    private static JsonObject json(CliProcess process, int exitCode) throws Exception {
        assertThat(process.exitCode()).as(process.output()).isEqualTo(exitCode);
        String json = process.output()
                .lines()
                .filter(line -> line.startsWith("{"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(process.output()));
        return JsonParser.parseString(json).getAsJsonObject();
    }

    private static Set<String> names(JsonObject answer, Predicate<String> severity) {
        Set<String> names = new TreeSet<>();
        for (JsonElement each : answer.getAsJsonArray("findings")) {
            JsonObject finding = each.getAsJsonObject();
            // What the kernel of this machine drops meanwhile is of whatever else runs on it.
            if (severity.test(finding.get("severity").getAsString())
                    && !finding.get("check").getAsString().equals("listen-drops")) {
                names.add(finding.get("check").getAsString());
            }
        }
        return names;
    }
}
