// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.datanode.config.DataNodeSettings;
import io.hearth.datanode.config.ReadCacheSettings.Mode;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.AuxiliaryProcess.OneShotProcess;
import io.hearth.testkit.process.layout.ClusterLayout;
import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HearthDatasetFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a project folder of its own, with the real fragments of {@code conf/}. */
class InstallationTest {

    private static final String BALANCER = "hbase.master.loadbalancer.class";
    private static final String COPROCESSOR = "hbase.coprocessor.master.classes";

    private static final Set<DaemonRole> OF_HDFS =
            EnumSet.of(DaemonRole.NAMENODE, DaemonRole.JOURNALNODE, DaemonRole.ZKFC, DaemonRole.DATANODE);

    @TempDir
    private Path root;

    @TempDir
    private Path cluster;

    @BeforeEach
    void project() throws Exception {
        for (String module : new String[] {"balancer", "coprocessor", "datanode"}) {
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

    private Configuration hbaseSite(boolean hearth, NetworkMode networkMode, Map<String, String> settings)
            throws Exception {
        return sites(new ClusterSpec(3, 1, 1, networkMode, 0, 0, hearth, settings));
    }

    private Configuration sites(ClusterSpec clusterSpec) throws Exception {
        ClusterFolder folder = new ClusterFolder(cluster);
        ClusterLayout layout = new ClusterLayout(clusterSpec, "07af", 9);
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
        Configuration site = hbaseSite(true, NetworkMode.NAMESPACES, Map.of());

        assertThat(cluster.resolve("lib").toFile().list())
                .containsExactlyInAnyOrder("hearth-balancer.jar", "hearth-coprocessor.jar");
        assertThat(site.get(BALANCER)).isEqualTo("io.hearth.balancer.HearthLoadBalancer");
        assertThat(site.get(COPROCESSOR))
                .isEqualTo("io.hearth.healer.hbase.LocalityHealingObserver,io.hearth.admin.rpc.HearthAdminEndpoint");
        assertThat(site.get("hbase.locality.inputstream.derive.enabled")).isEqualTo("true");
        assertThat(site.get("hearth.balancer.mode")).as("Hearth acts").isNull();
        assertThat(site.get("hearth.heal.mode")).as("Hearth acts").isNull();
        assertThat(site.get("dfs.namenode.avoid.read.stale.datanode")).isEqualTo("true");
        assertThat(site.get("dfs.datanode.balance.bandwidthPerSec")).isEqualTo("104857600");
    }

    @Test
    void aJarOfHearthsThatAHostHasBeenGivenIsNotPutThereForAllHostsToo() throws Exception {
        Path own = Files.createDirectories(cluster.resolve("lib/master1"));
        Files.writeString(own.resolve("hearth-coprocessor.jar"), "of another build");

        Configuration site = hbaseSite(true, NetworkMode.NAMESPACES, Map.of());

        assertThat(cluster.resolve("lib").toFile().list()).containsExactlyInAnyOrder("hearth-balancer.jar", "master1");
        assertThat(own.resolve("hearth-coprocessor.jar")).hasContent("of another build");
        assertThat(site.get(COPROCESSOR)).as("its properties are there").isNotNull();
    }

    @Test
    void whereThereAreSsdsTheDataNodesCacheReadsOnThem() throws Exception {
        Configuration site =
                sites(new ClusterSpec(3, 1, 1, 1, NetworkMode.NAMESPACES, 0, 0, 0, 64, false, false, true, Map.of()));

        assertThat(cluster.resolve("lib/hearth-datanode.jar")).exists();
        assertThat(site.get("dfs.datanode.fsdataset.factory")).isEqualTo(HearthDatasetFactory.class.getName());
        DataNodeSettings.Reading settings = DataNodeSettings.read("hdfs-site.xml", new ConfigurationSettings(site));
        assertThat(settings.problems()).isEmpty();
        assertThat(settings.readCache().mode()).isEqualTo(Mode.ON);
        assertThat(settings.readCache().storage().maxBytes()).isEqualTo(48L << 20);
        assertThat(settings.readCache().folder())
                .as("below the SSD's mount point")
                .contains(cluster.resolve("data/client/ssd/cache"));
    }

    @Test
    void withoutHearthThereIsNothingOfIt() throws Exception {
        Configuration site = hbaseSite(false, NetworkMode.NAMESPACES, Map.of());

        assertThat(cluster.resolve("lib").toFile().list()).isEmpty();
        assertThat(site.get(BALANCER)).isNull();
        assertThat(site.get(COPROCESSOR)).isNull();
        assertThat(site.get("dfs.namenode.avoid.read.stale.datanode")).isNull();
    }

    @Test
    void whatTheUserSetsComesOverWhatConfHolds() throws Exception {
        Configuration site =
                hbaseSite(true, NetworkMode.NAMESPACES, Map.of("dfs.client.refresh.read-block-locations.ms", "1000"));

        assertThat(site.get("dfs.client.refresh.read-block-locations.ms")).isEqualTo("1000");
    }

    @Test
    void onTheLoopbackDeviceHadoopCallsFromTheHostsAddress() throws Exception {
        Configuration site = hbaseSite(true, NetworkMode.LOOPBACK, Map.of());

        assertThat(site.getRaw("embedded.cluster.local.address")).isEqualTo("${env.HEARTH_ADDRESS:-127.0.0.1}");
        // A client has no host of its own.
        assertThat(site.get("embedded.cluster.local.address")).isEqualTo("127.0.0.1");
    }

    @Test
    void hearthComesFromItsFolderAndTheRestFromMavensClassPath() throws Exception {
        Installation installation =
                new Installation(root, "/m/hbase-server-1.jar:/m/hbase-common-1-tests.jar:/p/hearth-balancer.jar");

        assertThat(installation.clientClassPath(new ClusterFolder(cluster), NetworkMode.NAMESPACES))
                .isEqualTo(cluster + "/conf:" + cluster + "/lib/*:/m/hbase-server-1.jar");
        assertThat(serverClassPath(installation, NetworkMode.NAMESPACES))
                .as("a host may have jars that others lack")
                .isEqualTo(cluster + "/conf:" + cluster + "/lib/*:" + cluster + "/lib/host1/*:/m/hbase-server-1.jar");
    }

    private String serverClassPath(Installation installation, NetworkMode networkMode) throws Exception {
        ClusterHost host = new ClusterLayout(new ClusterSpec(1, 1, 1, networkMode, 0, 0, true, Map.of()), "07af", 9)
                .workers()
                .get(0);
        ClusterFolder folder = new ClusterFolder(cluster);
        return installation.serverClassPath(folder, networkMode, host, Optional.of(folder.hbaseClassPath()));
    }

    @Test
    void hbasesServersMayBeOfAReleaseThatSaysItsClassPathItself() throws Exception {
        Path home = Files.createDirectories(root.resolve("home/bin"));
        Path command = Files.writeString(
                home.resolve("hbase"),
                "#!/bin/sh\n[ \"$*\" = '--internal-classpath classpath' ] && echo /h/conf:/h/lib/hbase-server-2.jar:/h/lib/hearth-balancer.jar\n");
        assertThat(command.toFile().setExecutable(true)).isTrue();
        Installation.useRelease(new ClusterFolder(cluster), home.getParent());
        Installation installation = new Installation(root, "/p/hearth-testkit.jar:/m/hbase-server-1.jar");

        assertThat(serverClassPath(installation, NetworkMode.NAMESPACES))
                .endsWith("/lib/host1/*:/h/conf:/h/lib/hbase-server-2.jar:/h/lib/hearth-balancer.jar");
        assertThat(serverClassPath(installation, NetworkMode.LOOPBACK))
                .endsWith("/h/lib/hearth-balancer.jar:/p/hearth-testkit.jar");
        assertThat(installation.clientClassPath(new ClusterFolder(cluster), NetworkMode.NAMESPACES))
                .endsWith("/lib/*:/m/hbase-server-1.jar");

        hbaseSite(true, NetworkMode.NAMESPACES, Map.of());
        assertThat(cluster.resolve("lib").toFile().list())
                .as("what the release has already is not put there too")
                .containsExactly("hearth-coprocessor.jar");
    }

    @Test
    void hdfsServersMayBeOfAReleaseTooAndHBasesAreNotThen() throws Exception {
        Path home = Files.createDirectories(root.resolve("hadoop/bin"));
        Path command = Files.writeString(
                home.resolve("hadoop"),
                "#!/bin/sh\n[ \"$*\" = classpath ] && echo WARNING: no JAVA_HOME && echo '/h/etc:/h/share/hadoop/hdfs/*'\n");
        assertThat(command.toFile().setExecutable(true)).isTrue();
        Installation.useHadoopRelease(new ClusterFolder(cluster), home.getParent());

        ClusterLayout layout = new ClusterLayout(
                new ClusterSpec(1, 1, 1, 2, NetworkMode.LOOPBACK, 0, 0, 0, 0, false, false, true, Map.of()), "07af", 9);
        DaemonCommandLines commands = new DaemonCommandLines(
                new ClusterFolder(cluster),
                layout,
                new Installation(root, "/p/hearth-testkit.jar:/m/hadoop-hdfs-3.jar"));
        for (Daemon daemon : layout.daemons()) {
            assertThat(commands.of(daemon).environment().get("CLASSPATH"))
                    .as(daemon.name())
                    .endsWith(
                            OF_HDFS.contains(daemon.role())
                                    ? "/*:/h/etc:/h/share/hadoop/hdfs/*:/p/hearth-testkit.jar"
                                    : "/m/hadoop-hdfs-3.jar");
        }
        OneShotProcess format =
                new OneShotProcess("format", layout.nameNodeHosts().get(0), "NameNode", List.of());
        assertThat(commands.of(format).environment().get("CLASSPATH")).contains("/h/share/hadoop/hdfs/*");
    }

    @Test
    void onlyWithoutNamespacesTheTestsJarIsNeeded() throws Exception {
        Installation installation = new Installation(root, "/p/hearth-testkit.jar:/m/hbase-server-1-tests.jar");

        assertThat(serverClassPath(installation, NetworkMode.LOOPBACK))
                .endsWith("/lib/host1/*:/p/hearth-testkit.jar:/m/hbase-server-1-tests.jar");
        assertThat(serverClassPath(installation, NetworkMode.NAMESPACES))
                .endsWith("/lib/host1/*:/m/hbase-server-1-tests.jar");
    }
}
