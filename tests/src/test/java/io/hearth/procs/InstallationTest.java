package io.hearth.procs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.procs.layout.ClusterLayout;
import io.hearth.procs.layout.Shape;
import io.hearth.procs.layout.Wiring;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a project folder of its own, with the real fragments of {@code conf/}. */
class InstallationTest {

    private static final String BALANCER = "hbase.master.loadbalancer.class";
    private static final String COPROCESSOR = "hbase.coprocessor.master.classes";

    @TempDir
    private Path root;

    @TempDir
    private Path cluster;

    @BeforeEach
    void project() throws Exception {
        for (String module : new String[] {"balancer", "coprocessor"}) {
            Path target = Files.createDirectories(root.resolve(module + "/target"));
            Files.writeString(target.resolve("hearth-" + module + ".jar"), module);
        }
        for (String fragment : new String[] {
            "master/hbase-site.xml", "regionserver/hbase-site.xml", "namenode/hdfs-site.xml", "datanode/hdfs-site.xml"
        }) {
            Path copy = root.resolve("conf").resolve(fragment);
            Files.createDirectories(copy.getParent());
            Files.copy(Path.of("../conf").resolve(fragment), copy);
        }
    }

    private Configuration hbaseSite(boolean hearth, Wiring wiring, Map<String, String> settings) throws Exception {
        ClusterFolder folder = new ClusterFolder(cluster);
        ClusterLayout layout = new ClusterLayout(new Shape(3, 1, 1, wiring, 0, 0, hearth, settings), "07af", 9);
        new Installation(root, "").prepare(folder, layout);
        Configuration site = new Configuration(false);
        for (String file : new String[] {"core-site.xml", "hdfs-site.xml", "hbase-site.xml"}) {
            site.addResource(
                    new org.apache.hadoop.fs.Path(folder.conf().resolve(file).toUri()));
        }
        return site;
    }

    @Test
    void hearthIsTwoJarsInOneFolderAndWhatConfHolds() throws Exception {
        Configuration site = hbaseSite(true, Wiring.NAMESPACES, Map.of());

        assertThat(cluster.resolve("lib").toFile().list())
                .containsExactlyInAnyOrder("hearth-balancer.jar", "hearth-coprocessor.jar");
        assertThat(site.get(BALANCER)).isEqualTo("io.hearth.balancer.HearthLoadBalancer");
        assertThat(site.get(COPROCESSOR))
                .isEqualTo("io.hearth.healing.hbase.LocalityHealingObserver,io.hearth.operate.rpc.OperatorEndpoint");
        assertThat(site.get("hbase.locality.inputstream.derive.enabled")).isEqualTo("true");
        assertThat(site.get("dfs.namenode.avoid.read.stale.datanode")).isEqualTo("true");
        assertThat(site.get("dfs.datanode.balance.bandwidthPerSec")).isEqualTo("104857600");
    }

    @Test
    void withoutHearthThereIsNothingOfIt() throws Exception {
        Configuration site = hbaseSite(false, Wiring.NAMESPACES, Map.of());

        assertThat(cluster.resolve("lib").toFile().list()).isEmpty();
        assertThat(site.get(BALANCER)).isNull();
        assertThat(site.get(COPROCESSOR)).isNull();
        assertThat(site.get("dfs.namenode.avoid.read.stale.datanode")).isNull();
    }

    @Test
    void whatTheUserSetsComesOverWhatConfHolds() throws Exception {
        Configuration site =
                hbaseSite(true, Wiring.NAMESPACES, Map.of("dfs.client.refresh.read-block-locations.ms", "1000"));

        assertThat(site.get("dfs.client.refresh.read-block-locations.ms")).isEqualTo("1000");
    }

    @Test
    void onTheLoopbackDeviceHadoopCallsFromTheHostsAddress() throws Exception {
        Configuration site = hbaseSite(true, Wiring.LOOPBACK, Map.of());

        assertThat(site.getRaw("embedded.cluster.local.address")).isEqualTo("${env.HEARTH_ADDRESS:-127.0.0.1}");
        // A client has no host of its own.
        assertThat(site.get("embedded.cluster.local.address")).isEqualTo("127.0.0.1");
    }

    @Test
    void hearthComesFromItsFolderAndTheRestFromMavensClassPath() {
        Installation installation =
                new Installation(root, "/m/hbase-server-1.jar:/m/hbase-common-1-tests.jar:/p/hearth-balancer.jar");

        assertThat(installation.serverClassPath(new ClusterFolder(cluster), Wiring.NAMESPACES))
                .isEqualTo(cluster + "/conf:" + cluster + "/lib/*:/m/hbase-server-1.jar");
    }

    @Test
    void onlyWithoutNamespacesTheTestsJarIsNeeded() {
        Installation installation = new Installation(root, "/p/hearth-tests.jar:/m/hbase-server-1-tests.jar");

        assertThat(installation.serverClassPath(new ClusterFolder(cluster), Wiring.LOOPBACK))
                .endsWith("/lib/*:/p/hearth-tests.jar:/m/hbase-server-1-tests.jar");
        assertThat(installation.serverClassPath(new ClusterFolder(cluster), Wiring.NAMESPACES))
                .endsWith("/lib/*:/m/hbase-server-1-tests.jar");
    }
}
