// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.cli.install.InstallCheck.SiteFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

    /** Many are for the service's user alone. What the HMaster reads there must not be taken for nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"hbase-site.xml", "hdfs-site.xml", "hbase-env.sh", "jdk/release"})
    void aFileThatIsNotOursToReadIsNamed(String name) throws IOException {
        Path hbase = site("hbase", "hbase-site.xml", "act");
        site("hbase", "hdfs-site.xml", "act");
        Files.writeString(hbase.resolve("hbase-env.sh"), "JAVA_HOME=" + hbase.resolve("jdk") + "\n");
        Files.writeString(Files.createDirectory(hbase.resolve("jdk")).resolve("release"), "JAVA_VERSION=\"17\"\n");
        InstallCommand asAnother = new InstallCommand(file -> !file.endsWith(name));
        new CommandLine(asAnother);

        assertThatThrownBy(() -> asAnother.files(Map.of("HBASE_CONF_DIR", hbase.toString())))
                .isInstanceOf(ParameterException.class)
                .hasMessage(hbase.resolve(name) + " is there and can't be read by " + System.getProperty("user.name"));
    }

    @Test
    void theShellsFileMayHaveCommentsInAnyEncoding() throws IOException {
        Path hbase = site("hbase", "hbase-site.xml", "act");
        Path jdk = Files.createDirectory(hbase.resolve("jdk"));
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"17.0.9\"\n");
        Files.writeString(
                hbase.resolve("hbase-env.sh"),
                "# f\u00fcr alle\nexport JAVA_HOME=" + jdk + "\n",
                StandardCharsets.ISO_8859_1);

        assertThat(command.files(Map.of("HBASE_CONF_DIR", hbase.toString())).javaVersion())
                .contains("17.0.9");
    }
}
