// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script for the tab key, in a real bash. */
class CompletionTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"sta,status", "bal,balancer", "sim,simulate", "loa,load"})
    void aCommandIsCompleted(String begun, String whole) throws Exception {
        assertThat(completed("COMP_WORDS=(hearth " + begun + "); COMP_CWORD=1")).isEqualTo(whole);
    }

    @Test
    void anOptionOfACommandIsCompleted() throws Exception {
        assertThat(completed("COMP_WORDS=(hearth balancer plan --exp); COMP_CWORD=3"))
                .isEqualTo("--explain");
        assertThat(completed("COMP_WORDS=(hearth balancer pins rem); COMP_CWORD=3"))
                .isEqualTo("remove");
        assertThat(completed("COMP_WORDS=(hearth doctor --output js); COMP_CWORD=3"))
                .isEqualTo("json");
    }

    @Test
    void zshFindsItInAFolderOfItsFunctions() throws Exception {
        StringWriter script = new StringWriter();

        assertThat(Main.run(new PrintWriter(script), new PrintWriter(new StringWriter()), "completion", "zsh"))
                .isZero();
        assertThat(script.toString())
                .startsWith("#compdef hearth\n")
                .contains("bashcompinit", "complete -F _complete_hearth")
                .endsWith("  _bash_complete -o default -F _complete_hearth\nfi\n");
    }

    @Test
    void everyCommandOfTheFrontDoorIsCompletedAndNoOther() throws Exception {
        Set<String> completed =
                new TreeSet<>(Main.commandLine().getSubcommands().keySet());
        completed.addAll(CompletionCommand.OTHERS);

        assertThat(completed).isEqualTo(dispatched());
    }

    /** The words by which {@code bin/hearth} chooses what to run; those of another form end with an error. */
    private static Set<String> dispatched() throws Exception {
        String script = Files.readString(Path.of("../bin/hearth"));
        String dispatch = script.substring(script.indexOf("\ncase ${1:-help} in\n"));
        Set<String> words = new TreeSet<>();
        Matcher branch = Pattern.compile("(?m)^  ([a-zA-Z |-]+)\\)(?! fail)").matcher(dispatch);
        while (branch.find()) {
            Stream.of(branch.group(1).split("\\|"))
                    .map(String::strip)
                    .filter(word -> !word.startsWith("-"))
                    .forEach(words::add);
        }
        return words;
    }

    private String completed(String typed) throws Exception {
        StringWriter script = new StringWriter();
        assertThat(Main.run(new PrintWriter(script), new PrintWriter(new StringWriter()), "completion", "bash"))
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
