// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.cli.install.InstallCheck.SiteFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Which files {@code install --check} reads where the environment says so. */
class InstallCommandTest {

    @TempDir
    private Path folder;

    private final InstallCommand command = new InstallCommand();

    @BeforeEach
    void asACommandLine() {
        new CommandLine(command);
    }

    private Path site(String name, String file, String value) throws IOException {
        Path site = Files.createDirectories(folder.resolve(name)).resolve(file);
        Files.writeString(
                site,
                "<configuration><property><name>hearth.heal.mode</name><value>" + value
                        + "</value></property></configuration>");
        return site.getParent();
    }

    @Test
    void hbasesFolderIsTheOneOfTheEnvironment() throws IOException {
        Path hbase = site("hbase", "hbase-site.xml", "of-hbase");
        Path hadoop = site("hadoop", "hdfs-site.xml", "of-hadoop");
        SiteFiles files =
                command.files(Map.of("HBASE_CONF_DIR", hbase.toString(), "HADOOP_CONF_DIR", hadoop.toString()));

        assertThat(files.hbase()).containsEntry("hearth.heal.mode", "of-hbase");
        assertThat(files.hdfs()).containsEntry("hearth.heal.mode", "of-hadoop");

        site("hbase", "hdfs-site.xml", "beside-it");
        assertThat(command.files(Map.of("HBASE_CONF_DIR", hbase.toString(), "HADOOP_CONF_DIR", hadoop.toString()))
                        .hdfs())
                .as("the one beside hbase-site.xml is HBase's")
                .containsEntry("hearth.heal.mode", "beside-it");
    }

    @Test
    void aFolderWithoutTheFileIsNamed() throws IOException {
        Path empty = Files.createDirectories(folder.resolve("empty"));

        assertThatThrownBy(() -> command.files(Map.of("HBASE_CONF_DIR", empty.toString())))
                .isInstanceOf(ParameterException.class)
                .hasMessage("HBASE_CONF_DIR is " + empty + "; it must be a folder with an hbase-site.xml");
        assertThatThrownBy(() -> command.files(Map.of()))
                .hasMessage("neither --config nor HBASE_CONF_DIR says where hbase-site.xml is");
    }
}
