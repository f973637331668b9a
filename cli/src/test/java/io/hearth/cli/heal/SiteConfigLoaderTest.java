// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A configuration that leads to no cluster is said at once, and not by a timeout of ZooKeeper's client. */
class SiteConfigLoaderTest {

    private static Configuration quorum(String hosts) {
        Configuration site = new Configuration(false);
        site.set("hbase.zookeeper.quorum", hosts);
        return site;
    }

    @Test
    void whereNoHostOfTheQuorumHasAnAddressThatIsSaid() {
        assertThatThrownBy(() -> SiteConfigLoader.checkZooKeeperHosts(quorum("zk1.invalid:2181, zk2.invalid")))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "no address is known for the host zk1.invalid, zk2.invalid, of hbase.zookeeper.quorum. Ask from a"
                                + " machine that resolves the cluster's names, or add them to /etc/hosts");
    }

    @Test
    void oneThatHasAnAddressIsEnough() {
        assertThatCode(() -> SiteConfigLoader.checkZooKeeperHosts(quorum("zk1.invalid,127.0.0.1:2181")))
                .doesNotThrowAnyException();
        assertThatCode(() -> SiteConfigLoader.checkZooKeeperHosts(new Configuration(false)))
                .doesNotThrowAnyException();
    }

    @Test
    void aFolderOfTheEnvironmentThatHasNoConfigurationIsNamed(@TempDir Path folder) throws IOException {
        assertThatThrownBy(() -> SiteConfigLoader.checkFolder(Map.of("HBASE_CONF_DIR", folder.toString())))
                .isInstanceOf(IOException.class)
                .hasMessage("HBASE_CONF_DIR is " + folder + ", which has no hbase-site.xml that can be read; name the"
                        + " cluster's folder there or by --config");
        Files.writeString(folder.resolve("hbase-site.xml"), "<configuration/>");
        assertThatCode(() -> SiteConfigLoader.checkFolder(Map.of("HBASE_CONF_DIR", folder.toString())))
                .doesNotThrowAnyException();
        assertThatCode(() -> SiteConfigLoader.checkFolder(Map.of("HBASE_CONF_DIR", " ")))
                .doesNotThrowAnyException();
    }

    @Test
    void ofAFolderAloneNothingElseIsRead(@TempDir Path folder) throws IOException {
        Files.writeString(
                folder.resolve("hbase-site.xml"),
                "<configuration><property><name>hbase.zookeeper.quorum</name><value>zk7</value></property></configuration>");

        Configuration site = SiteConfigLoader.ofFolderAlone(folder);

        assertThat(site.get("hbase.zookeeper.quorum")).isEqualTo("zk7");
        assertThat(site.get("hbase.zookeeper.property.clientPort"))
                .as("a default")
                .isEqualTo("2181");
        assertThat(site.getInt("hbase.client.retries.number", 0)).isEqualTo(5);
    }

    /** A gateway has the default cluster on its class path, with final keys too: they must not decide which cluster is paused. */
    @Test
    void aFolderStandsForItselfAndTakesFromTheClassPathOnlyTheFilesThatItLacks(@TempDir Path folder) throws Exception {
        Path gateway = Files.createDirectory(folder.resolve("gateway"));
        Path named = Files.createDirectory(folder.resolve("b"));
        Files.writeString(
                gateway.resolve("hbase-site.xml"),
                site("<property><name>hbase.zookeeper.quorum</name><value>zk-of-a</value><final>true</final></property>"
                        + "<property><name>zookeeper.znode.parent</name><value>/a</value></property>"));
        Files.writeString(
                gateway.resolve("core-site.xml"),
                site("<property><name>fs.defaultFS</name><value>hdfs://ns</value></property>"));
        Files.writeString(
                named.resolve("hbase-site.xml"),
                site("<property><name>hbase.zookeeper.quorum</name><value>zk-of-b</value></property>"));
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader classPath =
                new URLClassLoader(new URL[] {gateway.toUri().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(classPath);

            Configuration site =
                    SiteConfigLoader.load(Optional.of(named), Map.of("HBASE_CONF_DIR", gateway.toString()));
            assertThat(site.get("hbase.zookeeper.quorum")).isEqualTo("zk-of-b");
            assertThat(site.get("zookeeper.znode.parent")).as("the default").isEqualTo("/hbase");
            assertThat(site.get("fs.defaultFS"))
                    .as("the folder has no core-site.xml")
                    .isEqualTo("hdfs://ns");
            assertThat(SiteConfigLoader.files(Optional.of(named), Map.of()))
                    .contains(gateway.resolve("core-site.xml"), named.resolve("core-site.xml"))
                    .doesNotContain(gateway.resolve("hbase-site.xml"));

            Files.writeString(named.resolve("core-site.xml"), site(""));
            assertThat(SiteConfigLoader.load(Optional.of(named), Map.of()).get("fs.defaultFS"))
                    .isEqualTo("file:///");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static String site(String properties) {
        return "<configuration>" + properties + "</configuration>";
    }
}
