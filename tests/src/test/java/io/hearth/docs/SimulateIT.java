// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.hbase.SnapshotFile;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.LoadDimension;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of docs/simulate.md, as their reader types them. */
@Tag("shared")
class SimulateIT {

    private static final Path ROOT = Path.of("..");
    private static final TableName TABLE = TableName.valueOf("captured");
    private static final byte[] FAMILY = Bytes.toBytes("f");
    private static final int REGIONS = 16;

    @TempDir
    private Path folder;

    private static HearthScript.Result inRoot(String... arguments) throws Exception {
        HearthScript.Result result = HearthScript.run(ROOT, Map.of(), 9, arguments);
        assertThat(result.output())
                .as("a build would write anew the jars that the tests have open")
                .doesNotContain("Building Hearth");
        return result;
    }

    @Test
    @Tag("release-checks")
    void everyScenarioHolds() throws Exception {
        HearthScript.Result all = inRoot("simulate", "--all");

        assertThat(all.exitCode()).as(all.output()).isZero();
        assertThat(all.output()).contains("opentsdb-four-nodes", "already-fine", "All expectations hold.");
    }

    @Test
    void oneScenarioIsToldInFull() throws Exception {
        HearthScript.Result one = inRoot("simulate", "bench/src/main/scenarios/opentsdb-four-nodes.yaml");

        assertThat(one.exitCode()).as(one.output()).isZero();
        assertThat(one.output()).contains("Four OpenTSDB nodes, a crash, and a fifth", "HOLDS  max/mean of writes");
    }

    @Test
    void aBrokenRuleIsNoticed() throws Exception {
        HearthScript.Result broken = inRoot(
                "simulate",
                "--set",
                "hearth.balancer.cool.down.ms=0",
                "bench/src/main/scenarios/load-that-goes-to-and-fro.yaml");

        assertThat(broken.exitCode()).as(broken.output()).isEqualTo(1);
        assertThat(broken.output()).contains("FAILS  no region moves more than once in any 15min");
    }

    @Test
    @Tag("soak")
    void theBenchmarkPrintsItsTable() throws Exception {
        HearthScript.Result quick =
                inRoot("bench", "plan", "--sizes", "20", "--seeds", "1", "--stock-seconds", "1", "--stock-seeds", "1");

        List<String> missed =
                quick.output().lines().filter(line -> line.startsWith("MISSED")).toList();
        assertThat(missed)
                .as("a machine with other work to do may be slow, and that is all: %s", quick.output())
                .allMatch(line -> line.matches(".*: the (plan|snapshot) takes .* ms, above .* ms"));
        assertThat(quick.output())
                .contains(missed.isEmpty() ? "All thresholds hold." : missed.size() + " thresholds do not hold.");
        assertThat(quick.exitCode()).as(quick.output()).isEqualTo(missed.isEmpty() ? 0 : 1);
        assertThat(quick.output()).contains("20 x 2,000, one", "20 x 2,000, several", "stock tuned");
    }

    @Test
    void aSnapshotOfALiveClusterIsPlannedOn() throws Exception {
        Path config = Files.createDirectory(folder.resolve("conf"));
        Path file = folder.resolve("cluster.json");
        try (EmbeddedCluster cluster = EmbeddedCluster.builder().shared()) {
            try (OutputStream site = Files.newOutputStream(config.resolve("hbase-site.xml"))) {
                cluster.configuration().writeXml(site);
            }
            createTable(cluster);
            CompletableFuture<HearthScript.Result> capture = CompletableFuture.supplyAsync(() -> capture(config, file));
            writeUntil(capture, cluster);
            assertThat(capture.get().exitCode()).as(capture.get().output()).isZero();
        }

        SnapshotFile captured = SnapshotFile.read(file);

        List<RegionState> regions = regionsOfTheTable(captured);
        assertThat(captured.state().servers()).hasSize(6);
        assertThat(regions).hasSize(REGIONS).allMatch(region -> region.bytesByHost()
                .isKnown());
        assertThat(regions.stream()
                        .mapToDouble(region -> region.plannedLoad().get(LoadDimension.WRITES))
                        .sum())
                .isPositive();
        assertThat(Files.readString(file)).doesNotContain("secret-row");
        HearthScript.Result plan = HearthScript.run(
                folder,
                Map.of(),
                9,
                "balancer",
                "plan",
                "--snapshot",
                "cluster.json",
                "--explain",
                "--stock-seconds",
                "1");
        assertThat(plan.exitCode()).as(plan.output()).isZero();
        assertThat(plan.output()).contains("6 servers", "stock tuned", "No plan can be more even than");
    }

    private static List<RegionState> regionsOfTheTable(SnapshotFile captured) {
        List<RegionState> regions = new ArrayList<>();
        for (int server = 0; server < captured.state().servers().size(); server++) {
            captured.state().regionsOf(server).stream()
                    .filter(region -> region.table().name().equals(TABLE.getNameAsString()))
                    .forEach(regions::add);
        }
        return regions;
    }

    private HearthScript.Result capture(Path config, Path file) {
        Path hosts = ROOT.resolve("testkit/src/main/conf/embedded-hosts")
                .toAbsolutePath()
                .normalize();
        String options = "-Djdk.net.hosts.file=" + hosts + " -Djava.net.preferIPv4Stack=true";
        try {
            return HearthScript.run(
                    folder,
                    Map.of("JAVA_TOOL_OPTIONS", options),
                    9,
                    "snapshot",
                    "capture",
                    "--out",
                    file.toString(),
                    "--config",
                    config.toString(),
                    "--observe-seconds",
                    "12");
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    private static void createTable(EmbeddedCluster cluster) throws Exception {
        byte[][] splits = new byte[REGIONS - 1][];
        for (int region = 1; region < REGIONS; region++) {
            splits[region - 1] = Bytes.toBytes(String.format("secret-row-%02d", region));
        }
        cluster.admin()
                .createTable(
                        TableDescriptorBuilder.newBuilder(TABLE)
                                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                                .build(),
                        splits);
        try (Table table = cluster.connection().getTable(TABLE)) {
            for (int row = 0; row < REGIONS; row++) {
                table.put(put(row));
            }
        }
        cluster.admin().flush(TABLE);
    }

    private static void writeUntil(CompletableFuture<?> end, EmbeddedCluster cluster) throws Exception {
        try (Table table = cluster.connection().getTable(TABLE)) {
            for (int row = 0; !end.isDone(); row++) {
                table.put(put(row % REGIONS));
                // As fast as it goes, it would take the processors from what it waits for.
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }
    }

    private static Put put(int row) {
        return new Put(Bytes.toBytes(String.format("secret-row-%02d", row)))
                .addColumn(FAMILY, FAMILY, Bytes.toBytes("value"));
    }
}
