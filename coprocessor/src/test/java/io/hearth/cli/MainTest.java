package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What the command line says before it asks any cluster. */
class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... arguments) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "|say what to do: heal, healer or doctor (bin/hearth --help shows the options)",
                "heal --until 1.5| heal: --until is 1.5; allowed are numbers from 0 to 1",
                "heal --until NaN| heal: --until is NaN; allowed are numbers from 0 to 1",
                "heal --until most| heal: Invalid value for option '--until': 'most' is not a double",
                "heal --bandwidth fast| heal: --bandwidth is fast; allowed are bytes per second like 50MB, 1.5GB or 0",
                "heal --table a:b:c| heal: --table is a:b:c, which can't be a table's name: Illegal character code:58, <:> at 1. User-space table qualifiers",
                "heal --tabel t| heal: Unknown options: '--tabel', 't'",
                "doctor now| doctor: Unmatched argument at index 1: 'now'",
                "healer now| healer: Unmatched argument at index 1: 'now'",
                "heal --config /no/such| heal: --config is /no/such; it must be a folder with an hbase-site.xml"
            })
    void aWrongArgumentIsOneLine(String arguments, String message) {
        int code = arguments == null ? run() : run(arguments.split(" "));

        assertThat(code).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).startsWith("hearth").contains(message.strip());
    }

    @Test
    void aClusterWithoutARootFolderInHdfsIsOneLine() throws Exception {
        Path root = Files.createDirectory(folder.resolve("hbase"));
        Files.writeString(
                folder.resolve("hbase-site.xml"),
                "<configuration><property><name>hbase.rootdir</name><value>file://" + root
                        + "</value></property></configuration>");

        assertThat(run("heal", "--config", folder.toString())).isEqualTo(4);
        assertThat(err.toString())
                .isEqualTo("hearth heal: the cluster can't be asked: hbase.rootdir is file:" + root
                        + ": healing has to know where in HDFS HBase's files are. Set hbase.rootdir in hbase-site.xml as"
                        + " the HMaster has it, or name the folder with --config.\n");
    }

    @Test
    void halfALoginIsOneLine() throws Exception {
        Files.writeString(
                folder.resolve("hbase-site.xml"),
                "<configuration><property><name>hearth.healer.keytab.file</name><value>/k</value></property></configuration>");

        assertThat(run("healer", "--config", folder.toString())).isEqualTo(5);
        assertThat(err.toString())
                .isEqualTo(
                        "hearth healer: hearth.healer.keytab.file is set and hearth.healer.kerberos.principal is not."
                                + " Set both, or neither to speak to HDFS as the process does.\n");
    }

    @Test
    void helpSaysOptionsExitCodesAndExamples() {
        assertThat(run("heal", "--help")).isZero();
        assertThat(out.toString())
                .contains("Usage: bin/hearth heal", "--bandwidth", "--until", "--dry-run", "--json", "--config")
                .contains("Exit codes:", "3     another healer works on this cluster", "130")
                .contains("Examples:", "bin/hearth heal --table usertable --bandwidth 50MB");
        assertThat(run("healer", "--help")).isZero();
    }
}
