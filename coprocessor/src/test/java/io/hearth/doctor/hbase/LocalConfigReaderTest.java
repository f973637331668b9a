// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.doctor.model.HadoopKey;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalConfigReaderTest {

    private static final String KEY = HadoopKey.MASTER_COPROCESSORS.key();

    @TempDir
    private Path folder;

    private Configuration started() throws IOException {
        Configuration conf = new Configuration(false);
        conf.setClassLoader(new URLClassLoader(new URL[] {folder.toUri().toURL()}, null));
        conf.set(KEY, "org.A,org.B");
        conf.set("hbase.regions.slop", "0.3");
        return conf;
    }

    @Test
    void ofAnHMasterTheListIsThatOfTheFileWithWhichItWillStart() throws IOException {
        Configuration conf = started();
        assertThat(LocalConfigReader.ofMaster(conf).text(HadoopKey.MASTER_COPROCESSORS))
                .as("without a file, what it has in memory")
                .isEqualTo("org.A,org.B");

        Files.writeString(
                folder.resolve("hbase-site.xml"),
                "<configuration><property><name>" + KEY
                        + "</name><value>io.hearth.C</value></property></configuration>");

        assertThat(LocalConfigReader.ofMaster(started()).text(HadoopKey.MASTER_COPROCESSORS))
                .isEqualTo("io.hearth.C");
        assertThat(LocalConfigReader.ofMaster(started()).text(HadoopKey.SLOP))
                .as("all else is what it runs with")
                .isEqualTo("0.3");
        assertThat(LocalConfigReader.of(started()).text(HadoopKey.MASTER_COPROCESSORS))
                .isEqualTo("org.A,org.B");
    }

    @Test
    void whatIsNoConfigurationIsSaid() throws IOException {
        Path file = folder.resolve("hbase-site.xml");
        Files.writeString(file, "<configuration><property>");
        assertThatThrownBy(() -> LocalConfigReader.ofMaster(started()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("hbase-site.xml can't be read: ");

        Files.writeString(file, " ".repeat((8 << 20) + 1));
        assertThatThrownBy(() -> LocalConfigReader.ofMaster(started()))
                .isInstanceOf(IOException.class)
                .hasMessage("hbase-site.xml has more than 8388608 bytes");
    }
}
