// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.datanode.config.ReadCacheSettings.Mode;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveDataNodeConfigTest {

    @TempDir
    private Path folder;

    private Configuration conf;

    @BeforeEach
    void aConfigurationFolderOnTheClassPath() throws IOException {
        write("<configuration/>", 1_000);
        conf = new Configuration(false);
        conf.setClassLoader(new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader()));
        conf.addResource("hdfs-site.xml");
    }

    @Test
    void aChangedFileIsReadAgain() throws IOException {
        LiveDataNodeConfig config = new LiveDataNodeConfig(conf);
        assertThat(config.deletionDelay().delayMs()).isEqualTo(30_000);

        writeGrace("12000", 2_000);
        assertThat(config.deletionDelay().delayMs()).isEqualTo(30_000);
        config.refresh(0);
        assertThat(config.deletionDelay().delayMs()).isEqualTo(12_000);

        writeGrace("13000", 2_000);
        config.refresh(5_000);
        assertThat(config.deletionDelay().delayMs())
                .as("the same modification time")
                .isEqualTo(12_000);

        writeGrace("14000", 3_000);
        config.refresh(9_999);
        assertThat(config.deletionDelay().delayMs()).as("within 5 s").isEqualTo(12_000);
        config.refresh(10_000);
        assertThat(config.deletionDelay().delayMs()).isEqualTo(14_000);
    }

    @Test
    void bothFeaturesAreReadFromOneFile() throws IOException {
        LiveDataNodeConfig config = new LiveDataNodeConfig(conf);
        assertThat(config.readCache().mode()).isEqualTo(Mode.OFF);

        write(
                "<configuration><property><name>hearth.datanode.cache.mode</name><value>on</value></property>"
                        + "<property><name>hearth.datanode.cache.dir</name><value>/ssd</value></property>"
                        + "<property><name>hearth.datanode.cache.dirr</name><value>/ssd</value></property></configuration>",
                2_000);
        config.refresh(0);

        assertThat(config.readCache().mode()).isEqualTo(Mode.ON);
        assertThat(config.readCache().folder()).contains(Path.of("/ssd"));
        assertThat(config.problems()).isEqualTo(1);
        assertThat(LiveDataNodeConfig.inWords(config.readCache()))
                .isEqualTo("Blocks that clients read more than 20 times within 60 minutes are cached in /ssd, at most"
                        + " 1099511627776 bytes");
    }

    /** Its classes stay in the process. */
    @Test
    void theFolderOfAlluxioIsThatOfTheStart() throws IOException {
        writeAlluxio("/opt/alluxio", 2_000);
        LiveDataNodeConfig config = new LiveDataNodeConfig(conf);

        writeAlluxio("/opt/other", 3_000);
        config.refresh(0);

        assertThat(config.alluxioFolder()).contains(Path.of("/opt/alluxio"));
    }

    private void writeAlluxio(String value, long modifiedMs) throws IOException {
        write(
                "<configuration><property><name>hearth.datanode.cache.alluxio.dir</name><value>" + value
                        + "</value></property></configuration>",
                modifiedMs);
    }

    @Test
    void aFolderMayHaveBlanksInItsName() throws IOException {
        folder = Files.createDirectory(folder.resolve("a folder"));
        aConfigurationFolderOnTheClassPath();
        LiveDataNodeConfig config = new LiveDataNodeConfig(conf);

        writeGrace("12000", 2_000);
        config.refresh(0);

        assertThat(config.deletionDelay().delayMs()).isEqualTo(12_000);
    }

    @Test
    void whatCannotBeUsedIsCountedAndTheDefaultHolds() throws IOException {
        LiveDataNodeConfig config = new LiveDataNodeConfig(conf);

        writeGrace("soon", 2_000);
        config.refresh(0);

        assertThat(config.deletionDelay().delayMs()).isEqualTo(30_000);
        assertThat(config.problems()).isEqualTo(1);
    }

    @Test
    void aFileThatIsHalfWrittenChangesNothingUntilItIsWhole() throws IOException {
        writeGrace("12000", 2_000);
        LiveDataNodeConfig config = new LiveDataNodeConfig(conf);

        write("<configuration><prop", 3_000);
        config.refresh(0);
        assertThat(config.deletionDelay().delayMs()).isEqualTo(12_000);

        writeGrace("13000", 3_000);
        config.refresh(5_000);
        assertThat(config.deletionDelay().delayMs()).isEqualTo(13_000);
    }

    /** Otherwise the read cache would be switched off, and every other setting have its default. */
    @Test
    void aFileThatIsAwayChangesNothingUntilItIsBack() throws IOException {
        LiveDataNodeConfig config = new LiveDataNodeConfig(conf);
        writeGrace("12000", 2_000);
        config.refresh(0);

        Files.delete(folder.resolve("hdfs-site.xml"));
        config.refresh(5_000);
        assertThat(config.deletionDelay().delayMs()).isEqualTo(12_000);
        config.refresh(10_000);
        assertThat(config.deletionDelay().delayMs()).isEqualTo(12_000);

        writeGrace("13000", 3_000);
        config.refresh(15_000);
        assertThat(config.deletionDelay().delayMs()).isEqualTo(13_000);
    }

    private void writeGrace(String value, long modifiedMs) throws IOException {
        write(
                "<configuration><property><name>hearth.datanode.deletion.delay.ms</name><value>" + value
                        + "</value></property></configuration>",
                modifiedMs);
    }

    private void write(String xml, long modifiedMs) throws IOException {
        Path file = folder.resolve("hdfs-site.xml");
        Files.writeString(file, xml);
        Files.setLastModifiedTime(file, FileTime.fromMillis(modifiedMs));
    }
}
