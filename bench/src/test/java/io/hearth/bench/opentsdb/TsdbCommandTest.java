// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.BenchCommand;
import io.hearth.bench.opentsdb.Tsd.TsdConfFiles;
import io.hearth.testkit.process.layout.ClusterLayout;
import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What needs no cluster. */
class TsdbCommandTest {

    private static final String MORE = " (bin/hearth bench opentsdb --help shows the options)\n";

    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... arguments) {
        CommandLine command = BenchCommand.commandLine();
        command.setErr(new PrintWriter(err, true));
        return command.execute(
                Stream.concat(Stream.of("opentsdb"), Stream.of(arguments)).toArray(String[]::new));
    }

    @Test
    void withoutAClusterNothingIsDone() {
        assertThat(run("--folder", folder.toString())).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("hearth bench opentsdb: there is no cluster in " + folder
                        + "; bin/hearth cluster start starts one" + MORE);
    }

    @Test
    void withSaltThereAreAsManyRegionsAsBuckets() {
        assertThat(run("--salt", "--metrics", "8", "--folder", folder.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).startsWith("hearth bench opentsdb: there is no cluster in ");
    }

    @Test
    void aNumberThatMakesNoSenseIsOneLine() {
        assertThat(run("--rate", "9000")).isEqualTo(2);
        assertThat(run("--metrics", "8", "--regions", "9")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("hearth bench opentsdb: --rate is 9000, allowed are 10 to 8000" + MORE
                        + "hearth bench opentsdb: --regions is 9, allowed are 1 to 8" + MORE);
    }

    @Test
    void theConfigurationHasWhatSaltingNeedsOnlyWhereItIsWanted() {
        ClusterLayout layout =
                new ClusterLayout(new ClusterSpec(4, 2, 1, NetworkMode.LOOPBACK, 0, 0, true, Map.of()), "07af", 9);

        String plain =
                TsdConfFiles.openTsdb(layout, false, Path.of("/tsd"), Map.of("tsd.storage.flush_interval", "100"));

        assertThat(plain)
                .contains(
                        "tsd.network.bind = 127.0.9.1\n",
                        "tsd.network.port = 4242\n",
                        "tsd.storage.hbase.zk_quorum = namenode\n",
                        "tsd.http.cachedir = /tsd/cache\n",
                        "tsd.storage.flush_interval = 100\n")
                .doesNotContain("salt");
        assertThat(TsdConfFiles.openTsdb(layout, true, Path.of("/tsd"), Map.of()))
                .contains("tsd.storage.salt.width = 1\n", "tsd.storage.salt.buckets = 20\n");
    }

    /** Its pages can be made to run commands; a line of somebody's own must not bring them back. */
    @Test
    void thePagesOfOpenTsdbStayOffWhateverIsSet() {
        ClusterLayout layout =
                new ClusterLayout(new ClusterSpec(4, 2, 1, NetworkMode.LOOPBACK, 0, 0, true, Map.of()), "07af", 9);

        assertThat(TsdConfFiles.openTsdb(layout, false, Path.of("/tsd"), Map.of("tsd.core.enable_ui", "true")))
                .contains("tsd.core.enable_ui = false\n")
                .doesNotContain("tsd.core.enable_ui = true");
        assertThat(run("--set", "tsd.core.enable_ui=true", "--folder", folder.toString()))
                .isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo(
                        "hearth bench opentsdb: --set tsd.core.enable_ui is refused: OpenTSDB's pages can be made to run commands"
                                + MORE);
    }

    /** It is fetched when the command is run and meets nothing else: neither a module of the build nor a dependency of one. */
    @Test
    void openTsdbIsNoPartOfTheBuild() throws Exception {
        for (String pom : new String[] {
            "pom.xml", "testkit/pom.xml", "bench/pom.xml", "tests/pom.xml", "dist/pom.xml", "coprocessor/pom.xml"
        }) {
            assertThat(Files.readString(Path.of("..").resolve(pom)))
                    .doesNotContain("opentsdb", "asynchbase", "src/main/tsdb");
        }
        assertThat(Files.readString(Path.of("src/main/tsdb/pom.xml"))).contains("<artifactId>opentsdb</artifactId>");
    }
}
