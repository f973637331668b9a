// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What starts nothing. */
class ClusterCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... arguments) {
        CommandLine command = ClusterCommand.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    @Test
    void withoutACommandItPrintsThem() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("start", "status", "shell", "stop");
    }

    @ParameterizedTest
    @ValueSource(strings = {"start", "status", "add-host", "restart", "shell", "pe", "stop"})
    void eachCommandHasHelp(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(out.toString()).contains("bin/hearth cluster " + command, "--folder");
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "add-host", "shell", "pe", "stop"})
    void whereThereIsNoClusterOneLineSaysSo(String command) {
        assertThat(run(command, "--folder", folder.toString())).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("hearth cluster " + command + ": there is no cluster in " + folder
                        + "; bin/hearth cluster start starts one (bin/hearth cluster " + command
                        + " --help shows the options)\n");
    }

    @Test
    void whatIsNotThereIsNotRestarted() throws Exception {
        try (ProcessCluster made = ProcessCluster.create(
                folder.resolve("cluster"), new ClusterSpec(2, 1, 1, NetworkMode.LOOPBACK, 0, 0, true, Map.of()))) {
            assertThat(made.layout().workers()).hasSize(2);
        }
        String cluster = folder.resolve("cluster").toString();

        assertThat(run("restart", "DATANODE", "--host", "host3", "--folder", cluster))
                .isEqualTo(2);
        assertThat(run("restart", "JOURNALNODE", "--folder", cluster)).isEqualTo(2);

        assertThat(err.toString().lines())
                .containsExactly(
                        "hearth cluster restart: there is no datanode on host3 (bin/hearth cluster restart --help shows"
                                + " the options)",
                        "hearth cluster restart: there is no journalnode (bin/hearth cluster restart --help shows the"
                                + " options)");
    }

    @Test
    void senselessValuesAreOneLineEachAndNothingIsStarted() {
        assertThat(run(
                        "start",
                        "--wiring",
                        "LOOPBACK",
                        "--hosts",
                        "0",
                        "--nic-mbit",
                        "100",
                        "--folder",
                        folder.toString()))
                .isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        "hearth cluster start: --hosts is 0; allowed are 1 to 12",
                        "hearth cluster start: --racks is 2; allowed are 1 to 1",
                        "hearth cluster start: --latency-ms and --nic-mbit need network namespaces, which this cluster does"
                                + " not have; start it as root with iproute2 installed, or leave them out");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aJarThatIsNoneAndAHostThatWillNotBeAreOneLineEach() {
        assertThat(run(
                        "start",
                        "--wiring",
                        "LOOPBACK",
                        "--hosts",
                        "2",
                        "--jar",
                        "no.jar",
                        "--jar",
                        "host3=no.jar",
                        "--hbase",
                        folder.toString(),
                        "--hadoop",
                        folder.toString(),
                        "--folder",
                        folder.toString()))
                .isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        "hearth cluster start: --jar no.jar names no jar that can be read; allowed are FILE.jar and HOST=FILE.jar",
                        "hearth cluster start: --jar host3=no.jar names no host; there will be namenode, master1, host1, host2",
                        "hearth cluster start: --hbase " + folder
                                + " has no bin/hbase that can be run; name the folder of an unpacked release of HBase",
                        "hearth cluster start: --hadoop " + folder
                                + " has no bin/hadoop that can be run; name the folder of an unpacked release of Hadoop");
        assertThat(folder).isEmptyDirectory();
    }
}
