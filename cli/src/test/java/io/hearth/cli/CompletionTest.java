package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script for the tab key, in a real bash. */
class CompletionTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"sta,status", "bal,balancer", "sim,simulate"})
    void aCommandIsCompleted(String begun, String whole) throws Exception {
        assertThat(completed("COMP_WORDS=(hearth " + begun + "); COMP_CWORD=1")).isEqualTo(whole);
    }

    @Test
    void anOptionOfACommandIsCompleted() throws Exception {
        assertThat(completed("COMP_WORDS=(hearth balancer plan --exp); COMP_CWORD=3"))
                .isEqualTo("--explain");
        assertThat(completed("COMP_WORDS=(hearth balancer pins rem); COMP_CWORD=3"))
                .isEqualTo("remove");
    }

    private String completed(String typed) throws Exception {
        StringWriter script = new StringWriter();
        assertThat(Main.run(new PrintWriter(script), new PrintWriter(new StringWriter()), "completion"))
                .isZero();
        Path file = Files.writeString(folder.resolve("hearth.bash"), script.toString());
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source " + file + "; compopt() { :; }; " + typed
                                + "; _complete_hearth; echo \"${COMPREPLY[@]}\"")
                .redirectErrorStream(true)
                .start();
        String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(output).isZero();
        return output.strip();
    }
}
