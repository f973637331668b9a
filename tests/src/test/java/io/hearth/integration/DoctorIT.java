package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.cluster.EmbeddedCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/hearth doctor} on a cluster that is configured as stock, and on one that is configured from {@code conf/}. */
class DoctorIT {

    private static final Path CONF = Path.of("..", "conf").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    /**
     * The HMaster's racks are told by Hearth's page, which is not there. The RegionServers of all clusters of one JVM, one after
     * the other, share one bean of metrics, which may lack what the first of them had not yet.
     */
    private static final Set<String> UNREAD = Set.of("racks", "counters");

    private static EmbeddedCluster.Builder builder() {
        return EmbeddedCluster.builder()
                .hosts(3)
                .racks(3)
                .property("hbase.master.info.port", "0")
                .property("hbase.regionserver.info.port", "0");
    }

    @Test
    void onAStockClusterItFindsWhatKeepsHeatUnevenAndDataAway() throws Exception {
        // What makes an embedded cluster fast to notice a change, taken back.
        try (EmbeddedCluster cluster = builder()
                .property("dfs.client.refresh.read-block-locations.ms", "0")
                .property("hbase.locality.inputstream.derive.enabled", "false")
                .property("dfs.client.retry.window.base", "3000")
                .start()) {
            CliProcess.writeConfig(cluster, folder);

            JsonObject answer = doctor(1);

            assertThat(answer.get("healthy").getAsBoolean()).isFalse();
            assertThat(names(answer, severity -> severity.equals("FAULT")))
                    .containsExactly("derived-locality", "read-block-locations", "weights");
            assertThat(names(answer, severity -> severity.equals("COST")))
                    .containsExactly(
                            "peer-cache",
                            "prefetch",
                            "retry-window",
                            "short-circuit",
                            "socket-timeout",
                            "write-timeout");
            assertThat(names(answer, severity -> severity.equals("UNKNOWN"))).isSubsetOf(UNREAD);

            CliProcess text = CliProcess.start(folder, "doctor", "--config", folder.toString());
            assertThat(text.exitCode()).as(text.output()).isEqualTo(1);
            assertThat(text.output())
                    .contains(
                            "Examined HBase 2.6.4",
                            "3 RegionServers, 3 DataNodes",
                            "With all reads and writes on one of 3 servers heat adds 0.0166 of the 0.0250",
                            "<property><name>dfs.client.refresh.read-block-locations.ms</name><value>10000</value></property>");
        }
    }

    /** There is no native library here, so that short-circuit reads have to stay off. */
    @Test
    void onAClusterFromConfItFindsNothingButShortCircuitReads() throws Exception {
        EmbeddedCluster.Builder builder = builder();
        for (String file : List.of(
                "master/hbase-site.xml",
                "regionserver/hbase-site.xml",
                "namenode/hdfs-site.xml",
                "datanode/hdfs-site.xml")) {
            builder.site(CONF.resolve(file));
        }
        try (EmbeddedCluster cluster = builder.start()) {
            CliProcess.writeConfig(cluster, folder);

            JsonObject answer = doctor(1);

            assertThat(names(answer, severity -> !severity.equals("UNKNOWN"))).containsExactly("short-circuit");
            assertThat(names(answer, severity -> severity.equals("UNKNOWN"))).isSubsetOf(UNREAD);
        }
    }

    private JsonObject doctor(int exitCode) throws Exception {
        CliProcess doctor = CliProcess.start(folder, "doctor", "--config", folder.toString(), "--json");
        assertThat(doctor.exitCode()).as(doctor.output()).isEqualTo(exitCode);
        String json = doctor.output()
                .lines()
                .filter(line -> line.startsWith("{"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(doctor.output()));
        return JsonParser.parseString(json).getAsJsonObject();
    }

    private static Set<String> names(JsonObject answer, Predicate<String> severity) {
        Set<String> names = new TreeSet<>();
        for (JsonElement each : answer.getAsJsonArray("findings")) {
            JsonObject finding = each.getAsJsonObject();
            if (severity.test(finding.get("severity").getAsString())) {
                names.add(finding.get("check").getAsString());
            }
        }
        return names;
    }
}
