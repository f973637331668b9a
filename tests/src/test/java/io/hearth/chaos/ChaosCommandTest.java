package io.hearth.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** What breaks nothing. */
class ChaosCommandTest {

    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... arguments) {
        CommandLine command = ChaosCommand.commandLine();
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void everyFaultIsKnownByItsNameAndWithoutAClusterNothingIsDone(Fault fault) {
        assertThat(run("--fault", fault.toString(), "--folder", folder.toString()))
                .isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("hearth chaos: there is no cluster in " + folder
                        + "; bin/hearth cluster start starts one (bin/hearth chaos --help shows the options)\n");
    }

    @Test
    void anUnknownFaultIsOneLineWithTheKnownOnes() {
        assertThat(run("--fault", "flood")).isEqualTo(2);
        assertThat(err.toString())
                .contains("flood", "master-killed", "switched-off")
                .hasLineCount(1);
    }

    @Test
    void theDocumentNamesEveryFault() throws Exception {
        String document = Files.readString(Path.of("../docs/process-cluster.md"));

        for (Fault fault : Fault.values()) {
            assertThat(document).contains("| `" + fault + "` |");
        }
    }
}
