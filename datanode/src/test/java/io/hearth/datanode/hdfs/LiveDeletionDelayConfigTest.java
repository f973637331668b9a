// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

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

class LiveDeletionDelayConfigTest {

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
        LiveDeletionDelayConfig config = new LiveDeletionDelayConfig(conf);
        assertThat(config.get().delayMs()).isEqualTo(30_000);

        writeGrace("12000", 2_000);
        assertThat(config.get().delayMs()).isEqualTo(30_000);
        config.refresh(0);
        assertThat(config.get().delayMs()).isEqualTo(12_000);

        writeGrace("13000", 2_000);
        config.refresh(0);
        assertThat(config.get().delayMs()).as("the same modification time").isEqualTo(12_000);
    }

    @Test
    void aFolderMayHaveBlanksInItsName() throws IOException {
        folder = Files.createDirectory(folder.resolve("a folder"));
        aConfigurationFolderOnTheClassPath();
        LiveDeletionDelayConfig config = new LiveDeletionDelayConfig(conf);

        writeGrace("12000", 2_000);
        config.refresh(0);

        assertThat(config.get().delayMs()).isEqualTo(12_000);
    }

    @Test
    void whatCannotBeUsedIsCountedAndTheDefaultHolds() throws IOException {
        LiveDeletionDelayConfig config = new LiveDeletionDelayConfig(conf);

        writeGrace("soon", 2_000);
        config.refresh(0);

        assertThat(config.get().delayMs()).isEqualTo(30_000);
        assertThat(config.problems()).isEqualTo(1);
    }

    @Test
    void aFileThatIsHalfWrittenChangesNothingUntilItIsWhole() throws IOException {
        writeGrace("12000", 2_000);
        LiveDeletionDelayConfig config = new LiveDeletionDelayConfig(conf);

        write("<configuration><prop", 3_000);
        config.refresh(0);
        assertThat(config.get().delayMs()).isEqualTo(12_000);

        writeGrace("13000", 3_000);
        config.refresh(0);
        assertThat(config.get().delayMs()).isEqualTo(13_000);
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
